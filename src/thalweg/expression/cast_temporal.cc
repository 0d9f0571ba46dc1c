#include "thalweg/expression/cast_kernels.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/decimal.h"

namespace thalweg::expression {

namespace {

/// A wall-clock point as whole days and nanoseconds of the day: the middle between all temporal
/// types.
struct WallClock {
  int64_t days = 0;
  int64_t nanos = 0;
};

int64_t wall_ms(const WallClock& wall) {
  return wall.days * kMsPerDay + wall.nanos / kNanosPerMs;
}

WallClock from_ms(int64_t ms, int64_t nanos_of_ms) {
  const int64_t days = floor_divide(ms, kMsPerDay);
  return {days, (ms - days * kMsPerDay) * kNanosPerMs + nanos_of_ms};
}

/// Every cast goes from source to wall clock to target; the session's zone matters where exactly
/// one side is TIMESTAMP_LTZ.
class TemporalCast final : public ScalarKernel {
 public:
  TemporalCast(DataType source, DataType target)
      : source_(std::move(source)),
        target_(std::move(target)),
        from_instant_(source_.kind() == TypeKind::kTimestampLtz &&
                      target_.kind() != TypeKind::kTimestampLtz),
        to_instant_(target_.kind() == TypeKind::kTimestampLtz &&
                    source_.kind() != TypeKind::kTimestampLtz) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors&) override {
    zone_.of(context);
    const Column& column = *arguments[0];
    MutableColumnPtr result = make_strict_result(target_, arguments, rows);
    for (int32_t row = 0; row < result->stored_size(); ++row) {
      if (!result->is_null(row)) {
        store(*result, row, read(column, row));
      }
    }
    return result;
  }

 private:
  WallClock read(const Column& column, int32_t row) {
    switch (source_.kind()) {
      case TypeKind::kDate:
        return {column.at<int32_t>(row), 0};
      case TypeKind::kTime:
        return {0, column.at<int32_t>(row) * kNanosPerMs};
      default:
        break;
    }
    int64_t ms = 0;
    int64_t nanos_of_ms = 0;
    if (source_.physical() == PhysicalKind::kInt64) {
      ms = column.at<int64_t>(row);
    } else {
      const Int128 nanos = column.at<Int128>(row);
      ms = static_cast<int64_t>(floor_divide<Int128>(nanos, kNanosPerMs));
      nanos_of_ms = static_cast<int64_t>(nanos - Int128{ms} * kNanosPerMs);
    }
    return from_ms(from_instant_ ? zone_.to_local(ms) : ms, nanos_of_ms);
  }

  void store(Column& result, int32_t row, const WallClock& wall) {
    const auto at = static_cast<size_t>(row);
    switch (target_.kind()) {
      case TypeKind::kDate: {
        // Of a TIMESTAMP Flink divides its milliseconds towards zero: before 1970 all of a day but
        // its midnight is the day after.
        const bool is_cut_upwards =
            source_.kind() == TypeKind::kTimestamp && wall.days < 0 && wall.nanos >= kNanosPerMs;
        result.mutable_values<int32_t>()[at] =
            static_cast<int32_t>(wall.days + (is_cut_upwards ? 1 : 0));
        return;
      }
      case TypeKind::kTime:
        result.mutable_values<int32_t>()[at] = static_cast<int32_t>(wall.nanos / kNanosPerMs);
        return;
      default:
        break;
    }
    const auto unit = static_cast<int64_t>(power_of_ten(9 - target_.precision()));
    const WallClock cut{wall.days, wall.nanos - wall.nanos % unit};
    const int64_t ms = to_instant_ ? zone_.to_instant(wall_ms(cut)) : wall_ms(cut);
    if (target_.physical() == PhysicalKind::kInt64) {
      result.mutable_values<int64_t>()[at] = ms;
    } else {
      result.mutable_values<Int128>()[at] = Int128{ms} * kNanosPerMs + cut.nanos % kNanosPerMs;
    }
  }

  DataType source_;
  DataType target_;
  bool from_instant_;
  bool to_instant_;
  SessionZone zone_;
};

}  // namespace

std::unique_ptr<ScalarKernel> make_temporal_cast(const DataType& source, const DataType& target) {
  return std::make_unique<TemporalCast>(source, target);
}

}  // namespace thalweg::expression
