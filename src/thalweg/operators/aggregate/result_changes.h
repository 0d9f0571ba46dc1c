#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thalweg/types/batch.h"

namespace thalweg::operators {

/// The changelog rows that come out of aggregate results before and after some rows. Rows are added
/// in order, then built at once, a column at a time. Owned by its operator.
class ResultChanges {
 public:
  void clear();

  /// A row with the key of row `key_row` and the results of row `result`, before or after it.
  void add(RowKind kind, int32_t key_row, int32_t result, bool is_before);

  int32_t size() const { return static_cast<int32_t>(kinds_.size()); }

  Batch build(std::span<const ColumnPtr> keys,
              std::span<const ColumnPtr> before,
              std::span<const ColumnPtr> after) const;

 private:
  ColumnPtr pick(const ColumnPtr& before, const ColumnPtr& after) const;

  std::vector<RowKind> kinds_;
  std::vector<int32_t> key_rows_;
  /// Row of `after`, or -1 - row of `before`.
  std::vector<int32_t> results_;
  bool uses_before_ = false;
};

/// Sets `changed[i]` where any column differs between `before` and `after`.
void mark_changes(std::span<const ColumnPtr> before,
                  std::span<const ColumnPtr> after,
                  std::span<uint8_t> changed);

}  // namespace thalweg::operators
