#pragma once

#include <cstdint>

#include "thalweg/types/value.h"

namespace thalweg::expression {

enum class OverBoundKind : uint8_t {
  kUnboundedPreceding,
  kPreceding,
  kCurrentRow,
  kFollowing,
  kUnboundedFollowing,
};

/// An end of a frame.
struct OverBound {
  OverBoundKind kind = OverBoundKind::kCurrentRow;
  /// For kPreceding and kFollowing: a number of rows (BIGINT), or a distance in the order's column:
  /// an interval's milliseconds, a number.
  Value offset = {};

  bool operator==(const OverBound&) const = default;
};

/// The rows around a row that a call of OVER sees: ROWS or RANGE BETWEEN lower AND upper, both ends
/// included.
struct OverFrame {
  bool is_rows = false;
  OverBound lower = {.kind = OverBoundKind::kUnboundedPreceding};
  OverBound upper = {};

  bool operator==(const OverFrame&) const = default;
};

}  // namespace thalweg::expression
