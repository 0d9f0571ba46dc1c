#include "thalweg/planner/group_window_binder.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/internal_functions.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;

std::optional<WindowKind> group_window_kind(const std::string& name) {
  if (name == "TUMBLE") {
    return WindowKind::kTumble;
  }
  if (name == "HOP") {
    return WindowKind::kHop;
  }
  if (name == "SESSION") {
    return WindowKind::kSession;
  }
  return std::nullopt;
}

std::optional<WindowAuxiliary> window_auxiliary(const std::string& name) {
  const size_t underscore = name.find('_');
  if (underscore == std::string::npos) {
    return std::nullopt;
  }
  const std::optional<WindowKind> kind = group_window_kind(name.substr(0, underscore));
  if (!kind) {
    return std::nullopt;
  }
  const std::string suffix = name.substr(underscore + 1);
  if (suffix == "START") {
    return WindowAuxiliary{*kind, WindowProperty::kStart};
  }
  if (suffix == "END") {
    return WindowAuxiliary{*kind, WindowProperty::kEnd};
  }
  if (suffix == "ROWTIME") {
    return WindowAuxiliary{*kind, WindowProperty::kRowTime};
  }
  if (suffix == "PROCTIME") {
    return WindowAuxiliary{*kind, WindowProperty::kProcessingTime};
  }
  return std::nullopt;
}

namespace {

std::string_view window_name(WindowKind kind) {
  switch (kind) {
    case WindowKind::kTumble:
      return "TUMBLE";
    case WindowKind::kHop:
      return "HOP";
    case WindowKind::kCumulate:
      return "CUMULATE";
    case WindowKind::kSession:
      return "SESSION";
  }
  return {};
}

[[noreturn]] void refuse_arguments(std::string_view name,
                                   WindowKind kind,
                                   const std::vector<ExpressionPtr>& operands,
                                   SourcePosition position) {
  std::string given;
  for (const ExpressionPtr& operand : operands) {
    given += fmt::format("{}<{}>", given.empty() ? "" : ", ", plan_type(operand->type));
  }
  const std::string_view intervals = kind == WindowKind::kHop
                                         ? "<DATETIME>, <DATETIME_INTERVAL>, <DATETIME_INTERVAL>"
                                         : "<DATETIME>, <DATETIME_INTERVAL>";
  throw Error(ErrorCode::kTypeMismatch,
              fmt::format("Cannot apply '${0}' to arguments of type '${0}({1})'. Supported "
                          "form(s): '${0}({2})'\n'${0}({2}, <TIME>)'",
                          name,
                          given,
                          intervals))
      .at(position);
}

}  // namespace

namespace {

/// The argument of the Table API's row_interval(n), or null.
const sql::Expr* row_count(const sql::Expr& argument) {
  const auto* call = sql::if_a<sql::FunctionCall>(argument);
  const bool counts =
      call != nullptr && function_name(*call) == "$ROW_INTERVAL" && call->args.size() == 1;
  return counts ? call->args.front().get() : nullptr;
}

ExpressionPtr bind_row_count(const sql::Expr& rows, ExpressionBinder& binder) {
  const ExpressionPtr bound = binder.bind(rows);
  const bool is_number = bound->kind == ExpressionKind::kLiteral && bound->type.is_integer() &&
                         !bound->literal.is_null();
  if (!is_number || std::get<int64_t>(bound->literal.data) < 1) {
    throw Error(ErrorCode::kValidation, "A window's number of rows is a whole number from 1")
        .at(rows.position);
  }
  return expression::make_literal(DataType::big_int().not_null(), bound->literal, rows.position);
}

bool counts_rows(const std::vector<ExpressionPtr>& operands) {
  return std::any_of(operands.begin() + 1, operands.end(), [](const ExpressionPtr& operand) {
    return operand->type.kind() == TypeKind::kBigInt;
  });
}

void check_count_window(WindowKind kind,
                        const DataType& time,
                        const ExpressionBinder& binder,
                        SourcePosition position) {
  if (kind == WindowKind::kSession) {
    throw Error(ErrorCode::kValidation, "A session window takes a gap of time, not of rows")
        .at(position);
  }
  if (binder.context().is_batch()) {
    throw Error(ErrorCode::kNotSupported,
                "Windows of a number of rows are not supported in batch mode")
        .at(position);
  }
  if (time.time_attribute() != TimeAttribute::kProcessingTime) {
    throw Error(ErrorCode::kNotSupported,
                "Event-time grouping windows on row intervals are currently not supported.")
        .at(position)
        .hint("Define the window on a column AS PROCTIME().");
  }
}

}  // namespace

