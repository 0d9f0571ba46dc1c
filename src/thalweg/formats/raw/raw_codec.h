#pragma once

#include <memory>
#include <string>

#include "thalweg/stream/format.h"

namespace thalweg::formats {

/// The checked options of one use of the format.
struct RawOptions {
  std::string charset = "UTF-8";
  bool little_endian = false;
};

std::unique_ptr<stream::Decoder> make_raw_decoder(const DataType& type, const RawOptions& options);
std::unique_ptr<stream::Encoder> make_raw_encoder(const DataType& type, const RawOptions& options);

}  // namespace thalweg::formats
