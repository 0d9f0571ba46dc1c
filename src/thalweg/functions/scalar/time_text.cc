// Times and texts: DATE_FORMAT, TO_DATE, TO_TIMESTAMP, TO_TIMESTAMP_LTZ, CONVERT_TZ.
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/functions/time/java_date_pattern.h"
#include "thalweg/functions/time/java_zone.h"
#include "thalweg/functions/time/time_values.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::map_rows;
using expression::row_kernel;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;
using expression::SessionZone;

namespace {

constexpr std::string_view kDefaultPattern = "yyyy-MM-dd HH:mm:ss";

// Year 0 to 9999, as Flink bounds instants made of numbers.
constexpr int64_t kLeastMs = -62'167'219'200'000;
constexpr int64_t kMostMs = 253'402'300'799'999;

/// The plain forms that a text may have whatever the pattern says.
std::optional<int64_t> parse_plain(std::string_view text) {
  const auto value = text::parse_timestamp(text, 3);
  return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
}

/// TO_TIMESTAMP: the pattern first, then the plain forms, cut to milliseconds.
std::optional<int64_t> parse_with(const JavaDatePattern* pattern, std::string_view text) {
  if (pattern == nullptr) {
    return std::nullopt;
  }
  const auto parsed = pattern->parse(text);
  return parsed ? std::optional(parsed->ms) : parse_plain(text);
}

ScalarFunction to_timestamp_function() {
  ScalarFunction function = documented(
      {{"TO_TIMESTAMP"},
       "'TO_TIMESTAMP(<CHARACTER>[, <CHARACTER> format])'",
       "A text as a timestamp, by a pattern of Java's DateTimeFormatter; NULL when it does not "
       "fit.",
       {"TO_TIMESTAMP('2024-1-2 3:4:5.678') -> 2024-01-02 03:04:05.678",
        "TO_TIMESTAMP('15/03/2024', 'dd/MM/yyyy') -> 2024-03-15 00:00:00.000",
        "TO_TIMESTAMP('x') -> NULL"}},
      nullable({{Family::kText}, {Family::kText}}, DataType::timestamp(3)));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments.size() == 1) {
      return row_kernel<int64_t, std::string_view>(signature.result, parse_plain);
    }
    const auto cache = std::make_shared<DatePatternCache>(PatternStyle::kFormatter);
    return row_kernel<int64_t, std::string_view, std::string_view>(
        signature.result, [cache](std::string_view text, std::string_view pattern) {
          return parse_with(cache->get(pattern), text);
        });
  };
  return function;
}

ScalarFunction to_date_function() {
  ScalarFunction function = documented(
      {{"TO_DATE"},
       "'TO_DATE(<CHARACTER>[, <CHARACTER> format])'",
       "A text as a date, by a pattern of Java's SimpleDateFormat; NULL when it does not fit.",
       {"TO_DATE('2024-03-15') -> 2024-03-15", "TO_DATE('150324', 'ddMMyy') -> 2024-03-15"}},
      nullable({{Family::kText}, {Family::kText}}, DataType::date()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments.size() == 1) {
      return row_kernel<int32_t, std::string_view>(signature.result, text::parse_date);
    }
    const auto cache = std::make_shared<DatePatternCache>(PatternStyle::kSimple);
    return row_kernel<int32_t, std::string_view, std::string_view>(
        signature.result,
        [cache](std::string_view text, std::string_view pattern) -> std::optional<int32_t> {
          const JavaDatePattern* compiled = cache->get(pattern);
          const auto parsed = compiled == nullptr ? std::nullopt : compiled->parse(text);
          return parsed ? std::optional(static_cast<int32_t>(
                              floor_divide(parsed->ms - parsed->offset_ms.value_or(0), kMsPerDay)))
                        : std::nullopt;
        });
  };
  return function;
}

