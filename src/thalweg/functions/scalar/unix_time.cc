// UNIX_TIMESTAMP and FROM_UNIXTIME, on the session's wall clock.
#include <limits>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/functions/time/java_date_pattern.h"
#include "thalweg/functions/time/java_zone.h"
#include "thalweg/types/civil_date.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::map_rows;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

constexpr std::string_view kDefaultPattern = "yyyy-MM-dd HH:mm:ss";

class UnixTimestampKernel final : public ScalarKernel {
 public:
  explicit UnixTimestampKernel(DataType type) : type_(std::move(type)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    zone_.of(context);
    if (arguments.empty()) {
      auto result = Column::make_constant(type_, rows);
      for (int64_t& value : result->mutable_values<int64_t>()) {
        value = context.now.ms / kMsPerSecond;
      }
      return result;
    }
    const auto parse = [this](std::string_view text, std::string_view pattern) {
      return seconds(text, pattern);
    };
    if (arguments.size() == 1) {
      return map_rows<int64_t, std::string_view>(
          arguments, rows, type_, errors, [&parse](std::string_view text) {
            return parse(text, kDefaultPattern);
          });
    }
    return map_rows<int64_t, std::string_view, std::string_view>(
        arguments, rows, type_, errors, parse);
  }

 private:
  /// Flink's answer to a text that does not fit is the lowest number.
  int64_t seconds(std::string_view text, std::string_view pattern_text) {
    const JavaDatePattern* pattern = patterns_.get(pattern_text);
    const auto parsed = pattern == nullptr ? std::nullopt : pattern->parse(text);
    if (!parsed) {
      return std::numeric_limits<int64_t>::min();
    }
    const int64_t instant = parsed->offset_ms ? parsed->ms - *parsed->offset_ms
                                              : to_later_instant(zone_.zone(), parsed->ms);
    return instant / kMsPerSecond;
  }

  DataType type_;
  expression::SessionZone zone_;
  DatePatternCache patterns_{PatternStyle::kSimple};
};

class FromUnixtimeKernel final : public ScalarKernel {
 public:
  explicit FromUnixtimeKernel(DataType type) : type_(std::move(type)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    zone_.of(context);
    const auto format =
        [this](RowFault& fault, std::string& out, int64_t seconds, std::string_view pattern_text) {
          const JavaDatePattern* pattern = patterns_.get(pattern_text);
          if (pattern == nullptr) {
            fault.raise(bad_pattern(pattern_text));
            return false;
          }
          const int64_t instant = seconds * kMsPerSecond;
          const int64_t local = zone_.to_local(instant);
          pattern->format(out, {local}, local - instant);
          return true;
        };
    if (arguments.size() == 1) {
      return map_rows<std::string_view, int64_t>(
          arguments,
          rows,
          type_,
          errors,
          [&format](RowFault& fault, std::string& out, int64_t seconds) {
            return format(fault, out, seconds, kDefaultPattern);
          });
    }
    return map_rows<std::string_view, int64_t, std::string_view>(
        arguments, rows, type_, errors, format);
  }

 private:
  DataType type_;
  expression::SessionZone zone_;
  DatePatternCache patterns_{PatternStyle::kSimple};
};

}  // namespace

void add_unix_time(FunctionRegistry& registry) {
  ScalarFunction to_seconds = documented(
      {{"UNIX_TIMESTAMP"},
       "'UNIX_TIMESTAMP([<CHARACTER>[, <CHARACTER> format]])'",
       "Seconds since 1970 of a wall-clock time in the session's zone, or of now.",
       {"UNIX_TIMESTAMP('1970-01-01 00:01:00') -> 60",
        "UNIX_TIMESTAMP('1970-01-01 08:00:01.001 +0800', 'yyyy-MM-dd HH:mm:ss.SSS X') -> 1",
        "UNIX_TIMESTAMP('x') -> -9223372036854775808"}},
      strict({{}, {Family::kText, Family::kText}}, DataType::big_int()));
  to_seconds.is_dynamic = true;
  to_seconds.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<UnixTimestampKernel>(signature.result);
  };
  registry.add(std::move(to_seconds));
  ScalarFunction from_seconds = documented(
      {{"FROM_UNIXTIME"},
       "'FROM_UNIXTIME(<NUMERIC>[, <CHARACTER> format])'",
       "Seconds since 1970 as wall-clock text in the session's zone.",
       {"FROM_UNIXTIME(44) -> 1970-01-01 00:00:44", "FROM_UNIXTIME(44, 'HH:mm') -> 00:00"}},
      nullable({{DataType::big_int()}, {Family::kText}}, DataType::string()));
  from_seconds.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<FromUnixtimeKernel>(signature.result);
  };
  registry.add(std::move(from_seconds));
}

}  // namespace thalweg::functions
