#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include "thalweg/stream/source.h"

namespace thalweg::binding {

/// The objects of a list as stream records without timestamps; one reader.
std::shared_ptr<stream::TableSource> make_collection_source(const nanobind::list& records);

/// The integers from `first` to `last`, in `splits` parts of consecutive ones, as stream records.
std::shared_ptr<stream::TableSource> make_sequence_source(int64_t first,
                                                          int64_t last,
                                                          int32_t splits);

}  // namespace thalweg::binding
