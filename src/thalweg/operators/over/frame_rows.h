#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "thalweg/stream/state.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::operators {

/// The rows of one partition's frame, by ascending time: they are added at the end and taken at the
/// front. Owned by its record.
class FrameRows final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  bool is_empty() const { return size_ == 0; }

  int64_t size() const { return size_; }

  /// Only while it is not empty.
  int64_t first_time() const;

  /// Asks for the first row and the room behind the last.
  void prefetch() const {
    __builtin_prefetch(bytes_.data() + begin_, 1);
    __builtin_prefetch(bytes_.data() + bytes_.size(), 1);
  }

  void add(int64_t time_ms, std::span<const ColumnPtr> columns, int32_t row);
  /// Appends the first row to `builders` and removes it.
  void take_first(std::span<ColumnBuilder> builders);
  /// Appends all rows.
  void read(std::span<ColumnBuilder> builders) const;

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;

  int64_t byte_size() const override {
    return static_cast<int64_t>(sizeof(*this) + bytes_.capacity());
  }

  Value inspect() const override;

 private:
  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes);

  /// For each row: its time, the size of the rest (32 bits), the values.
  std::string bytes_;
  /// What lies before it was taken.
  size_t begin_ = 0;
  int64_t size_ = 0;
};

}  // namespace thalweg::operators
