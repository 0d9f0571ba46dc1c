// TIMESTAMPADD, TIMESTAMPDIFF, OVERLAPS.
#include <algorithm>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/functions/time/time_unit.h"
#include "thalweg/functions/time/time_values.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

std::optional<TimeUnit> unit_of(std::span<const BoundArgument> arguments) {
  const auto name = literal_text(arguments, 0);
  return name ? parse_time_unit(*name) : std::nullopt;
}

/// Months of a unit of calendar length; 0 for the others.
int32_t months_of(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kMonth:
      return 1;
    case TimeUnit::kQuarter:
      return 3;
    case TimeUnit::kYear:
      return 12;
    default:
      return 0;
  }
}

bool is_datetime(const DataType& type) {
  return is_in(Family::kDatetime, type) || type.kind() == TypeKind::kTime;
}

/// A date that is moved by hours becomes a timestamp.
DataType moved_type(const DataType& type, TimeUnit unit) {
  return type.kind() == TypeKind::kDate && unit < TimeUnit::kDay
             ? DataType::timestamp(6)
             : type.with_time_attribute(TimeAttribute::kNone);
}

ScalarFunction add_function() {
  ScalarFunction function = documented(
      {{"TIMESTAMPADD"},
       "'TIMESTAMPADD(<TIME_UNIT>, <INTEGER>, <DATETIME>)'",
       "The time some units later.",
       {"TIMESTAMPADD(WEEK, 1, DATE '2024-02-26') -> 2024-03-04",
        "TIMESTAMPADD(MONTH, 1, TIMESTAMP '2024-01-31 00:00:00') -> 2024-02-29 00:00:00"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        const auto unit = unit_of(arguments);
        if (arguments.size() != 3 || !unit || !arguments[1].type.is_integer() ||
            !is_datetime(arguments[2].type) ||
            (milliseconds_of(*unit) == 0 && months_of(*unit) == 0)) {
          return NoMatch{};
        }
        const bool nullable = any_nullable(arguments);
        return Signature{{arguments[0].type,
                          DataType::big_int().as_nullable(arguments[1].type.is_nullable()),
                          arguments[2].type},
                         moved_type(arguments[2].type, *unit).as_nullable(nullable)};
      });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    const TimeUnit unit = *unit_of(arguments);
    return column_kernel([type = signature.result, unit](std::span<const ColumnPtr> columns,
                                                         int32_t rows,
                                                         const EvaluationContext&,
                                                         RowErrors&) {
      MutableColumnPtr result = expression::make_strict_result(type, columns, rows);
      const int32_t months = months_of(unit);
      for (int32_t row = 0; row < result->stored_size(); ++row) {
        if (result->is_null(row)) {
          continue;
        }
        const int64_t count = columns[1]->at<int64_t>(row);
        const int64_t ms = time_ms(*columns[2], row);
        const int64_t moved = months > 0
                                  ? add_months_to_ms(ms, static_cast<int32_t>(count) * months)
                                  : ms + count * milliseconds_of(unit);
        set_time(*result, row, moved, time_nanos(*columns[2], row));
      }
      return result;
    });
  };
  return function;
}

/// A timestamp of up to three fraction digits, stored as it is calculated with.
bool is_in_ms(const Column& column) {
  return column.type().is_timestamp() && column.type().physical() == PhysicalKind::kInt64;
}

