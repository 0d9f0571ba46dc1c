#include "thalweg/operators/over/frame_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/common/check.h"
#include "thalweg/types/decimal.h"

namespace thalweg::operators {

using expression::OverBound;
using expression::OverBoundKind;
using expression::OverFrame;

namespace {

constexpr int64_t kMillisecondsPerDay = 86'400'000;
constexpr int64_t kNanosecondsPerMillisecond = 1'000'000;

struct Range {
  int32_t begin = 0;
  int32_t end = 0;
};

bool has_offset(const OverBound& bound) {
  return bound.kind == OverBoundKind::kPreceding || bound.kind == OverBoundKind::kFollowing;
}

/// ROWS: the row that is the bound's distance away, within the partition.
int32_t row_at(const OverBound& bound, int32_t row, const Range& partition) {
  switch (bound.kind) {
    case OverBoundKind::kUnboundedPreceding:
      return partition.begin;
    case OverBoundKind::kUnboundedFollowing:
      return partition.end;
    case OverBoundKind::kCurrentRow:
      return row;
    case OverBoundKind::kPreceding:
    case OverBoundKind::kFollowing: {
      // No frame reaches over more rows than there are.
      const auto rows =
          std::min<int64_t>(std::get<int64_t>(bound.offset.data), partition.end - partition.begin);
      return row + static_cast<int32_t>(bound.kind == OverBoundKind::kPreceding ? -rows : rows);
    }
  }
  unreachable("over bound");
}

void find_row_bounds(const OverFrame& frame, const Range& partition, FrameBounds& bounds) {
  for (int32_t row = partition.begin; row < partition.end; ++row) {
    const auto i = static_cast<size_t>(row);
    bounds.begins[i] =
        std::clamp(row_at(frame.lower, row, partition), partition.begin, partition.end);
    const int32_t last = row_at(frame.upper, row, partition);
    bounds.ends[i] = std::clamp(last + 1, partition.begin, partition.end);
  }
}

/// The values of the order's column so that smaller ones come first, and offsets as their
/// differences.
template <typename T>
struct OrderValues {
  std::vector<T> values;
  std::vector<uint8_t> is_null;
  /// Where the bound lies seen from the row; undefined without an offset.
  T lower{};
  T upper{};
};

template <typename T>
T difference(T left, T right) {
  // Also of two infinities.
  return left == right ? T{0} : left - right;
}

/// The first of `rows` (no NULLs) that is at least `distance` behind `value`, or more than that.
template <typename T>
int32_t advance(const OrderValues<T>& order, Range& rows, T value, T distance, bool beyond) {
  while (rows.begin < rows.end) {
    const T found = difference(order.values[static_cast<size_t>(rows.begin)], value);
    if (beyond ? found > distance : found >= distance) {
      break;
    }
    ++rows.begin;
  }
  return rows.begin;
}

Range peers_of(const SortedPartitions& partitions, int32_t row, const Range& partition) {
  Range peers{row, row + 1};
  while (peers.end < partition.end &&
         partitions.starts_peers[static_cast<size_t>(peers.end)] == 0) {
    ++peers.end;
  }
  return peers;
}

template <typename T>
class RangeBounds {
 public:
  RangeBounds(const OverFrame& frame, const SortedPartitions& partitions, OrderValues<T> order)
      : frame_(frame), partitions_(partitions), order_(std::move(order)) {}

  void find(const Range& partition, FrameBounds& bounds) {
    partition_ = partition;
    Range values = partition;
    if (has_offset(frame_.lower) || has_offset(frame_.upper)) {
      while (values.begin < values.end && is_null(values.begin)) {
        ++values.begin;
      }
      while (values.end > values.begin && is_null(values.end - 1)) {
        --values.end;
      }
    }
    lower_rows_ = values;
    upper_rows_ = values;
    for (int32_t row = partition.begin; row < partition.end;) {
      const Range peers = peers_of(partitions_, row, partition);
      const int32_t begin = begin_of(peers);
      const int32_t end = end_of(peers);
      for (; row < peers.end; ++row) {
        bounds.begins[static_cast<size_t>(row)] = begin;
        bounds.ends[static_cast<size_t>(row)] = end;
      }
    }
  }

 private:
  bool is_null(int32_t row) const { return order_.is_null[static_cast<size_t>(row)] != 0; }

  int32_t begin_of(const Range& peers) {
    switch (frame_.lower.kind) {
      case OverBoundKind::kUnboundedPreceding:
        return partition_.begin;
      case OverBoundKind::kUnboundedFollowing:
        return partition_.end;
      case OverBoundKind::kCurrentRow:
        return peers.begin;
      case OverBoundKind::kPreceding:
      case OverBoundKind::kFollowing:
        if (is_null(peers.begin)) {
          return order_.lower <= T{0} ? peers.begin : partition_.end;
        }
        advance(order_, lower_rows_, value_of(peers), order_.lower, false);
        return lower_rows_.begin < lower_rows_.end ? lower_rows_.begin : partition_.end;
    }
    unreachable("over bound");
  }

