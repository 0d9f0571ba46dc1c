#include "thalweg/functions/scalar/datetime_arithmetic.h"

#include <algorithm>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/functions/time/time_values.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::RowErrors;
using expression::ScalarKernel;

namespace {

bool is_datetime(const DataType& type) {
  return type.kind() == TypeKind::kDate || type.kind() == TypeKind::kTime || type.is_timestamp();
}

/// A date stays one: of an interval its whole days count.
DataType moved_type(const DataType& datetime) {
  return datetime.with_time_attribute(TimeAttribute::kNone);
}

/// Moves times by intervals; `sign` is -1 for minus.
class DatetimeSum final : public ScalarKernel {
 public:
  DatetimeSum(const Signature& signature, size_t datetime, int32_t sign)
      : datetime_type_(signature.arguments[datetime]),
        result_(signature.result),
        months_(signature.arguments[1 - datetime].kind() == TypeKind::kIntervalYearMonth),
        datetime_(datetime),
        sign_(sign) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors&) override {
    MutableColumnPtr result = expression::make_strict_result(result_, arguments, rows);
    const Column& times = *arguments[datetime_];
    const Column& intervals = *arguments[1 - datetime_];
    for (int32_t row = 0; row < result->stored_size(); ++row) {
      if (!result->is_null(row)) {
        const int64_t amount =
            months_ ? int64_t{intervals.at<int32_t>(row)} : intervals.at<int64_t>(row);
        store(*result, row, times, amount * sign_);
      }
    }
    return result;
  }

 private:
  void store(Column& result, int32_t row, const Column& times, int64_t amount) const {
    const auto at = static_cast<size_t>(row);
    const auto months = static_cast<int32_t>(amount);
    switch (datetime_type_.kind()) {
      case TypeKind::kDate:
        store_date(result, at, times.at<int32_t>(row), amount);
        return;
      case TypeKind::kTime:
        result.mutable_values<int32_t>()[at] = static_cast<int32_t>(
            months_ ? times.at<int32_t>(row)
                    : floor_modulo<int64_t>(times.at<int32_t>(row) + amount, kMsPerDay));
        return;
      default:
        break;
    }
    if (datetime_type_.physical() == PhysicalKind::kInt64) {
      const auto ms = times.at<int64_t>(row);
      result.mutable_values<int64_t>()[at] = months_ ? add_months_to_ms(ms, months) : ms + amount;
      return;
    }
    const auto nanos = times.at<Int128>(row);
    const auto ms = static_cast<int64_t>(floor_divide<Int128>(nanos, kNanosPerMs));
    result.mutable_values<Int128>()[at] =
        nanos +
        (months_ ? Int128{add_months_to_ms(ms, months) - ms} : Int128{amount}) * kNanosPerMs;
  }

  void store_date(Column& result, size_t at, int32_t days, int64_t amount) const {
    if (months_) {
      result.mutable_values<int32_t>()[at] =
          days_from_civil(add_months(civil_from_days(days), static_cast<int32_t>(amount)));
    } else {
      result.mutable_values<int32_t>()[at] = days + static_cast<int32_t>(amount / kMsPerDay);
    }
  }

  DataType datetime_type_;
  DataType result_;
  bool months_;
  size_t datetime_;
  int32_t sign_;
};

template <typename T>
std::unique_ptr<ScalarKernel> interval_sum(const DataType& result, bool is_minus) {
  return expression::row_kernel<T, T, T>(result, [is_minus](T left, T right) {
    return static_cast<T>(is_minus ? left - right : left + right);
  });
}

}  // namespace

Bound bind_datetime_sum(std::span<const BoundArgument> arguments, bool is_minus) {
  const DataType& left = arguments[0].type;
  const DataType& right = arguments[1].type;
  const bool nullable = any_nullable(arguments);
  if (left.is_interval() && right.is_interval()) {
    const auto common = expression::least_common_type(left, right);
    return common ? Bound(Signature{{left, right}, *common}) : Bound(NoMatch{});
  }
  if (is_datetime(left) && right.is_interval()) {
    return Signature{{left, right}, moved_type(left).as_nullable(nullable)};
  }
  if (!is_minus && left.is_interval() && is_datetime(right)) {
    return Signature{{left, right}, moved_type(right).as_nullable(nullable)};
  }
  return NoMatch{};
}

std::unique_ptr<ScalarKernel> make_datetime_sum(const Signature& signature, bool is_minus) {
  if (signature.result.kind() == TypeKind::kIntervalYearMonth) {
    return interval_sum<int32_t>(signature.result, is_minus);
  }
  if (signature.result.kind() == TypeKind::kIntervalDayTime) {
    return interval_sum<int64_t>(signature.result, is_minus);
  }
  const size_t datetime = signature.arguments[0].is_interval() ? 1 : 0;
  return std::make_unique<DatetimeSum>(signature, datetime, is_minus ? -1 : 1);
}

Bound bind_interval_product(std::span<const BoundArgument> arguments) {
  const DataType& left = arguments[0].type;
  const DataType& right = arguments[1].type;
  const bool nullable = any_nullable(arguments);
  if (left.is_interval() && right.is_numeric()) {
    return Signature{{left, DataType::big_int().as_nullable(right.is_nullable())},
                     left.as_nullable(nullable)};
  }
  if (left.is_numeric() && right.is_interval()) {
    return Signature{{DataType::big_int().as_nullable(left.is_nullable()), right},
                     right.as_nullable(nullable)};
  }
  return NoMatch{};
}

std::unique_ptr<ScalarKernel> make_interval_product(const Signature& signature) {
  const bool first = signature.arguments[0].is_interval();
  if (signature.result.kind() == TypeKind::kIntervalYearMonth) {
    const auto multiply = [](auto left, auto right) { return static_cast<int32_t>(left * right); };
    return first ? expression::row_kernel<int32_t, int32_t, int64_t>(signature.result, multiply)
                 : expression::row_kernel<int32_t, int64_t, int32_t>(signature.result, multiply);
  }
  return expression::row_kernel<int64_t, int64_t, int64_t>(
      signature.result, [](int64_t left, int64_t right) { return left * right; });
}

}  // namespace thalweg::functions
