#pragma once

#include <string>
#include <string_view>

#include "thalweg/types/data_type.h"

namespace thalweg::formats::avro {

/// Avro's decimals: the unscaled number as big-endian two's complement bytes.
inline Int128 decimal_from_bytes(std::string_view bytes) {
  auto value = static_cast<unsigned __int128>(
      bytes.empty() || static_cast<signed char>(bytes[0]) >= 0 ? 0 : -1);
  for (const char byte : bytes) {
    value = value << 8U | static_cast<unsigned char>(byte);
  }
  return static_cast<Int128>(value);
}

/// The fewest bytes that hold `value`, as Java's BigInteger.toByteArray.
inline std::string bytes_from_decimal(Int128 value) {
  std::string reversed;
  while (true) {
    reversed += static_cast<char>(value);
    const bool negative = static_cast<signed char>(reversed.back()) < 0;
    value >>= 8;
    if (value == (negative ? -1 : 0)) {
      break;
    }
  }
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace thalweg::formats::avro
