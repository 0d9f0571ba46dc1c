#include <algorithm>
#include <cmath>
#include <limits>

#include "thalweg/expression/cast_kernels.h"
#include "thalweg/expression/physical.h"
#include "thalweg/expression/row_kernel.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/text.h"

namespace thalweg::expression {

namespace {

/// Java's conversion: integers wrap, floating numbers stop at the limits, NaN is 0.
template <typename To, typename From>
To java_convert(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // byte and short go through int, as in Java.
    using Wide = std::conditional_t<sizeof(To) == 8, int64_t, int32_t>;
    constexpr auto kMax = std::numeric_limits<Wide>::max();
    constexpr auto kMin = std::numeric_limits<Wide>::min();
    if (std::isnan(value)) {
      return 0;
    }
    if (value >= static_cast<From>(kMax)) {
      return static_cast<To>(kMax);
    }
    if (value <= static_cast<From>(kMin)) {
      return static_cast<To>(kMin);
    }
    return static_cast<To>(static_cast<Wide>(value));
  } else {
    return static_cast<To>(value);
  }
}

template <typename To, typename From>
std::unique_ptr<ScalarKernel> plain_cast(const DataType& target) {
  return column_kernel([target](std::span<const ColumnPtr> arguments,
                                int32_t rows,
                                const EvaluationContext&,
                                RowErrors&) {
    return map_total<To, From>(
        arguments, rows, target, [](auto value) { return java_convert<To>(value); });
  });
}

/// NULL where a decimal overflows; a NOT NULL target fails the row, as Flink's job does.
std::optional<Int128> checked(RowFault& fault,
                              std::optional<Int128> value,
                              const DataType& target) {
  if (!value && !target.is_nullable()) {
    fault.raise(Error(ErrorCode::kNumericOverflow,
                      fmt::format("The value does not fit the NOT NULL type {}",
                                  target.as_nullable().to_string())));
  }
  return value;
}

/// A number that only gets further zeros behind the point and always fits. Without sign: what lies
/// under a NULL may overflow.
template <typename From>
std::unique_ptr<ScalarKernel> scaling_cast(const DataType& target, int32_t zeros) {
  const auto factor = static_cast<unsigned __int128>(power_of_ten(zeros));
  return column_kernel([target, factor](std::span<const ColumnPtr> arguments,
                                        int32_t rows,
                                        const EvaluationContext&,
                                        RowErrors&) {
    return map_total<Int128, From>(arguments, rows, target, [factor](From value) {
      return static_cast<Int128>(static_cast<unsigned __int128>(Int128{value}) * factor);
    });
  });
}

bool only_adds_zeros(const DataType& decimal, const DataType& target) {
  // SIGN, as Flink's, gives a 1 of its argument's type, even of one that has only a fraction.
  const int32_t whole_digits = std::max(decimal.precision() - decimal.scale(), 1);
  return target.scale() >= decimal.scale() && target.precision() - target.scale() >= whole_digits;
}

/// As scaling_cast, of a number that may have more digits than the target.
template <typename From>
std::unique_ptr<ScalarKernel> checked_scaling_cast(const DataType& target, int32_t zeros) {
  const Int128 factor = power_of_ten(zeros);
  const Int128 limit = power_of_ten(target.precision() - zeros);
  return row_kernel<Int128, From>(
      target, [target, factor, limit](RowFault& fault, From value) -> std::optional<Int128> {
        if (value < limit && value > -limit) {
          return value * factor;
        }
        return checked(fault, std::nullopt, target);
      });
}

std::unique_ptr<ScalarKernel> integer_to_decimal(const DataType& source, const DataType& target) {
  return with_integer(source.kind(), [&](auto tag) {
    using From = typename decltype(tag)::Type;
    return only_adds_zeros(as_decimal(source), target)
               ? scaling_cast<From>(target, target.scale())
               : checked_scaling_cast<From>(target, target.scale());
  });
}

std::unique_ptr<ScalarKernel> floating_to_decimal(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kFloat) {
    return row_kernel<Int128, float>(target, [target](RowFault& fault, float value) {
      // Java widens the float first, which shows digits that its own text hides.
      return checked(
          fault, decimal_from_double(double{value}, target.precision(), target.scale()), target);
    });
  }
  return row_kernel<Int128, double>(target, [target](RowFault& fault, double value) {
    return checked(fault, decimal_from_double(value, target.precision(), target.scale()), target);
  });
}

