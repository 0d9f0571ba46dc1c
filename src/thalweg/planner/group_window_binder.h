#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/window_spec.h"

namespace thalweg::planner {

/// "TUMBLE", "HOP" or "SESSION" for a group window's name, else nullopt.
std::optional<WindowKind> group_window_kind(const std::string& name);

/// What TUMBLE_START and its kin ask for.
struct WindowAuxiliary {
  WindowKind kind = WindowKind::kTumble;
  WindowProperty property = WindowProperty::kStart;
};

std::optional<WindowAuxiliary> window_auxiliary(const std::string& name);

/// TUMBLE(time, size) in GROUP BY, as an internal call "$TUMBLE" on the time column and the
/// literals of its intervals.
expression::ExpressionPtr bind_group_window(const sql::FunctionCall& call,
                                            WindowKind kind,
                                            ExpressionBinder& binder);

/// The value of a bound, typed property: TUMBLE_START's TIMESTAMP(3), TUMBLE_ROWTIME's time
/// attribute.
DataType window_property_type(WindowProperty property, const DataType& time_type);

/// The specification that a "$TUMBLE" call stands for; `time_column` is the operand's.
WindowSpec group_window_spec(const expression::Expression& call);

/// Two bound window calls with equal arguments.
bool same_window(const expression::Expression& left, const expression::Expression& right);

}  // namespace thalweg::planner
