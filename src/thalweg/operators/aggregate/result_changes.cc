#include "thalweg/operators/aggregate/result_changes.h"

#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

void ResultChanges::clear() {
  kinds_.clear();
  key_rows_.clear();
  results_.clear();
  uses_before_ = false;
}

void ResultChanges::add(RowKind kind, int32_t key_row, int32_t result, bool is_before) {
  kinds_.push_back(kind);
  key_rows_.push_back(key_row);
  results_.push_back(is_before ? -1 - result : result);
  uses_before_ = uses_before_ || is_before;
}

ColumnPtr ResultChanges::pick(const ColumnPtr& before, const ColumnPtr& after) const {
  if (!uses_before_) {
    return gather(after, results_);
  }
  const ColumnPtr parts[] = {after, before};
  const ColumnPtr both = concat(parts);
  std::vector<int32_t> rows(results_.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i] = results_[i] >= 0 ? results_[i] : after->size() - 1 - results_[i];
  }
  return gather(both, rows);
}

Batch ResultChanges::build(std::span<const ColumnPtr> keys,
                           std::span<const ColumnPtr> before,
                           std::span<const ColumnPtr> after) const {
  std::vector<ColumnPtr> columns;
  columns.reserve(keys.size() + after.size());
  for (const ColumnPtr& key : keys) {
    columns.push_back(gather(key, key_rows_));
  }
  for (size_t i = 0; i < after.size(); ++i) {
    columns.push_back(pick(before[i], after[i]));
  }
  Batch batch(size(), std::move(columns));
  batch.set_kinds(kinds_);
  return batch;
}

namespace {

/// Integers of 8 bytes without NULLs, by far the most common results.
bool mark_words(const Column& before, const Column& after, std::span<uint8_t> changed) {
  const PhysicalKind kind = after.type().physical();
  if (kind != PhysicalKind::kInt64 || before.may_have_nulls() || after.may_have_nulls() ||
      before.is_constant() || after.is_constant()) {
    return false;
  }
  const int64_t* left = before.values<int64_t>().data();
  const int64_t* right = after.values<int64_t>().data();
  for (size_t i = 0; i < changed.size(); ++i) {
    changed[i] = static_cast<uint8_t>(changed[i] | static_cast<uint8_t>(left[i] != right[i]));
  }
  return true;
}

}  // namespace

void mark_changes(std::span<const ColumnPtr> before,
                  std::span<const ColumnPtr> after,
                  std::span<uint8_t> changed) {
  for (size_t c = 0; c < after.size(); ++c) {
    if (mark_words(*before[c], *after[c], changed)) {
      continue;
    }
    for (size_t i = 0; i < changed.size(); ++i) {
      const auto row = static_cast<int32_t>(i);
      if (changed[i] == 0 && !equal_values(*before[c], row, *after[c], row)) {
        changed[i] = 1;
      }
    }
  }
}

}  // namespace thalweg::operators
