#pragma once

#include <string>
#include <vector>

#include "thalweg/formats/temporal_text.h"
#include "thalweg/stream/option.h"

namespace thalweg::formats {

enum class MapNullKeyMode : uint8_t { kFail, kDrop, kLiteral };

/// The checked options of one use of the format.
struct JsonOptions {
  bool fail_on_missing_field = false;
  bool ignore_parse_errors = false;
  bool encode_decimal_as_plain_number = false;
  bool encode_ignore_null_fields = false;
  TimestampStyle timestamp;
  TimestampStyle timestamp_ltz;
  MapNullKeyMode map_null_key_mode = MapNullKeyMode::kFail;
  std::string map_null_key_literal = "null";
};

std::vector<stream::OptionSpec> json_option_specs();

/// Throws kInvalidOption.
JsonOptions read_json_options(const stream::OptionMap& options);

/// Throws kUnsupportedFormatType when a type in `type` has no JSON form.
void check_json_type(const DataType& type);

}  // namespace thalweg::formats
