#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "thalweg/types/data_type.h"
#include "thalweg/types/string_view.h"

namespace thalweg {

class Column;

/// Published columns are immutable and shared; a column is filled by one owner before that.
using ColumnPtr = std::shared_ptr<const Column>;
using MutableColumnPtr = std::shared_ptr<Column>;

/// What the owner of opaque objects (the Python binding) does with them. Called from task threads;
/// the implementation takes whatever lock its objects need.
class OpaqueOperations {
 public:
  virtual ~OpaqueOperations() = default;
  virtual void retain(void* handle) const = 0;
  virtual void release(std::span<void* const> handles) const = 0;
  /// A canonical text of bytes: equal objects give equal bytes, in every process and run.
  virtual std::string encode(void* handle) const = 0;
  /// Makes an object from what `serialize` gave.
  virtual void* decode(std::string_view bytes) const = 0;
  /// Bytes from which `decode` makes an equal object (for state and other processes).
  virtual std::string serialize(void* handle) const = 0;
  virtual std::string print(void* handle) const = 0;
};

/// One column of a batch in Arrow's layout: validity bits, a data buffer by PhysicalKind, children.
///
/// Differences from Arrow, undone at the edge: booleans take a byte, string views hold pointers. A
/// *constant* column stores one value and stands for `size` equal rows. Values under a NULL are
/// undefined but initialised. A list's offsets have size + 1 entries from 0.
class Column {
 public:
  /// A flat column of `size` rows, all valid, data zeroed; fill it through the mutable accessors.
  static MutableColumnPtr make(DataType type, int32_t size);
  /// As `make`, but what the values are is undefined until the caller writes every one.
  static MutableColumnPtr make_unfilled(DataType type, int32_t size);
  /// A column that repeats its one stored value `size` times.
  static MutableColumnPtr make_constant(DataType type, int32_t size);
  static ColumnPtr make_null(DataType type, int32_t size);
  /// Lists and maps: `offsets` has size + 1 entries; children are flat.
  static MutableColumnPtr make_list(DataType type,
                                    std::vector<int32_t> offsets,
                                    std::vector<ColumnPtr> children);
  static MutableColumnPtr make_struct(DataType type, int32_t size, std::vector<ColumnPtr> children);

  ~Column();
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;

  const DataType& type() const { return type_; }

  int32_t size() const { return size_; }

  bool is_constant() const { return constant_; }

  /// Rows that are stored: 1 for a constant.
  int32_t stored_size() const { return constant_ ? (size_ > 0 ? 1 : 0) : size_; }

  bool may_have_nulls() const { return !validity_.empty(); }

  bool is_null(int32_t row) const {
    const auto index = static_cast<uint32_t>(constant_ ? 0 : row);
    return !validity_.empty() && ((validity_[index >> 6U] >> (index & 63U)) & 1U) == 0;
  }

  /// A bit for each stored row, 1 where valid; empty when all are.
  std::span<const uint64_t> validity() const { return validity_; }

  /// The stored values as T, which must be the type's physical type (bool is uint8_t).
  template <typename T>
  std::span<const T> values() const {
    return {reinterpret_cast<const T*>(data_.get()), static_cast<size_t>(stored_size())};
  }

  /// One value, constant or not. Undefined under NULL.
  template <typename T>
  const T& at(int32_t row) const {
    return reinterpret_cast<const T*>(data_.get())[constant_ ? 0 : row];
  }

  std::string_view string_at(int32_t row) const { return at<StringView>(row).view(); }

  size_t child_count() const { return children_.size(); }

  const ColumnPtr& child(size_t index) const { return children_[index]; }

  /// First and one-past-last row in the children of a list or map.
  int32_t list_begin(int32_t row) const { return at<int32_t>(row); }

  int32_t list_end(int32_t row) const {
    return reinterpret_cast<const int32_t*>(data_.get())[(constant_ ? 0 : row) + 1];
  }

  // Filling, before the column is published.
  template <typename T>
  std::span<T> mutable_values() {
    return {reinterpret_cast<T*>(data_.get()), static_cast<size_t>(stored_size())};
  }

  void set_null(int32_t row) {
    ensure_validity();
    const auto index = static_cast<uint32_t>(row);
    validity_[index >> 6U] &= ~(uint64_t{1} << (index & 63U));
  }

  /// The bits for all stored rows, created all-valid when missing.
  std::span<uint64_t> mutable_validity() {
    ensure_validity();
    return validity_;
  }

  /// Takes over the nulls of `other` (same size), adding to those set here.
  void add_nulls_of(const Column& other);
  /// The heap for strings that this column makes itself.
  StringHeap& heap();
  /// Keeps alive the heaps behind views copied from `other`, and the owner of its opaque objects.
  void share_storage(const Column& other);

  void keep_alive(std::shared_ptr<const void> owner) { owners_.push_back(std::move(owner)); }

  void set_opaque_operations(std::shared_ptr<const OpaqueOperations> operations);

  /// For opaque columns whose handles were copied from `owner` without being retained: keeps it.
  void borrow_handles(std::shared_ptr<const Column> owner);

  const std::shared_ptr<const OpaqueOperations>& opaque_operations() const { return opaque_; }

  /// The same data under another type of the same physical kind.
  ColumnPtr with_type(DataType type) const;

  /// Bytes held by this column's own buffers, shared heaps not counted.
  int64_t byte_size() const;

 private:
  Column(DataType type, int32_t size, bool constant, bool zeroed = true);
  void ensure_validity();

  DataType type_;
  int32_t size_;
  bool constant_;
  std::vector<uint64_t> validity_;
  std::shared_ptr<std::byte[]> data_;
  size_t data_bytes_ = 0;
  std::vector<ColumnPtr> children_;
  StringHeap* own_heap_ = nullptr;
  std::vector<std::shared_ptr<const void>> owners_;
  std::shared_ptr<const OpaqueOperations> opaque_;
  bool owns_handles_ = false;
};

/// Bytes of one stored value in a data buffer: 0 for structs.
size_t width_of(PhysicalKind kind);

}  // namespace thalweg
