#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace thalweg::formats::avro {

/// Why a record can't be decoded. Thrown while one record is read and caught there; bad records are
/// rare.
struct AvroFault {
  std::string what;
};

/// Reads Avro's binary encoding from the front of a record.
class AvroInput {
 public:
  explicit AvroInput(std::string_view bytes)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool at_end() const { return next_ == end_; }

  /// Zig-zag variable-length integer: int and long alike.
  int64_t read_long() {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
      if (next_ == end_) {
        cut_short();
      }
      const auto byte = static_cast<uint8_t>(*next_++);
      value |= static_cast<uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) {
        return static_cast<int64_t>(value >> 1U) ^ -static_cast<int64_t>(value & 1U);
      }
    }
    throw AvroFault{"a number is longer than 64 bits"};
  }

  bool read_boolean() { return *take(1).data() != 0; }

  template <typename T>
  T read_fixed_width() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  /// Bytes or string: a length, then as many bytes.
  std::string_view read_bytes() {
    const int64_t size = read_long();
    if (size < 0) {
      throw AvroFault{"a length is negative"};
    }
    return take(static_cast<uint64_t>(size));
  }

  std::string_view take(uint64_t size) {
    if (size > static_cast<uint64_t>(end_ - next_)) {
      cut_short();
    }
    const std::string_view result(next_, size);
    next_ += size;
    return result;
  }

  /// Calls `element` for each element of an array or map.
  template <typename Element>
  void read_blocks(Element&& element) {
    for (int64_t count = read_long(); count != 0; count = read_long()) {
      if (count < 0) {
        read_long();  // the block's size in bytes
        count = -count;
      }
      // An element may take no bytes (null), so a damaged count could mean an endless loop.
      if (count > end_ - next_ + 1'000'000) {
        throw AvroFault{"a block claims more elements than the record can hold"};
      }
      for (; count > 0; --count) {
        element();
      }
    }
  }

 private:
  [[noreturn]] static void cut_short() { throw AvroFault{"it ends too early"}; }

  const char* next_;
  const char* end_;
};

}  // namespace thalweg::formats::avro