std::unique_ptr<ScalarKernel> to_decimal(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kBoolean) {
    return row_kernel<Int128, bool>(target, [target](RowFault& fault, bool value) {
      return checked(
          fault, rescale_decimal(value ? 1 : 0, 0, target.scale(), target.precision()), target);
    });
  }
  if (source.is_integer()) {
    return integer_to_decimal(source, target);
  }
  if (source.is_approximate()) {
    return floating_to_decimal(source, target);
  }
  const int32_t scale = source.scale();
  if (only_adds_zeros(source, target)) {
    return scaling_cast<Int128>(target, target.scale() - scale);
  }
  if (target.scale() >= scale && target.scale() - scale <= target.precision()) {
    return checked_scaling_cast<Int128>(target, target.scale() - scale);
  }
  return row_kernel<Int128, Int128>(target, [target, scale](RowFault& fault, Int128 value) {
    return checked(
        fault, rescale_decimal(value, scale, target.scale(), target.precision()), target);
  });
}

std::unique_ptr<ScalarKernel> from_decimal(const DataType& source, const DataType& target) {
  const int32_t scale = source.scale();
  return with_number(target.kind(), [&](auto tag) {
    using To = typename decltype(tag)::Type;
    return row_kernel<To, Int128>(target, [scale](Int128 value) {
      if constexpr (std::is_floating_point_v<To>) {
        return static_cast<To>(decimal_to_double(value, scale));
      } else {
        return static_cast<To>(value / power_of_ten(scale));
      }
    });
  });
}

std::unique_ptr<ScalarKernel> to_boolean(const DataType& source, const DataType& target) {
  if (source.kind() == TypeKind::kDecimal) {
    return row_kernel<bool, Int128>(target, [](Int128 value) { return value != 0; });
  }
  return with_number(source.kind(), [&](auto tag) {
    using From = typename decltype(tag)::Type;
    return row_kernel<bool, From>(target, [](From value) { return value != 0; });
  });
}

/// What one of an interval's unit is stored as: months or milliseconds.
int64_t stored_unit(const DataType& interval) {
  const std::string& unit = interval.interval_leading();
  if (interval.kind() == TypeKind::kIntervalYearMonth) {
    return unit == "YEAR" ? 12 : 1;
  }
  return unit == "DAY"      ? kMsPerDay
         : unit == "HOUR"   ? kMsPerHour
         : unit == "MINUTE" ? kMsPerMinute
                            : kMsPerSecond;
}

/// A number of an interval's units; parts of what is stored are cut off.
template <typename Stored>
std::unique_ptr<ScalarKernel> count_units(const DataType& source, const DataType& target) {
  const int64_t unit = stored_unit(target);
  if (source.kind() == TypeKind::kDecimal) {
    const Int128 one = power_of_ten(source.scale());
    return row_kernel<Stored, Int128>(target, [unit, one](Int128 value) {
      // Whole units apart, lest the product leave 128 bits.
      return static_cast<Stored>(value / one * unit + value % one * unit / one);
    });
  }
  return with_integer(source.kind(), [&](auto tag) {
    using From = typename decltype(tag)::Type;
    return row_kernel<Stored, From>(target, [unit](From value) {
      return static_cast<Stored>(static_cast<uint64_t>(int64_t{value}) *
                                 static_cast<uint64_t>(unit));
    });
  });
}

}  // namespace

std::unique_ptr<ScalarKernel> make_number_cast(const DataType& source, const DataType& target) {
  if (target.kind() == TypeKind::kIntervalYearMonth) {
    return count_units<int32_t>(source, target);
  }
  if (target.kind() == TypeKind::kIntervalDayTime) {
    return count_units<int64_t>(source, target);
  }
  if (target.kind() == TypeKind::kDecimal) {
    return to_decimal(source, target);
  }
  if (target.kind() == TypeKind::kBoolean) {
    return to_boolean(source, target);
  }
  if (source.kind() == TypeKind::kDecimal) {
    return from_decimal(source, target);
  }
  return with_number(target.kind(), [&](auto to) {
    using To = typename decltype(to)::Type;
    if (source.kind() == TypeKind::kBoolean) {
      return plain_cast<To, uint8_t>(target);
    }
    return with_number(source.kind(), [&](auto from) {
      return plain_cast<To, typename decltype(from)::Type>(target);
    });
  });
}

}  // namespace thalweg::expression