ScalarFunction difference_function() {
  ScalarFunction function =
      documented({{"TIMESTAMPDIFF"},
                  "'TIMESTAMPDIFF(<TIME_UNIT>, <DATETIME>, <DATETIME>)'",
                  "The whole units from the first time to the second.",
                  {"TIMESTAMPDIFF(MONTH, DATE '2024-01-31', DATE '2024-02-29') -> 1",
                   "TIMESTAMPDIFF(DAY, TIMESTAMP '2024-01-02 00:00:00', DATE '2024-01-01') -> -1"}},
                 [](std::span<const BoundArgument> arguments) -> Bound {
                   const auto unit = unit_of(arguments);
                   if (arguments.size() != 3 || !unit || !is_datetime(arguments[1].type) ||
                       !is_datetime(arguments[2].type) ||
                       (milliseconds_of(*unit) == 0 && months_of(*unit) == 0)) {
                     return NoMatch{};
                   }
                   return Signature{{arguments[0].type, arguments[1].type, arguments[2].type},
                                    DataType::integer().as_nullable(any_nullable(arguments))};
                 });
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument> arguments) {
    const TimeUnit unit = *unit_of(arguments);
    return column_kernel([type = signature.result, unit](std::span<const ColumnPtr> columns,
                                                         int32_t rows,
                                                         const EvaluationContext&,
                                                         RowErrors&) -> ColumnPtr {
      const int32_t months = months_of(unit);
      if (months == 0 && is_in_ms(*columns[1]) && is_in_ms(*columns[2])) {
        const int64_t length = milliseconds_of(unit);
        return expression::map_total<int32_t, int64_t, int64_t>(
            columns.subspan(1), rows, type, [length](int64_t from, int64_t to) {
              const auto span = static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
              return static_cast<int32_t>(static_cast<int64_t>(span) / length);
            });
      }
      MutableColumnPtr result = expression::make_strict_result(type, columns, rows);
      for (int32_t row = 0; row < result->stored_size(); ++row) {
        if (result->is_null(row)) {
          continue;
        }
        const int64_t from = time_ms(*columns[1], row);
        const int64_t to = time_ms(*columns[2], row);
        result->mutable_values<int32_t>()[static_cast<size_t>(row)] = static_cast<int32_t>(
            months > 0 ? months_between(from, to) / months : (to - from) / milliseconds_of(unit));
      }
      return result;
    });
  };
  return function;
}

/// A period given by its start and its end or length; NULL when a part is.
struct Period {
  int64_t begin = 0;
  int64_t end = 0;
};

std::optional<Period> read_period(const Column& row_column, int32_t row) {
  const int32_t at = row_column.is_constant() ? 0 : row;
  const Column& start = *row_column.child(0);
  const Column& stop = *row_column.child(1);
  if (row_column.is_null(row) || start.is_null(at) || stop.is_null(at)) {
    return std::nullopt;
  }
  const int64_t begin = time_ms(start, at);
  int64_t end = 0;
  switch (stop.type().kind()) {
    case TypeKind::kIntervalYearMonth:
      end = add_months_to_ms(begin, stop.at<int32_t>(at));
      break;
    case TypeKind::kIntervalDayTime:
      end = begin + stop.at<int64_t>(at);
      break;
    default:
      end = time_ms(stop, at);
  }
  return Period{std::min(begin, end), std::max(begin, end)};
}

bool is_period(const DataType& type) {
  return type.kind() == TypeKind::kRow && type.child_count() == 2 && is_datetime(type.child(0)) &&
         (is_datetime(type.child(1)) || type.child(1).is_interval());
}

ScalarFunction overlaps_operator() {
  ScalarFunction function = documented(
      {{"OVERLAPS"},
       "'(<DATETIME>, <DATETIME>) OVERLAPS (<DATETIME>, <DATETIME>)'\n"
       "'(<DATETIME>, <DATETIME_INTERVAL>) OVERLAPS (<DATETIME>, <DATETIME_INTERVAL>)'",
       "True when two periods, given by start and end or by start and length, have a moment in "
       "common.",
       {"(TIME '2:55:00', INTERVAL '1' HOUR) OVERLAPS (TIME '3:30:00', INTERVAL '2' HOUR) -> TRUE",
        "(TIME '9:00:00', TIME '10:00:00') OVERLAPS (TIME '10:15:00', INTERVAL '3' HOUR) -> "
        "FALSE"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        if (arguments.size() != 2 || !is_period(arguments[0].type) ||
            !is_period(arguments[1].type)) {
          return NoMatch{};
        }
        bool nullable = any_nullable(arguments);
        for (const BoundArgument& argument : arguments) {
          nullable = nullable || argument.type.child(0).is_nullable() ||
                     argument.type.child(1).is_nullable();
        }
        return Signature{{arguments[0].type, arguments[1].type},
                         DataType::boolean().as_nullable(nullable)};
      });
  function.infix = "{0} OVERLAPS {1}";
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> columns,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      auto result = Column::make(type, rows);
      for (int32_t row = 0; row < rows; ++row) {
        const auto left = read_period(*columns[0], row);
        const auto right = read_period(*columns[1], row);
        if (!left || !right) {
          result->set_null(row);
        } else {
          result->mutable_values<uint8_t>()[static_cast<size_t>(row)] =
              static_cast<uint8_t>(left->begin <= right->end && right->begin <= left->end);
        }
      }
      return result;
    });
  };
  return function;
}

}  // namespace

void add_time_difference(FunctionRegistry& registry) {
  registry.add(add_function());
  registry.add(difference_function());
  registry.add(overlaps_operator());
}

}  // namespace thalweg::functions
