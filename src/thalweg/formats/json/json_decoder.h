#pragma once

#include <memory>
#include <string_view>

#include "thalweg/formats/json/json_options.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// Decodes records of one JSON object each into the fields of `schema`. Parses on demand: only the
/// fields wanted are converted, the others are merely checked.
std::unique_ptr<stream::Decoder> make_json_decoder(const Schema& schema, JsonOptions options);

}  // namespace thalweg::formats
