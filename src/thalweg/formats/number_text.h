#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "thalweg/types/data_type.h"

/// Numbers and bytes as Java reads and prints them in the text formats.
namespace thalweg::formats {

/// String.trim: everything up to the space is cut off at both ends.
std::string_view trim_java(std::string_view text);

/// Integer.parseInt and its kin: a sign and digits, nothing else.
std::optional<int64_t> parse_java_integer(std::string_view text,
                                          int64_t least = std::numeric_limits<int64_t>::min(),
                                          int64_t most = std::numeric_limits<int64_t>::max());

/// Float.parseFloat.
std::optional<float> parse_java_float(std::string_view text);

/// A number without exponent and of few digits, which nearly all are: they fit a double exactly,
/// and dividing them by an exact power of ten rounds right. False for all else.
bool parse_plain_double(std::string_view token, double& value);

/// What a text is as DECIMAL(p, s).
struct ParsedDecimal {
  /// False: no number at all.
  bool is_number = false;
  /// Rounded half up; absent when it needs more than p digits (Flink makes that NULL).
  std::optional<Int128> value;
};

/// new BigDecimal(text), then DecimalData.fromBigDecimal.
ParsedDecimal parse_java_decimal(std::string_view text, int32_t precision, int32_t scale);

/// BigDecimal.toString after stripTrailingZeros: "12.5", "1E-7", "1E+2".
void append_stripped_decimal(std::string& out, Int128 unscaled, int32_t scale);

/// Without exponent and without trailing zeros: "0.0000001", "100".
void append_stripped_plain_decimal(std::string& out, Int128 unscaled, int32_t scale);

void append_base64(std::string& out, std::string_view bytes);

/// Spaces are skipped; false when the text is not padded base 64.
bool append_base64_decoded(std::string& out, std::string_view text);

}  // namespace thalweg::formats
