#include <limits>

#include "thalweg/expression/cast_kernels.h"
#include "thalweg/expression/physical.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/session_zone.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/text.h"

namespace thalweg::expression {

namespace {

/// Flink's words for a text that is no number.
Error bad_number(std::string_view text) {
  bool blank = true;
  bool plain = true;
  for (const char c : text) {
    blank = blank && static_cast<unsigned char>(c) <= ' ';
    plain = plain && (static_cast<unsigned char>(c) <= ' ' || c == '-' || c == '+' || c == '.' ||
                      (c >= '0' && c <= '9'));
  }
  return Error(ErrorCode::kCastFailed,
               fmt::format("For input string: '{}'. {}",
                           text,
                           blank   ? "Input is empty."
                           : plain ? "Overflow."
                                   : "Invalid character found."));
}

template <typename T>
std::optional<T> parsed(RowFault& fault, std::optional<T> value, std::string_view text) {
  if (!value) {
    fault.raise(bad_number(text));
  }
  return value;
}

std::unique_ptr<ScalarKernel> parse_integer(const DataType& target) {
  return with_integer(target.kind(), [&](auto tag) {
    using To = typename decltype(tag)::Type;
    return row_kernel<To, std::string_view>(
        target, [](RowFault& fault, std::string_view text) -> std::optional<To> {
          const auto value = text::parse_int64(text);
          if (!value || *value < std::numeric_limits<To>::min() ||
              *value > std::numeric_limits<To>::max()) {
            fault.raise(bad_number(text));
            return std::nullopt;
          }
          return static_cast<To>(*value);
        });
  });
}

std::unique_ptr<ScalarKernel> parse_number(const DataType& target) {
  switch (target.kind()) {
    case TypeKind::kFloat:
      return row_kernel<float, std::string_view>(
          target, [](RowFault& fault, std::string_view text) -> std::optional<float> {
            const auto value = parsed(fault, text::parse_double(text), text);
            return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
          });
    case TypeKind::kDouble:
      return row_kernel<double, std::string_view>(
          target, [](RowFault& fault, std::string_view text) {
            return parsed(fault, text::parse_double(text), text);
          });
    case TypeKind::kDecimal:
      return row_kernel<Int128, std::string_view>(
          target, [target](RowFault& fault, std::string_view text) {
            auto value = text::parse_decimal(text, target.precision(), target.scale());
            // A number that is only too big is NULL.
            if (!value && (!text::parse_double(text) || !target.is_nullable())) {
              fault.raise(bad_number(text));
            }
            return value;
          });
    default:
      return parse_integer(target);
  }
}

/// Flink's words for a text that is no date or time.
template <typename T>
std::optional<T> parsed_time(RowFault& fault, std::optional<T> value, std::string_view text) {
  if (!value) {
    fault.raise(Error(ErrorCode::kCastFailed, fmt::format("For input string: '{}'.", text)));
  }
  return value;
}

template <typename Stored>
class TimestampParser final : public ScalarKernel {
 public:
  explicit TimestampParser(DataType target) : target_(std::move(target)) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext& context,
                     RowErrors& errors) override {
    const bool is_ltz = target_.kind() == TypeKind::kTimestampLtz;
    const TimeZone& zone = zone_.of(context);
    const int32_t precision = target_.precision();
    return map_rows<Stored, std::string_view>(
        arguments,
        rows,
        target_,
        errors,
        [&](RowFault& fault, std::string_view text) -> std::optional<Stored> {
          auto value = parsed_time(fault, text::parse_timestamp(text, precision), text);
          if (value && is_ltz) {
            const Int128 per_ms = precision <= 3 ? 1 : kNanosPerMs;
            const Int128 ms = floor_divide(*value, per_ms);
            const Int128 instant = zone.to_instant(static_cast<int64_t>(ms));
            value = instant * per_ms + (*value - ms * per_ms);
          }
          return value ? std::optional(static_cast<Stored>(*value)) : std::nullopt;
        });
  }

 private:
  DataType target_;
  SessionZone zone_;
};

std::unique_ptr<ScalarKernel> parse_temporal(const DataType& target) {
  if (target.kind() == TypeKind::kDate) {
    return row_kernel<int32_t, std::string_view>(
        target, [](RowFault& fault, std::string_view text) {
          return parsed_time(fault, text::parse_date(text), text);
        });
  }
  if (target.kind() == TypeKind::kTime) {
    return row_kernel<int32_t, std::string_view>(
        target, [](RowFault& fault, std::string_view text) {
          return parsed_time(fault, text::parse_time(text), text);
        });
  }
  if (target.physical() == PhysicalKind::kInt64) {
    return std::make_unique<TimestampParser<int64_t>>(target);
  }
  return std::make_unique<TimestampParser<Int128>>(target);
}

}  // namespace

std::unique_ptr<ScalarKernel> make_parsing_cast(const DataType& source, const DataType& target) {
  static_cast<void>(source);
  if (target.is_numeric()) {
    return parse_number(target);
  }
  if (target.kind() == TypeKind::kBoolean) {
    return row_kernel<bool, std::string_view>(target, [](RowFault& fault, std::string_view text) {
      const auto value = text::parse_boolean(text);
      if (!value) {
        fault.raise(
            Error(ErrorCode::kCastFailed, fmt::format("Cannot parse '{}' as BOOLEAN.", text)));
      }
      return value;
    });
  }
  return parse_temporal(target);
}

}  // namespace thalweg::expression
