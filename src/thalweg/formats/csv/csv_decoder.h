#pragma once

#include <memory>

#include "thalweg/formats/csv/csv_options.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// Decodes records of delimited fields, which fill the schema's columns by position.
std::unique_ptr<stream::Decoder> make_csv_decoder(const stream::FormatContext& context,
                                                  CsvOptions options);

}  // namespace thalweg::formats
