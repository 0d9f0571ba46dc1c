#include "thalweg/functions/scalar/time_floor.h"

#include "thalweg/common/check.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/functions/time/time_unit.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::RowErrors;
using expression::ScalarKernel;

namespace {

template <int64_t kLength>
struct CutTo {
  int64_t operator()(int64_t ms) const { return floor_divide(ms, kLength) * kLength; }
};

/// TIMESTAMP_LTZ is cut by the session's wall clock.
class TimeFloor final : public ScalarKernel {
 public:
  TimeFloor(const Signature& signature, TimeUnit unit, bool up)
      : source_(signature.arguments[0]), result_(signature.result), unit_(unit), up_(up) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors&) override {
    if (source_.kind() == TypeKind::kTimestamp && source_.physical() == PhysicalKind::kInt64) {
      return cut_timestamps(arguments, rows);
    }
    zone_.of(context);
    const Column& column = *arguments[0];
    MutableColumnPtr result = expression::make_strict_result(result_, arguments, rows);
    for (int32_t row = 0; row < result->stored_size(); ++row) {
      if (!result->is_null(row)) {
        store(*result, static_cast<size_t>(row), column, row);
      }
    }
    return result;
  }

 private:
  /// The usual case without a choice for each row.
  ColumnPtr cut_timestamps(std::span<const ColumnPtr> arguments, int32_t rows) const {
    const auto map = [&](auto of_ms) {
      return expression::map_total<int64_t, int64_t>(arguments, rows, result_, of_ms);
    };
    if (up_) {
      return map([unit = unit_](int64_t ms) { return floor_to_unit(unit, ms, true); });
    }
    switch (unit_) {
      case TimeUnit::kSecond:
        return map(CutTo<kMsPerSecond>());
      case TimeUnit::kMinute:
        return map(CutTo<kMsPerMinute>());
      case TimeUnit::kHour:
        return map(CutTo<kMsPerHour>());
      case TimeUnit::kDay:
        return map(CutTo<kMsPerDay>());
      case TimeUnit::kMonth:
        return map([](int64_t ms) {
          const auto day = static_cast<int32_t>(ms / kMsPerDay);
          return (day - civil_from_days(day).day + 1) * kMsPerDay;
        });
      default:
        return map([unit = unit_](int64_t ms) { return floor_to_unit(unit, ms, false); });
    }
  }

  int64_t cut(int64_t ms) {
    if (source_.kind() != TypeKind::kTimestampLtz) {
      return floor_to_unit(unit_, ms, up_);
    }
    const int64_t local = zone_.to_local(ms);
    // Flink goes back by the instant's own offset, even where the clocks were changed since.
    return floor_to_unit(unit_, local, up_) - (local - ms);
  }

  void store(Column& result, size_t at, const Column& column, int32_t row) {
    switch (source_.kind()) {
      case TypeKind::kDate: {
        const int32_t days = column.at<int32_t>(row);
        // As in Flink, a day's CEIL is the day after it.
        result.mutable_values<int32_t>()[at] =
            unit_ == TimeUnit::kDay && up_
                ? days + 1
                : static_cast<int32_t>(cut(days * kMsPerDay) / kMsPerDay);
        return;
      }
      case TypeKind::kTime:
        result.mutable_values<int32_t>()[at] =
            unit_ < TimeUnit::kDay
                ? static_cast<int32_t>(floor_to_unit(unit_, column.at<int32_t>(row), up_))
                : 0;
        return;
      default:
        break;
    }
    if (source_.physical() == PhysicalKind::kInt64) {
      result.mutable_values<int64_t>()[at] = cut(column.at<int64_t>(row));
    } else {
      const auto nanos = column.at<Int128>(row);
      auto ms = static_cast<int64_t>(floor_divide<Int128>(nanos, kNanosPerMs));
      ms += up_ && ms * Int128{kNanosPerMs} != nanos ? 1 : 0;
      result.mutable_values<Int128>()[at] = Int128{cut(ms)} * kNanosPerMs;
    }
  }

  DataType source_;
  DataType result_;
  TimeUnit unit_;
  bool up_;
  expression::SessionZone zone_;
};

bool can_cut_to(TimeUnit unit) {
  return unit >= TimeUnit::kMillisecond && unit <= TimeUnit::kMillennium;
}

}  // namespace

Bound bind_time_floor(std::span<const BoundArgument> arguments) {
  const DataType& time = arguments[0].type;
  const auto name = literal_text(arguments, 1);
  const auto unit = name ? parse_time_unit(*name) : std::nullopt;
  const bool is_time = is_in(Family::kDatetime, time) || time.kind() == TypeKind::kTime;
  if (!is_time || !unit || !can_cut_to(*unit)) {
    return NoMatch{};
  }
  return Signature{{time, arguments[1].type}, time.with_time_attribute(TimeAttribute::kNone)};
}

std::unique_ptr<ScalarKernel> make_time_floor(const Signature& signature,
                                              std::span<const BoundArgument> arguments,
                                              bool up) {
  const auto unit = parse_time_unit(*literal_text(arguments, 1));
  check(unit.has_value(), "FLOOR without a unit");
  return std::make_unique<TimeFloor>(signature, *unit, up);
}

}  // namespace thalweg::functions
