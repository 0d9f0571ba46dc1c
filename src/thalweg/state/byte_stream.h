#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "thalweg/common/error.h"

namespace thalweg::state {

/// Appends numbers (little-endian) and texts to a string of bytes.
class ByteWriter {
 public:
  explicit ByteWriter(std::string& bytes) : bytes_(bytes) {}

  template <typename T>
  void put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    bytes_.append(raw, sizeof(T));
  }

  void put_varint(uint64_t value) {
    while (value >= 0x80) {
      bytes_.push_back(static_cast<char>(value | 0x80));
      value >>= 7U;
    }
    bytes_.push_back(static_cast<char>(value));
  }

  void put_raw(const void* data, size_t size) {
    bytes_.append(static_cast<const char*>(data), size);
  }

  void put_text(std::string_view text) {
    put_varint(text.size());
    bytes_.append(text);
  }

  size_t size() const { return bytes_.size(); }

 private:
  std::string& bytes_;
};

/// Reads what a ByteWriter wrote; throws kRestoreFailed at a premature end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }

  uint64_t get_varint() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      const auto byte = get<uint8_t>();
      value |= uint64_t{byte & 0x7FU} << shift;
      if ((byte & 0x80U) == 0) {
        return value;
      }
    }
    fail();
  }

  std::string_view get_text() {
    const uint64_t size = get_varint();
    return {take(size), size};
  }

  const char* take(uint64_t size) {
    if (size > rest_.size()) {
      fail();
    }
    const char* data = rest_.data();
    rest_.remove_prefix(size);
    return data;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  [[noreturn]] static void fail() {
    throw Error(ErrorCode::kRestoreFailed, "A checkpoint file ends in the middle of an entry.");
  }

  std::string_view rest_;
};

}  // namespace thalweg::state