/// DATE_FORMAT of a time.
class FormatKernel final : public ScalarKernel {
 public:
  explicit FormatKernel(DataType type) : type_(std::move(type)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    zone_.of(context);
    const Column& times = *arguments[0];
    const bool is_ltz = times.type().kind() == TypeKind::kTimestampLtz;
    const bool is_ms =
        times.type().is_timestamp() && times.type().physical() == PhysicalKind::kInt64;
    MutableColumnPtr result = expression::make_strict_result(type_, arguments, rows);
    RowErrors failures;
    shown_pattern_ = nullptr;
    const bool has_one_pattern = arguments[1]->is_constant() && !arguments[1]->is_null(0);
    const JavaDatePattern* pattern =
        has_one_pattern ? patterns_.get(arguments[1]->string_at(0)) : nullptr;
    for (int32_t row = 0; row < result->stored_size(); ++row) {
      if (result->is_null(row)) {
        continue;
      }
      if (!has_one_pattern) {
        pattern = patterns_.get(arguments[1]->string_at(row));
      }
      if (pattern == nullptr || pattern->shows_zone()) {
        failures.add(row, bad_pattern(arguments[1]->string_at(row)));
        continue;
      }
      const int64_t ms = is_ms ? times.at<int64_t>(row) : time_ms(times, row);
      const PatternTime time{is_ltz ? zone_.to_local(ms) : ms, is_ms ? 0 : time_nanos(times, row)};
      result->mutable_values<StringView>()[static_cast<size_t>(row)] =
          shown(*pattern, time, has_one_pattern, result->heap());
    }
    if (result->is_constant()) {
      expression::repeat_constant_failure(failures, rows, errors);
    } else {
      for (const RowFailure& failure : failures.failures()) {
        errors.add(failure.row, failure.error);
      }
    }
    return result;
  }

 private:
  /// Rows near each other mostly show the same text, "2024-03-15" for a whole day.
  StringView shown(const JavaDatePattern& pattern,
                   const PatternTime& time,
                   bool may_repeat,
                   StringHeap& heap) {
    if (shown_pattern_ == &pattern && time.ms >= shown_begin_ && time.ms < shown_end_) {
      return shown_;
    }
    text_.clear();
    pattern.format(text_, time);
    shown_ = heap.add(text_);
    const int64_t resolution = pattern.resolution_ms();
    if (may_repeat && resolution > 0) {
      shown_pattern_ = &pattern;
      shown_begin_ = floor_divide(time.ms, resolution) * resolution;
      shown_end_ = shown_begin_ + resolution;
    }
    return shown_;
  }

  DataType type_;
  SessionZone zone_;
  DatePatternCache patterns_{PatternStyle::kFormatter};
  std::string text_;
  /// The text made last, and for which times it stands; a batch's own.
  const JavaDatePattern* shown_pattern_ = nullptr;
  int64_t shown_begin_ = 0;
  int64_t shown_end_ = 0;
  StringView shown_;
};

ScalarFunction date_format_function() {
  ScalarFunction function =
      documented({{"DATE_FORMAT"},
                  "'DATE_FORMAT(<TIMESTAMP> | <CHARACTER>, <CHARACTER> format)'",
                  "A time as text, by a pattern of Java.",
                  {"DATE_FORMAT(TIMESTAMP '2024-03-15 12:34:56', 'yyyy/MM/dd HH') -> 2024/03/15 12",
                   "DATE_FORMAT('2024-03-15 12:34:56', 'MMM d') -> Mar 15"}},
                 any_of({nullable({{Family::kTimestamp, Family::kText}}, DataType::string()),
                         nullable({{Family::kText, Family::kText}}, DataType::string())}));
  function.make_kernel = [](const Signature& signature,
                            std::span<const BoundArgument>) -> std::unique_ptr<ScalarKernel> {
    if (!signature.arguments[0].is_character()) {
      return std::make_unique<FormatKernel>(signature.result);
    }
    const auto cache = std::make_shared<DatePatternCache>(PatternStyle::kSimple);
    const auto source = JavaDatePattern::compile(kDefaultPattern, PatternStyle::kSimple);
    return row_kernel<std::string_view, std::string_view, std::string_view>(
        signature.result,
        [cache, source](
            RowFault& fault, std::string& out, std::string_view text, std::string_view pattern) {
          const auto parsed = source->parse(text);
          const JavaDatePattern* target = cache->get(pattern);
          if (target == nullptr) {
            fault.raise(bad_pattern(pattern));
          }
          if (!parsed || target == nullptr) {
            return false;
          }
          target->format(out, *parsed);
          return true;
        });
  };
  return function;
}

