#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thalweg/common/error.h"
#include "thalweg/types/batch.h"

namespace thalweg::expression {

/// The error column of an evaluation: rows that failed and why. Sparse, since rows hardly ever
/// fail. Only the first failing row of a batch ends a job, but conditional forms and TRY_CAST look
/// at all.
class RowErrors {
 public:
  bool empty() const { return failures_.empty(); }

  void add(int32_t row, Error error) { failures_.push_back({row, std::move(error)}); }

  const std::vector<RowFailure>& failures() const { return failures_; }

  /// The failure of the lowest row.
  std::optional<RowFailure> first() const;
  /// Adds failures found on a selection of rows: their row r is `rows[r]` here.
  void add_selected(const RowErrors& inner, std::span<const int32_t> rows);

  void clear() { failures_.clear(); }

 private:
  std::vector<RowFailure> failures_;
};

}  // namespace thalweg::expression
