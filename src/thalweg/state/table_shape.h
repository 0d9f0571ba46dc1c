#pragma once

#include <cstddef>
#include <vector>

#include "thalweg/stream/state.h"

namespace thalweg::state {

/// How a field is kept in a record.
enum class FieldStorage : uint8_t {
  /// The physical value.
  kPlain,
  /// A StringView of text or bytes.
  kText,
  /// A StringView of what encode_value wrote.
  kEncoded,
  /// An opaque object: as kEncoded, but equality looks at its canonical part only.
  kEncodedOpaque,
  /// A pointer to an ObjectBox.
  kObject,
};

struct FieldShape {
  FieldStorage storage = FieldStorage::kPlain;
  PhysicalKind physical = PhysicalKind::kInt64;
  size_t width = 0;
  /// From the start of the slot's record.
  size_t offset = 0;
  bool nullable = false;
};

/// Where everything lies in a slot: the operator's value record, the key, the namespace, the time
/// of the last write. Immutable.
class TableShape {
 public:
  explicit TableShape(const stream::StateSpec& spec);

  const stream::RecordLayout& value_layout() const { return value_; }

  size_t stride() const { return stride_; }

  const std::vector<FieldShape>& keys() const { return keys_; }

  const std::vector<FieldShape>& values() const { return values_; }

  bool has_namespace() const { return has_namespace_; }

  bool has_ttl() const { return has_ttl_; }

  /// True when a record owns strings or objects that must be freed with it.
  bool owns_memory() const { return owns_memory_; }

  bool key_is_null(const std::byte* record, size_t key) const {
    return key_.is_null(record + key_offset_, key);
  }

  void set_key_null(std::byte* record, size_t key) const {
    key_.set_null(record + key_offset_, key, true);
  }

  size_t key_offset() const { return key_offset_; }

  int64_t name_space(const std::byte* record) const { return read(record + namespace_offset_); }

  void set_name_space(std::byte* record, int64_t value) const {
    std::memcpy(record + namespace_offset_, &value, sizeof(value));
  }

  int64_t last_write(const std::byte* record) const { return read(record + ttl_offset_); }

  void set_last_write(std::byte* record, int64_t value) const {
    std::memcpy(record + ttl_offset_, &value, sizeof(value));
  }

 private:
  static int64_t read(const std::byte* place) {
    int64_t value = 0;
    std::memcpy(&value, place, sizeof(value));
    return value;
  }

  stream::RecordLayout value_;
  stream::RecordLayout key_;
  std::vector<FieldShape> keys_;
  std::vector<FieldShape> values_;
  bool has_namespace_;
  bool has_ttl_;
  bool owns_memory_ = false;
  size_t key_offset_ = 0;
  size_t namespace_offset_ = 0;
  size_t ttl_offset_ = 0;
  size_t stride_ = 0;
};

}  // namespace thalweg::state