/// The instant of `nanos`, in the result's own unit; nullopt beyond what Flink takes.
template <typename Out>
std::optional<Out> instant_of(Int128 nanos) {
  const Int128 ms = floor_divide<Int128>(nanos, kNanosPerMs);
  if (ms < kLeastMs || ms > kMostMs) {
    return std::nullopt;
  }
  return static_cast<Out>(std::is_same_v<Out, int64_t> ? ms : nanos);
}

/// `nanos_of(value, nanoseconds of one)`, the unit being a second's 10^precision'th part.
template <typename Out, typename T, typename F>
std::unique_ptr<ScalarKernel> ltz_kernel(const Signature& signature, F nanos_of) {
  if (signature.arguments.size() == 1) {
    return row_kernel<Out, T>(signature.result, [nanos_of](T value) {
      return instant_of<Out>(nanos_of(value, Int128{kNanosPerMs}));
    });
  }
  return row_kernel<Out, T, int32_t>(
      signature.result, [nanos_of](T value, int32_t precision) -> std::optional<Out> {
        if (precision < 0 || precision > 9) {
          return std::nullopt;
        }
        return instant_of<Out>(nanos_of(value, power_of_ten(9 - precision)));
      });
}

template <typename Out>
std::unique_ptr<ScalarKernel> make_ltz_of_number(const Signature& signature) {
  const DataType& number = signature.arguments[0];
  if (number.kind() == TypeKind::kDouble) {
    return ltz_kernel<Out, double>(signature, [](double value, Int128 unit) {
      const double nanos = value * static_cast<double>(unit);
      constexpr double kMost = 1e27;  // far beyond all instants
      return static_cast<Int128>(nanos >= -kMost && nanos <= kMost ? nanos : kMost);
    });
  }
  if (number.kind() == TypeKind::kDecimal) {
    return ltz_kernel<Out, Int128>(signature, [scale = number.scale()](Int128 value, Int128 unit) {
      return value / power_of_ten(scale) * unit;
    });
  }
  return ltz_kernel<Out, int64_t>(signature,
                                  [](int64_t value, Int128 unit) { return Int128{value} * unit; });
}

/// TO_TIMESTAMP_LTZ(number[, precision]). A literal precision above 3 is that of the result.
Bound bind_ltz_of_number(std::span<const BoundArgument> arguments) {
  const Parameters parameters{{Family::kNumeric}, {DataType::integer()}};
  auto types = match(parameters, arguments);
  if (!types) {
    return mismatch(parameters, arguments.size());
  }
  DataType& number = types->front();
  if (number.kind() == TypeKind::kFloat) {
    number = DataType::float64().as_nullable(number.is_nullable());
  } else if (number.is_integer()) {
    number = DataType::big_int().as_nullable(number.is_nullable());
  }
  const int64_t precision = literal_integer(arguments, 1).value_or(3);
  if (precision < 0 || precision > 9) {
    return NoMatch{fmt::format("Precision for TO_TIMESTAMP_LTZ must be between 0 and 9 but was {}.",
                               precision)};
  }
  const auto shown = static_cast<int32_t>(std::max<int64_t>(3, precision));
  return Signature{std::move(*types), DataType::timestamp_ltz(shown)};
}