ExpressionPtr bind_group_window(const sql::FunctionCall& call,
                                WindowKind kind,
                                ExpressionBinder& binder) {
  const std::string_view name = window_name(kind);
  std::vector<ExpressionPtr> operands;
  for (const sql::ExprPtr& argument : call.args) {
    const sql::Expr* rows = row_count(*argument);
    operands.push_back(rows == nullptr ? binder.bind(*argument) : bind_row_count(*rows, binder));
  }
  const size_t intervals = kind == WindowKind::kHop ? 2 : 1;
  bool fits = operands.size() == intervals + 1 && operands[0]->type.is_timestamp();
  const bool by_rows = fits && counts_rows(operands);
  const TypeKind wanted = by_rows ? TypeKind::kBigInt : TypeKind::kIntervalDayTime;
  for (size_t i = 1; i < operands.size(); ++i) {
    fits = fits && operands[i]->type.kind() == wanted;
  }
  if (!fits) {
    refuse_arguments(name, kind, operands, call.position);
  }
  for (size_t i = 1; i < operands.size(); ++i) {
    if (operands[i]->kind != ExpressionKind::kLiteral) {
      throw Error(ErrorCode::kNotSupported, "Only constant window descriptors are supported.")
          .at(operands[i]->position);
    }
  }
  const DataType& time = operands[0]->type;
  if (!binder.context().is_batch() && !time.is_time_attribute()) {
    throw Error(ErrorCode::kValidation,
                "Window aggregate can only be defined over a time attribute column, but " +
                    plan_type(time) + " encountered.")
        .at(operands[0]->position)
        .hint("Declare a WATERMARK for the column, or a column AS PROCTIME().");
  }
  if (by_rows) {
    check_count_window(kind, time, binder, call.position);
  }
  const DataType type = time.not_null();
  return internal_call(fmt::format("${}", name), type, std::move(operands), call.position);
}

DataType window_property_type(WindowProperty property, const DataType& time_type) {
  switch (property) {
    case WindowProperty::kStart:
    case WindowProperty::kEnd:
      return DataType::timestamp(3).not_null();
    case WindowProperty::kRowTime:
      return time_type.not_null();
    case WindowProperty::kProcessingTime:
      return DataType::timestamp_ltz(3).not_null().with_time_attribute(
          TimeAttribute::kProcessingTime);
  }
  unreachable("window property");
}

WindowSpec group_window_spec(const Expression& call) {
  WindowSpec spec;
  const std::string_view name = internal_name(call);
  const auto interval = [&](size_t index) {
    return std::get<int64_t>(call.operands[index]->literal.data);
  };
  const DataType& time = call.operands[0]->type;
  spec.is_row_time = time.time_attribute() != TimeAttribute::kProcessingTime;
  spec.uses_session_zone = time.kind() == TypeKind::kTimestampLtz;
  spec.time_column = call.operands[0]->column;
  spec.counts_rows = call.operands[1]->type.kind() == TypeKind::kBigInt;
  if (name == "$HOP") {
    spec.kind = WindowKind::kHop;
    spec.slide_ms = interval(1);
    spec.size_ms = interval(2);
  } else {
    spec.kind = name == "$SESSION" ? WindowKind::kSession : WindowKind::kTumble;
    spec.size_ms = interval(1);
  }
  return spec;
}

bool same_window(const Expression& left, const Expression& right) {
  if (internal_name(left) != internal_name(right) ||
      left.operands.size() != right.operands.size()) {
    return false;
  }
  for (size_t i = 0; i < left.operands.size(); ++i) {
    const Expression& one = *left.operands[i];
    const Expression& other = *right.operands[i];
    const bool literals =
        one.kind == ExpressionKind::kLiteral && other.kind == ExpressionKind::kLiteral;
    if (literals ? !(one.literal == other.literal) : !expression::equal(one, other)) {
      return false;
    }
  }
  return true;
}

}  // namespace thalweg::planner
