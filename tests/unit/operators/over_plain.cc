#include "over_plain.h"

#include <algorithm>
#include <set>

namespace thalweg::operators {

using expression::OverBound;
using expression::OverBoundKind;
using expression::OverFrame;

namespace {

/// Where the bound lies seen from the current row: rows, or distance in the order.
int64_t distance_of(const OverBound& bound) {
  switch (bound.kind) {
    case OverBoundKind::kPreceding:
      return -std::get<int64_t>(bound.offset.data);
    case OverBoundKind::kFollowing:
      return std::get<int64_t>(bound.offset.data);
    default:
      return 0;
  }
}

/// The rows of one partition, and which of them are in the frame of one.
class PlainFrame {
 public:
  PlainFrame(const std::vector<PlainRow>& rows, const OverFrame& frame, const SortKey& key)
      : rows_(rows), frame_(frame), key_(key) {}

  bool has(size_t row, size_t current) const {
    return rows_[row].partition == rows_[current].partition && is_after_lower(row, current) &&
           is_before_upper(row, current);
  }

 private:
  /// Rows or distance in the order from one row to another; nullopt where one is NULL.
  std::optional<int64_t> step(size_t from, size_t to) const {
    if (frame_.is_rows) {
      return static_cast<int64_t>(to) - static_cast<int64_t>(from);
    }
    const auto& left = rows_[from].order;
    const auto& right = rows_[to].order;
    if (left.has_value() != right.has_value()) {
      return std::nullopt;
    }
    return (right.value_or(0) - left.value_or(0)) * (key_.ascending ? 1 : -1);
  }

  /// The first row that is not before the bound, and all behind it; none is behind a bound that no
  /// row reaches.
  bool is_after_lower(size_t row, size_t current) const {
    if (frame_.lower.kind == OverBoundKind::kUnboundedPreceding) {
      return true;
    }
    for (size_t other = 0; other <= row; ++other) {
      const auto there = step(current, other);
      if (rows_[other].partition == rows_[current].partition && there.has_value() &&
          *there >= distance_of(frame_.lower)) {
        return true;
      }
    }
    return false;
  }

  /// The last row that is not behind the bound, and all before it.
  bool is_before_upper(size_t row, size_t current) const {
    if (frame_.upper.kind == OverBoundKind::kUnboundedFollowing) {
      return true;
    }
    for (size_t other = row; other < rows_.size(); ++other) {
      const auto there = step(current, other);
      if (rows_[other].partition == rows_[current].partition && there.has_value() &&
          *there <= distance_of(frame_.upper)) {
        return true;
      }
    }
    // What stands on the other side of all that the bound is compared with.
    return !step(current, row).has_value() && row < current;
  }

  const std::vector<PlainRow>& rows_;
  const OverFrame& frame_;
  const SortKey& key_;
};

std::string shown(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "NULL";
}

std::string results_of(const std::vector<std::optional<int64_t>>& values) {
  std::optional<int64_t> sum;
  std::optional<int64_t> least;
  std::optional<int64_t> filtered;
  std::optional<int64_t> last;
  std::set<int64_t> distinct;
  for (const auto& value : values) {
    if (!value) {
      continue;
    }
    sum = sum.value_or(0) + *value;
    least = std::min(least.value_or(*value), *value);
    if (*value > 3) {
      filtered = filtered.value_or(0) + *value;
    }
    distinct.insert(*value);
    last = value;
  }
  return fmt::format("{}, {}, {}, {}, {}, {}",
                     values.size(),
                     shown(sum),
                     shown(least),
                     distinct.size(),
                     shown(filtered),
                     shown(last));
}

}  // namespace

std::vector<std::string> plain_over(const std::vector<PlainRow>& rows,
                                    const OverFrame& frame,
                                    const SortKey& key) {
  const PlainFrame plain(rows, frame, key);
  std::vector<std::string> results;
  for (size_t current = 0; current < rows.size(); ++current) {
    std::vector<std::optional<int64_t>> values;
    for (size_t row = 0; row < rows.size(); ++row) {
      if (plain.has(row, current)) {
        values.push_back(rows[row].value);
      }
    }
    results.push_back(results_of(values));
  }
  return results;
}

}  // namespace thalweg::operators
