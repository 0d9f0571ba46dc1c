#include "thalweg/formats/utf8.h"

#include <cstdint>
#include <cstring>

namespace thalweg::formats {

namespace {

/// The length of the ASCII run at the front.
size_t ascii_prefix(std::string_view bytes) {
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    if ((word & 0x8080808080808080ULL) != 0) {
      break;
    }
  }
  while (at < bytes.size() && static_cast<uint8_t>(bytes[at]) < 0x80) {
    ++at;
  }
  return at;
}

/// What the character at the front is: its length, and whether all of it is well-formed. Of a
/// malformed one, `length` bytes are replaced together.
struct Sequence {
  size_t length = 1;
  bool valid = false;
};

Sequence read_sequence(std::string_view bytes) {
  const auto lead = static_cast<uint8_t>(bytes[0]);
  if (lead < 0x80) {
    return {1, true};
  }
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) {
    return {1, false};
  }
  // The second byte is narrower after some leads: no overlong forms, surrogates or values past
  // U+10FFFF.
  const uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (size_t i = 1; i < length; ++i) {
    if (i >= bytes.size()) {
      return {i, false};
    }
    const auto byte = static_cast<uint8_t>(bytes[i]);
    const bool fits = i == 1 ? byte >= least && byte <= most : (byte & 0xC0U) == 0x80;
    if (!fits) {
      return {i, false};
    }
  }
  return {length, true};
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) {
  for (;;) {
    bytes.remove_prefix(ascii_prefix(bytes));
    if (bytes.empty()) {
      return true;
    }
    const Sequence sequence = read_sequence(bytes);
    if (!sequence.valid) {
      return false;
    }
    bytes.remove_prefix(sequence.length);
  }
}

size_t utf16_length(std::string_view text) {
  size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    units += (byte & 0xC0U) != 0x80 ? 1 : 0;
    units += byte >= 0xF0 ? 1 : 0;
  }
  return units;
}

void append_utf8(std::string& out, std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t ascii = ascii_prefix(bytes);
    out.append(bytes.data(), ascii);
    bytes.remove_prefix(ascii);
    if (bytes.empty()) {
      return;
    }
    const Sequence sequence = read_sequence(bytes);
    if (sequence.valid) {
      out.append(bytes.data(), sequence.length);
    } else {
      out += "\xEF\xBF\xBD";
    }
    bytes.remove_prefix(sequence.length);
  }
}

}  // namespace thalweg::formats
