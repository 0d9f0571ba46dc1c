// EXTRACT and YEAR, MONTH, ... HOUR, SECOND.
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/functions/time/time_unit.h"
#include "thalweg/functions/time/time_values.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

int32_t days_in(int64_t ms) {
  return static_cast<int32_t>(ms / kMsPerDay);
}

/// As Flink splits times, towards zero: before 1970 a day is counted by its end, and its clock runs
/// backwards.
DayTime split(int64_t ms, int32_t nanos) {
  return {days_in(ms), static_cast<int32_t>(ms % kMsPerDay), nanos};
}

/// TIMESTAMP_LTZ is read on the session's wall clock.
class ExtractKernel final : public ScalarKernel {
 public:
  ExtractKernel(DataType type, TimeUnit unit) : type_(std::move(type)), unit_(unit) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors&) override {
    const Column& column = *arguments.back();
    if (column.type().kind() == TypeKind::kTimestamp &&
        column.type().physical() == PhysicalKind::kInt64) {
      return extract_timestamps(arguments.last(1), rows);
    }
    zone_.of(context);
    MutableColumnPtr result = expression::make_strict_result(type_, arguments.last(1), rows);
    const auto values = result->mutable_values<int64_t>();
    for (int32_t row = 0; row < result->stored_size(); ++row) {
      if (!result->is_null(row)) {
        values[static_cast<size_t>(row)] = extract(column, row);
      }
    }
    return result;
  }

 private:
  /// The usual case without a choice for each row.
  ColumnPtr extract_timestamps(std::span<const ColumnPtr> arguments, int32_t rows) const {
    const auto map = [&](auto of_ms) {
      return expression::map_total<int64_t, int64_t>(arguments, rows, type_, of_ms);
    };
    switch (unit_) {
      case TimeUnit::kHour:
        return map([](int64_t ms) { return ms % kMsPerDay / kMsPerHour; });
      case TimeUnit::kMinute:
        return map([](int64_t ms) { return ms % kMsPerHour / kMsPerMinute; });
      case TimeUnit::kSecond:
        return map([](int64_t ms) { return ms % kMsPerMinute / kMsPerSecond; });
      case TimeUnit::kYear:
        return map([](int64_t ms) -> int64_t { return civil_from_days(days_in(ms)).year; });
      case TimeUnit::kMonth:
        return map([](int64_t ms) -> int64_t { return civil_from_days(days_in(ms)).month; });
      case TimeUnit::kDay:
        return map([](int64_t ms) -> int64_t { return civil_from_days(days_in(ms)).day; });
      case TimeUnit::kEpoch:
        return map([](int64_t ms) { return ms / kMsPerSecond; });
      default:
        return map([unit = unit_](int64_t ms) { return extract_unit(unit, split(ms, 0)); });
    }
  }

  int64_t extract(const Column& column, int32_t row) {
    switch (column.type().kind()) {
      case TypeKind::kIntervalYearMonth:
        return extract_months(column.at<int32_t>(row));
      case TypeKind::kIntervalDayTime:
        return extract_interval(column.at<int64_t>(row));
      default:
        break;
    }
    int64_t ms = time_ms(column, row);
    if (column.type().kind() == TypeKind::kTimestampLtz) {
      ms = zone_.to_local(ms);
    }
    return extract_unit(unit_, split(ms, time_nanos(column, row)));
  }

  int64_t extract_months(int32_t months) const {
    switch (unit_) {
      case TimeUnit::kMonth:
        return months % 12;
      case TimeUnit::kQuarter:
        return (months % 12 + 2) / 3;
      case TimeUnit::kCentury:
        return months / (12 * 100);
      case TimeUnit::kMillennium:
        return months / (12 * 1000);
      default:
        return months / 12;
    }
  }

  int64_t extract_interval(int64_t ms) const {
    switch (unit_) {
      case TimeUnit::kDay:
        return ms / kMsPerDay;
      case TimeUnit::kHour:
        return ms % kMsPerDay / kMsPerHour;
      case TimeUnit::kMinute:
        return ms % kMsPerHour / kMsPerMinute;
      case TimeUnit::kSecond:
        return ms % kMsPerMinute / kMsPerSecond;
      default:
        return ms % kMsPerSecond;
    }
  }

  DataType type_;
  TimeUnit unit_;
  expression::SessionZone zone_;
};

