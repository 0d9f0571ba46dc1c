#include "thalweg/planner/over_frame_binder.h"

#include <cmath>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_text.h"
#include "thalweg/planner/rules/rule.h"
#include "thalweg/types/decimal.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::ExpressionPtr;
using expression::OverBound;
using expression::OverBoundKind;

namespace {

using Written = sql::FrameBoundKind;

/// The five sentences of Calcite's SqlWindow.checkSpecialLiterals.
std::string_view contradiction(Written lower, Written upper) {
  if (lower == Written::kUnboundedFollowing) {
    return "UNBOUNDED FOLLOWING cannot be specified for the lower frame boundary";
  }
  if (upper == Written::kUnboundedPreceding) {
    return "UNBOUNDED PRECEDING cannot be specified for the upper frame boundary";
  }
  if (lower == Written::kCurrentRow && upper == Written::kPreceding) {
    return "Upper frame boundary cannot be PRECEDING when lower boundary is CURRENT ROW";
  }
  if (lower == Written::kFollowing && upper == Written::kCurrentRow) {
    return "Upper frame boundary cannot be CURRENT ROW when lower boundary is FOLLOWING";
  }
  if (lower == Written::kFollowing && upper == Written::kPreceding) {
    return "Upper frame boundary cannot be PRECEDING when lower boundary is FOLLOWING";
  }
  return {};
}

OverBoundKind kind_of(Written kind) {
  switch (kind) {
    case Written::kUnboundedPreceding:
      return OverBoundKind::kUnboundedPreceding;
    case Written::kPreceding:
      return OverBoundKind::kPreceding;
    case Written::kCurrentRow:
      return OverBoundKind::kCurrentRow;
    case Written::kFollowing:
      return OverBoundKind::kFollowing;
    case Written::kUnboundedFollowing:
      return OverBoundKind::kUnboundedFollowing;
  }
  unreachable("frame bound");
}

Value row_offset(const ExpressionPtr& offset, SourcePosition position) {
  const bool is_whole = offset->kind == ExpressionKind::kLiteral && offset->type.is_integer() &&
                        !offset->literal.is_null() && std::get<int64_t>(offset->literal.data) >= 0;
  if (!is_whole) {
    throw Error(ErrorCode::kValidation, "ROWS value must be a non-negative integral constant")
        .at(position);
  }
  return offset->literal;
}

double as_number(const ExpressionPtr& literal) {
  if (const auto* whole = std::get_if<int64_t>(&literal->literal.data)) {
    return static_cast<double>(*whole);
  }
  if (const auto* unscaled = std::get_if<Int128>(&literal->literal.data)) {
    return decimal_to_double(*unscaled, literal->type.scale());
  }
  return std::get<double>(literal->literal.data);
}

/// A distance between numbers in the order's own unit. What is finer than that is rounded so that
/// the same rows are in the frame: a bound that reaches away from the row (`grows`) down, else up.
Value number_offset(const ExpressionPtr& literal, const DataType& order, bool grows) {
  if (order.is_approximate()) {
    return Value(as_number(literal));
  }
  const auto* whole = std::get_if<int64_t>(&literal->literal.data);
  if (whole != nullptr) {
    return literal->literal;
  }
  const int32_t scale = order.kind() == TypeKind::kDecimal ? order.scale() : 0;
  Int128 distance = 0;
  if (const auto* unscaled = std::get_if<Int128>(&literal->literal.data)) {
    const int32_t finer = literal->type.scale() - scale;
    const Int128 unit = power_of_ten(std::max(finer, 0));
    distance = *unscaled * power_of_ten(std::max(-finer, 0)) / unit;
    const Int128 rest = *unscaled % unit;
    distance += grows ? (rest < 0 ? -1 : 0) : (rest > 0 ? 1 : 0);
  } else {
    const double scaled = as_number(literal) * std::pow(10.0, scale);
    distance = static_cast<Int128>(grows ? std::floor(scaled) : std::ceil(scaled));
  }
  return order.kind() == TypeKind::kDecimal ? Value(distance)
                                            : Value(static_cast<int64_t>(distance));
}

Value range_offset(const ExpressionPtr& offset,
                   const DataType& order,
                   bool grows,
                   SourcePosition position) {
  const DataType& type = offset->type;
  if (offset->kind != ExpressionKind::kLiteral || offset->literal.is_null()) {
    throw Error(ErrorCode::kValidation, "RANGE value must be a constant").at(position);
  }
  const bool is_time =
      order.is_timestamp() || order.kind() == TypeKind::kDate || order.kind() == TypeKind::kTime;
  if (!is_time && !order.is_numeric()) {
    throw Error(ErrorCode::kValidation, "Data type of ORDER BY prohibits use of RANGE clause")
        .at(position)
        .hint("Use ROWS, which counts rows.");
  }
  if (is_time && type.kind() == TypeKind::kIntervalYearMonth) {
    throw Error(ErrorCode::kValidation,
                "INTERVAL_YEAR_MONTH type is not allowed for window boundary")
        .at(position)
        .hint("Months differ in length: give a number of days.");
  }
  if (is_time ? type.kind() != TypeKind::kIntervalDayTime : !type.is_numeric()) {
    throw Error(ErrorCode::kValidation, "Data Type mismatch between ORDER BY and RANGE clause")
        .at(position)
        .hint(is_time ? "A time is followed by an interval: INTERVAL '1' HOUR PRECEDING."
                      : "A number is followed by a number: 10 PRECEDING.");
  }
  return is_time ? offset->literal : number_offset(offset, order, grows);
}

class FrameBinder {
 public:
  FrameBinder(const sql::WindowSpec& spec, ExpressionBinder& row, const OverWindow& window)
      : spec_(spec), row_(row), window_(window) {}

