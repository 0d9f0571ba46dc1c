#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "thalweg/types/column.h"
#include "thalweg/types/value.h"

namespace thalweg {

class Batch;

/// Appends values of one type and yields a flat column. Used by decoders, state reads and operators
/// that make rows. One owner, one thread. `finish` leaves the builder empty and ready for the next
/// batch.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(DataType type);
  ~ColumnBuilder();
  ColumnBuilder(ColumnBuilder&&) noexcept;
  ColumnBuilder& operator=(ColumnBuilder&&) noexcept;

  const DataType& type() const { return type_; }

  int32_t size() const { return size_; }

  void append_null();

  /// T is the type's physical type; bool columns take uint8_t.
  template <typename T>
  void append(T value) {
    ensure_room();
    reinterpret_cast<T*>(data_.data())[size_++] = value;
  }

  /// Copies the bytes.
  void append_string(std::string_view text) { append(heap().add(text)); }

  /// Keeps the view: its bytes live inline, in this builder's heap, or in an owner given to
  /// `keep_alive`.
  void append_view(StringView view) { append(view); }

  /// A value of another column of the same type; strings are copied.
  void append_from(const Column& column, int32_t row);
  void append_value(const Value& value);

  /// Nested types: append to the children first, then close the element.
  ColumnBuilder& child(size_t index) { return children_[index]; }

  size_t child_count() const { return children_.size(); }

  /// A list or map that ends at the children's present end; it began where the last one ended.
  void append_list() { append(children_[0].size()); }

  /// A row made of the one value that each child got.
  void append_struct();

  /// Takes back the last `count` values (of a row that failed half-way).
  void truncate(int32_t size);

  StringHeap& heap();
  void keep_alive(std::shared_ptr<const void> owner);

  void set_opaque_operations(std::shared_ptr<const OpaqueOperations> operations) {
    opaque_ = std::move(operations);
  }

  ColumnPtr finish();

 private:
  void ensure_room() {
    if (size_ == capacity_) {
      grow();
    }
  }

  void grow();

  DataType type_;
  PhysicalKind physical_;
  size_t width_;
  int32_t size_ = 0;
  int32_t capacity_ = 0;
  std::vector<std::byte> data_;
  std::vector<int32_t> null_rows_;
  std::vector<ColumnBuilder> children_;
  std::shared_ptr<StringHeap> heap_;
  std::vector<std::shared_ptr<const void>> owners_;
  std::shared_ptr<const OpaqueOperations> opaque_;
};

/// One builder for each column of a schema.
std::vector<ColumnBuilder> make_builders(const Schema& schema);

/// Finishes all builders into a batch of `rows` rows.
Batch finish_batch(std::vector<ColumnBuilder>& builders);

}  // namespace thalweg
