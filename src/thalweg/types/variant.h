#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "thalweg/types/data_type.h"

/// Values of VARIANT, in the binary encoding that Flink shares with Parquet: a metadata part (a
/// version and the dictionary of field names), then a value part. Here both lie in one run of
/// bytes; the metadata tell their own length.
namespace thalweg::variant {

enum class Kind : uint8_t {
  kObject,
  kArray,
  kNull,
  kBoolean,
  kTinyInt,
  kSmallInt,
  kInt,
  kBigInt,
  kFloat,
  kDouble,
  kDecimal,
  kString,
  kDate,
  kTimestamp,
  kTimestampLtz,
  kBytes,
};

/// The order of Java's strings (UTF-16 units), in which objects keep their fields.
bool comes_before(std::string_view left, std::string_view right);

/// A variant, or one inside another, read in place. Borrows the bytes. Throws kBadRecord where they
/// are no variant; never reads outside of them.
class View {
 public:
  explicit View(std::string_view bytes);

  Kind kind() const;

  /// The fields of an object or the elements of an array.
  uint32_t size() const;
  /// Elements count from 0; nullopt behind the last.
  std::optional<View> element(int64_t index) const;
  /// nullopt when there is none of this name.
  std::optional<View> field(std::string_view name) const;

  /// As Flink prints it: JSON without spaces, fields in the order of their names.
  void append_json(std::string& out) const;
  /// A variant of its own: all of the metadata, and this value.
  void append_to(std::string& out) const;

 private:
  class JsonWriter;

  /// Where the parts of an object or array lie in the value part.
  struct Container {
    uint32_t size = 0;
    uint32_t id_bytes = 0;
    uint32_t offset_bytes = 0;
    uint64_t ids = 0;
    uint64_t offsets = 0;
    uint64_t data = 0;
  };

  View(std::string_view metadata, std::string_view value, uint64_t at)
      : metadata_(metadata), value_(value), at_(at) {}

  uint32_t header() const;
  Container container() const;
  View child(const Container& container, uint32_t index) const;
  std::string_view name(const Container& container, uint32_t index) const;
  std::string_view dictionary_entry(uint32_t id) const;
  uint64_t byte_count() const;
  /// The bytes of a string or binary value.
  std::string_view bytes() const;
  int64_t integer() const;

  std::string_view metadata_;
  std::string_view value_;
  uint64_t at_ = 0;
};

}  // namespace thalweg::variant