  OverBound bind(const sql::FrameBound& bound, bool is_lower) const {
    OverBound result{kind_of(bound.kind)};
    if (!bound.offset) {
      return result;
    }
    const SourcePosition position = bound.offset->position;
    const ExpressionPtr offset = fold(row_.bind(*bound.offset), row_.context());
    if (spec_.frame->unit == sql::FrameUnit::kRows) {
      result.offset = row_offset(offset, position);
      return result;
    }
    if (window_.order.empty()) {
      throw Error(ErrorCode::kNotSupported, "RANGE with a distance needs a column to order by")
          .at(position);
    }
    const bool grows = is_lower == (bound.kind == Written::kPreceding);
    result.offset = range_offset(offset, window_.order.front().key->type, grows, position);
    return result;
  }

  std::string text(const sql::FrameBound& bound) const {
    switch (bound.kind) {
      case Written::kUnboundedPreceding:
        return "UNBOUNDED PRECEDING";
      case Written::kCurrentRow:
        return "CURRENT ROW";
      case Written::kUnboundedFollowing:
        return "UNBOUNDED FOLLOWING";
      case Written::kPreceding:
      case Written::kFollowing:
        return fmt::format(
            "{} {}",
            expression_text(*fold(row_.bind(*bound.offset), row_.context()), {}, PlanStyle::kAst),
            bound.kind == Written::kPreceding ? "PRECEDING" : "FOLLOWING");
    }
    unreachable("frame bound");
  }

 private:
  const sql::WindowSpec& spec_;
  ExpressionBinder& row_;
  const OverWindow& window_;
};

}  // namespace

void bind_over_frame(const sql::WindowSpec& spec, ExpressionBinder& row, OverWindow& window) {
  const sql::WindowFrame& written = *spec.frame;
  const bool is_rows = written.unit == sql::FrameUnit::kRows;
  if (!is_rows && spec.order_by.size() > 1) {
    throw Error(ErrorCode::kValidation, "RANGE clause cannot be used with compound ORDER BY clause")
        .at(spec.position)
        .hint("Use ROWS, or order by one column.");
  }
  if (!is_rows && spec.order_by.empty()) {
    throw Error(ErrorCode::kValidation, "Window specification must contain an ORDER BY clause")
        .at(spec.position);
  }
  const FrameBinder binder(spec, row, window);
  window.frame.is_rows = is_rows;
  window.frame.lower = binder.bind(written.lower, true);
  window.frame.upper = binder.bind(written.upper, false);
  const std::string_view wrong = contradiction(written.lower.kind, written.upper.kind);
  if (!wrong.empty()) {
    throw Error(ErrorCode::kValidation, std::string(wrong)).at(spec.position);
  }
  const bool ends_here = written.upper.kind == Written::kCurrentRow;
  const bool is_usual = !is_rows && ends_here && written.lower.kind == Written::kUnboundedPreceding;
  if (!is_usual) {
    window.frame_text = fmt::format(" {} ", is_rows ? "ROWS" : "RANGE");
    window.frame_text += ends_here ? binder.text(written.lower)
                                   : fmt::format("BETWEEN {} AND {}",
                                                 binder.text(written.lower),
                                                 binder.text(written.upper));
  }
}

}  // namespace thalweg::planner