  int32_t end_of(const Range& peers) {
    switch (frame_.upper.kind) {
      case OverBoundKind::kUnboundedPreceding:
        return partition_.begin;
      case OverBoundKind::kUnboundedFollowing:
        return partition_.end;
      case OverBoundKind::kCurrentRow:
        return peers.end;
      case OverBoundKind::kPreceding:
      case OverBoundKind::kFollowing:
        if (is_null(peers.begin)) {
          return order_.upper >= T{0} ? peers.end : peers.begin;
        }
        return advance(order_, upper_rows_, value_of(peers), order_.upper, true);
    }
    unreachable("over bound");
  }

  T value_of(const Range& peers) const { return order_.values[static_cast<size_t>(peers.begin)]; }

  const OverFrame& frame_;
  const SortedPartitions& partitions_;
  OrderValues<T> order_;
  Range partition_;
  /// What is left of the partition's values for the bounds of the rows to come.
  Range lower_rows_;
  Range upper_rows_;
};

double as_double(const Value& offset) {
  if (const auto* whole = std::get_if<int64_t>(&offset.data)) {
    return static_cast<double>(*whole);
  }
  return std::get<double>(offset.data);
}

/// An offset in the unit of the column's physical values.
Int128 as_exact(const Value& offset, const DataType& type) {
  const auto* unscaled = std::get_if<Int128>(&offset.data);
  if (unscaled != nullptr) {
    return *unscaled;
  }
  const Int128 whole = std::get<int64_t>(offset.data);
  if (type.kind() == TypeKind::kDecimal) {
    return whole * power_of_ten(type.scale());
  }
  if (type.kind() == TypeKind::kDate) {
    return whole / kMillisecondsPerDay;
  }
  if (type.is_timestamp() && type.physical() == PhysicalKind::kInt128) {
    return whole * kNanosecondsPerMillisecond;
  }
  return whole;
}

Int128 exact_at(const Column& column, int32_t row) {
  switch (column.type().physical()) {
    case PhysicalKind::kInt8:
      return column.at<int8_t>(row);
    case PhysicalKind::kInt16:
      return column.at<int16_t>(row);
    case PhysicalKind::kInt32:
      return column.at<int32_t>(row);
    case PhysicalKind::kInt64:
      return column.at<int64_t>(row);
    case PhysicalKind::kInt128:
      return column.at<Int128>(row);
    default:
      unreachable("RANGE with an offset over a column that has no distances");
  }
}

/// NaN is beyond every number, as it is sorted.
double approximate_at(const Column& column, int32_t row) {
  const double value = column.type().physical() == PhysicalKind::kFloat
                           ? double{column.at<float>(row)}
                           : column.at<double>(row);
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

template <typename T, typename At, typename Offset>
OrderValues<T> order_values(
    const OverFrame& frame, const Column& column, bool ascending, At at, Offset offset) {
  OrderValues<T> order;
  for (int32_t row = 0; row < column.size(); ++row) {
    order.is_null.push_back(static_cast<uint8_t>(column.is_null(row)));
    const T value = column.is_null(row) ? T{0} : at(column, row);
    order.values.push_back(ascending ? value : -value);
  }
  const auto distance = [&offset](const OverBound& bound) {
    return bound.kind == OverBoundKind::kPreceding ? -offset(bound.offset) : offset(bound.offset);
  };
  if (has_offset(frame.lower)) {
    order.lower = distance(frame.lower);
  }
  if (has_offset(frame.upper)) {
    order.upper = distance(frame.upper);
  }
  return order;
}

}  // namespace

bool has_empty_frame(const FrameBounds& bounds) {
  return !std::ranges::equal(bounds.begins, bounds.ends, std::ranges::less());
}

FrameBounds find_frame_bounds(const OverFrame& frame,
                              const SortedPartitions& partitions,
                              const Column* order,
                              const SortKey& key) {
  FrameBounds bounds;
  bounds.begins.resize(static_cast<size_t>(partitions.rows()));
  bounds.ends.resize(bounds.begins.size());
  const auto find_all = [&](auto find) {
    for (size_t i = 0; i < partitions.size(); ++i) {
      find(Range{partitions.begins[i], partitions.begins[i + 1]});
    }
  };
  if (frame.is_rows) {
    find_all([&](const Range& partition) { find_row_bounds(frame, partition, bounds); });
    return bounds;
  }
  const auto find_ranges = [&](auto values) {
    RangeBounds ranges(frame, partitions, std::move(values));
    find_all([&](const Range& partition) { ranges.find(partition, bounds); });
  };
  if (!has_offset(frame.lower) && !has_offset(frame.upper)) {
    find_ranges(OrderValues<double>{});
  } else if (order->type().is_approximate()) {
    find_ranges(order_values<double>(frame, *order, key.ascending, approximate_at, as_double));
  } else {
    find_ranges(
        order_values<Int128>(frame, *order, key.ascending, exact_at, [order](const Value& offset) {
          return as_exact(offset, order->type());
        }));
  }
  return bounds;
}

}  // namespace thalweg::operators
