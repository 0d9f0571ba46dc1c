#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "thalweg/stream/state.h"
#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// Rows kept in state in the order they came, with their kinds. Owned by its record.
class RowLog final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  void append(std::span<const ColumnPtr> columns, int32_t row, RowKind row_kind);

  void append_all(const RowLog& other) { bytes_ += other.bytes_; }

  /// Appends all rows to `builders` and their kinds to `kinds`; returns their number.
  int32_t read(std::span<ColumnBuilder> builders, std::vector<RowKind>& kinds) const;

  void clear() { bytes_.clear(); }

  bool is_empty() const { return bytes_.empty(); }

  std::unique_ptr<stream::StateObject> clone() const override;
  void serialize(std::string& bytes) const override;
  int64_t byte_size() const override;
  Value inspect() const override;

 private:
  /// For each row: its kind (a byte), the size of the rest (32 bits), the values.
  std::string bytes_;
};

}  // namespace thalweg::operators
