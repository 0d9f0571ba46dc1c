#pragma once

#include <memory>

#include "thalweg/formats/json/json_options.h"
#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// Writes each row as one JSON object, byte for byte as Jackson does.
std::unique_ptr<stream::Encoder> make_json_encoder(const Schema& schema, JsonOptions options);

}  // namespace thalweg::formats