bool is_extractable(TimeUnit unit, const DataType& type) {
  const bool of_day = unit <= TimeUnit::kHour && unit >= TimeUnit::kMillisecond;
  switch (type.kind()) {
    case TypeKind::kDate:
      return unit >= TimeUnit::kMillisecond;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return true;
    case TypeKind::kTime:
      return of_day;
    case TypeKind::kIntervalYearMonth:
      return unit == TimeUnit::kMonth || unit == TimeUnit::kQuarter || unit == TimeUnit::kYear ||
             unit == TimeUnit::kCentury || unit == TimeUnit::kMillennium;
    case TypeKind::kIntervalDayTime:
      return of_day || unit == TimeUnit::kDay;
    default:
      return false;
  }
}

ScalarFunction extract_function() {
  ScalarFunction function = documented(
      {{"EXTRACT"},
       "'EXTRACT(<TIME_UNIT> FROM <DATETIME>)'\n'EXTRACT(<TIME_UNIT> FROM <DATETIME_INTERVAL>)'",
       "A part of a time or interval as a number.",
       {"EXTRACT(DAY FROM DATE '2024-03-15') -> 15",
        "EXTRACT(EPOCH FROM DATE '2024-03-15') -> 1710460800",
        "EXTRACT(ISODOW FROM DATE '2024-03-15') -> 5"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        const auto name = literal_text(arguments, 0);
        const auto unit = name ? parse_time_unit(*name) : std::nullopt;
        if (arguments.size() != 2 || !unit || !is_extractable(*unit, arguments[1].type)) {
          return NoMatch{};
        }
        return Signature{{arguments[0].type, arguments[1].type},
                         DataType::big_int().as_nullable(arguments[1].type.is_nullable())};
      });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    return std::make_unique<ExtractKernel>(signature.result,
                                           *parse_time_unit(*literal_text(arguments, 0)));
  };
  function.is_infallible = true;
  return function;
}

ScalarFunction unit_function(std::string name, TimeUnit unit, std::string example) {
  ScalarFunction function = documented(
      {{name}, fmt::format("'{}(<DATETIME>)'", name), "A part of a time as a number.", {example}},
      [unit](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 1) {
          return mismatch({{Family::kDatetime}}, arguments.size());
        }
        if (!is_extractable(unit, arguments[0].type)) {
          return NoMatch{};
        }
        return Signature{{arguments[0].type},
                         DataType::big_int().as_nullable(arguments[0].type.is_nullable())};
      });
  function.make_kernel = [unit](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<ExtractKernel>(signature.result, unit);
  };
  function.is_infallible = true;
  return function;
}

}  // namespace

void add_extract(FunctionRegistry& registry) {
  registry.add(extract_function());
  const auto add = [&registry](std::string name, TimeUnit unit, std::string example) {
    registry.add(unit_function(std::move(name), unit, std::move(example)));
  };
  add("YEAR", TimeUnit::kYear, "YEAR(DATE '2024-03-15') -> 2024");
  add("QUARTER", TimeUnit::kQuarter, "QUARTER(DATE '2024-03-15') -> 1");
  add("MONTH", TimeUnit::kMonth, "MONTH(DATE '2024-03-15') -> 3");
  add("WEEK", TimeUnit::kWeek, "WEEK(DATE '2023-01-01') -> 52");
  add("DAYOFYEAR", TimeUnit::kDayOfYear, "DAYOFYEAR(DATE '2024-03-15') -> 75");
  add("DAYOFMONTH", TimeUnit::kDay, "DAYOFMONTH(DATE '2024-03-15') -> 15");
  add("DAYOFWEEK", TimeUnit::kDayOfWeek, "DAYOFWEEK(DATE '2024-03-15') -> 6");
  add("HOUR", TimeUnit::kHour, "HOUR(TIMESTAMP '2024-03-15 12:34:56') -> 12");
  add("MINUTE", TimeUnit::kMinute, "MINUTE(TIMESTAMP '2024-03-15 12:34:56') -> 34");
  add("SECOND", TimeUnit::kSecond, "SECOND(TIMESTAMP '2024-03-15 12:34:56') -> 56");
}

}  // namespace thalweg::functions