/// TO_TIMESTAMP_LTZ(text[, pattern[, zone]]): a wall clock in the zone, UTC when not given.
std::unique_ptr<ScalarKernel> make_ltz_of_text(const Signature& signature) {
  const auto patterns = std::make_shared<DatePatternCache>(PatternStyle::kFormatter);
  const auto zones = std::make_shared<JavaZoneCache>();
  return column_kernel(
      [type = signature.result, patterns, zones](std::span<const ColumnPtr> columns,
                                                 int32_t rows,
                                                 const EvaluationContext&,
                                                 RowErrors& errors) {
        const auto parse = [&](std::string_view text,
                               std::string_view pattern,
                               std::string_view zone) -> std::optional<int64_t> {
          const auto local = parse_with(patterns->get(pattern), text);
          return local ? std::optional(zones->get(zone).to_instant(*local)) : std::nullopt;
        };
        switch (columns.size()) {
          case 1:
            return map_rows<int64_t, std::string_view>(columns, rows, type, errors, parse_plain);
          case 2:
            return map_rows<int64_t, std::string_view, std::string_view>(
                columns, rows, type, errors, [&](std::string_view text, std::string_view pattern) {
                  return parse(text, pattern, "UTC");
                });
          default:
            return map_rows<int64_t, std::string_view, std::string_view, std::string_view>(
                columns, rows, type, errors, parse);
        }
      });
}

ScalarFunction to_timestamp_ltz_function() {
  ScalarFunction function = documented(
      {{"TO_TIMESTAMP_LTZ"},
       "'TO_TIMESTAMP_LTZ(<NUMERIC>[, <INTEGER> precision])'\n"
       "'TO_TIMESTAMP_LTZ(<CHARACTER>[, <CHARACTER> format[, <CHARACTER> time zone]])'",
       "An instant from seconds (precision 0), milliseconds (3) and so on since 1970, or from a "
       "text.",
       {"TO_TIMESTAMP_LTZ(1700000000123, 3) -> 2023-11-14 22:13:20.123",
        "TO_TIMESTAMP_LTZ(1700000000, 0) -> 2023-11-14 22:13:20.000",
        "TO_TIMESTAMP_LTZ('2024-01-01 00:00:00', 'yyyy-MM-dd HH:mm:ss', 'Asia/Kolkata') -> "
        "2023-12-31 18:30:00.000"}},
      any_of(
          {nullable({{Family::kText}, {Family::kText, Family::kText}}, DataType::timestamp_ltz(3)),
           bind_ltz_of_number}));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    if (signature.arguments[0].is_character()) {
      return make_ltz_of_text(signature);
    }
    return signature.result.precision() > 3 ? make_ltz_of_number<Int128>(signature)
                                            : make_ltz_of_number<int64_t>(signature);
  };
  return function;
}

/// java.util.TimeZone knows offsets behind GMT only: others are GMT to it.
std::string_view calendar_zone(std::string_view name) {
  const bool is_offset = name.starts_with('+') || name.starts_with('-') ||
                         name.starts_with("UTC+") || name.starts_with("UTC-");
  return is_offset ? "UTC" : name;
}

ScalarFunction convert_tz_function() {
  ScalarFunction function = documented(
      {{"CONVERT_TZ"},
       "'CONVERT_TZ(<CHARACTER>, <CHARACTER> from zone, <CHARACTER> to zone)'",
       "A wall-clock time of one zone as that of another; NULL when it does not fit.",
       {"CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles') -> 1969-12-31 16:00:00"}},
      nullable({{Family::kText, Family::kText, Family::kText}}, DataType::string()));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto pattern = JavaDatePattern::compile(kDefaultPattern, PatternStyle::kSimple);
    const auto from_zones = std::make_shared<JavaZoneCache>();
    const auto to_zones = std::make_shared<JavaZoneCache>();
    return row_kernel<std::string_view, std::string_view, std::string_view, std::string_view>(
        signature.result,
        [pattern, from_zones, to_zones](
            std::string& out, std::string_view text, std::string_view from, std::string_view to) {
          const auto parsed = pattern->parse(text);
          if (!parsed) {
            return false;
          }
          const int64_t instant =
              to_later_instant(from_zones->get(calendar_zone(from)), parsed->ms);
          pattern->format(out, {to_zones->get(calendar_zone(to)).to_local(instant)});
          return true;
        });
  };
  return function;
}

}  // namespace

void add_time_text(FunctionRegistry& registry) {
  registry.add(to_timestamp_function());
  registry.add(to_date_function());
  registry.add(date_format_function());
  registry.add(to_timestamp_ltz_function());
  registry.add(convert_tz_function());
}

}  // namespace thalweg::functions
