#include "thalweg/planner/expression_text.h"

#include <fmt/format.h>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/planner/search_text.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

bool is_hidden_cast(const Expression& expr) {
  if (expr.kind != ExpressionKind::kCast || !expr.is_implicit) {
    return false;
  }
  const DataType& from = expr.operands[0]->type;
  return (from.is_numeric() && expr.type.is_numeric()) ||
         (from.is_character() && expr.type.is_character()) ||
         (from.is_timestamp() && from.kind() == expr.type.kind());
}

const Expression& shown(const Expression& expr) {
  return is_hidden_cast(expr) ? shown(*expr.operands[0]) : expr;
}

/// The operators for which Calcite leaves out a literal's type when the other side has the same.
bool is_simple_binary(std::string_view name) {
  static constexpr std::string_view kNames[] = {
      "+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">="};
  for (const std::string_view candidate : kNames) {
    if (candidate == name) {
      return true;
    }
  }
  return false;
}

/// Keyword arguments, which the registry takes as texts: FLAG(DAY).
bool takes_symbol(std::string_view function, size_t argument) {
  if (function == "FLOOR" || function == "CEIL" || function == "CEILING") {
    return argument == 1;
  }
  return argument == 0 && (function == "EXTRACT" || function == "TIMESTAMPADD" ||
                           function == "TIMESTAMPDIFF" || function == "TRIM");
}

/// A literal beside a value that "=" and "<>" compare it with: Calcite gives it that one's type.
DataType compared_type(const DataType& literal, const DataType& other) {
  const bool widens = (literal.is_integer() && other.is_integer()) ||
                      (literal.is_character() && other.is_character());
  return widens ? other : literal;
}

class Writer {
 public:
  Writer(const Schema& input, PlanStyle style, bool simplifies)
      : input_(input),
        style_(style == PlanStyle::kBatchPhysical ? PlanStyle::kPhysical : style),
        simplifies_(simplifies),
        is_batch_(style == PlanStyle::kBatchPhysical) {}

  /// Columns are written as these texts.
  void set_columns(const std::vector<std::string>& texts) { columns_ = &texts; }

  std::string write(const Expression& raw, bool with_type = true) const {
    const Expression& expr = shown(raw);
    switch (expr.kind) {
      case ExpressionKind::kLiteral:
        return literal_text(expr.literal, expr.type, literal_style(), with_type);
      case ExpressionKind::kColumn:
        return column(static_cast<size_t>(expr.column.value));
      case ExpressionKind::kCall:
        return call(expr);
      case ExpressionKind::kCast:
        return cast("CAST", expr);
      case ExpressionKind::kTryCast:
        return cast("TRY_CAST", expr);
      case ExpressionKind::kCase:
        return prefix("CASE", expr);
      case ExpressionKind::kAnd:
        return logical("AND", expr);
      case ExpressionKind::kOr:
        return logical("OR", expr);
      case ExpressionKind::kCoalesce:
        return prefix("COALESCE", expr);
      case ExpressionKind::kCurrentWatermark:
        return "CURRENT_WATERMARK()";
    }
    return {};
  }

 private:
  /// The physical plans of batch mode write literals as execution plans do.
  PlanStyle literal_style() const { return is_batch_ ? PlanStyle::kExecution : style_; }

  std::string column(size_t index) const {
    if (columns_ != nullptr) {
      return columns_->at(index);
    }
    return style_ == PlanStyle::kAst ? fmt::format("${}", index) : input_.at(index).name;
  }

  std::string operand(const Expression& expr, std::string_view name, size_t index) const {
    const Expression& node = shown(*expr.operands[index]);
    if (node.kind != ExpressionKind::kLiteral) {
      return write(node);
    }
    if (takes_symbol(name, index) && node.type.is_character()) {
      return fmt::format("FLAG({})", std::get<std::string>(node.literal.data));
    }
    bool with_type = true;
    if (expr.operands.size() == 2 && is_simple_binary(name)) {
      const Expression& other = shown(*expr.operands[1 - index]);
      if (style_ == PlanStyle::kPhysical && !is_batch_ && (name == "=" || name == "<>") &&
          other.kind != ExpressionKind::kLiteral) {
        return literal_text(node.literal, compared_type(node.type, other.type), style_, true);
      }
      const bool plain = other.kind != ExpressionKind::kLiteral ||
                         other.type.kind() == TypeKind::kInt ||
                         other.type.kind() == TypeKind::kChar;
      const bool stays_typed = style_ == PlanStyle::kPhysical && !is_batch_ &&
                               node.type.is_integer() && node.type.kind() != TypeKind::kInt;
      with_type = stays_typed || !(plain && node.type.equals_ignoring_nullability(other.type));
    }
    return write(node, with_type);
  }

  std::vector<std::string> operands(const Expression& expr, std::string_view name) const {
    std::vector<std::string> texts;
    for (size_t i = 0; i < expr.operands.size(); ++i) {
      texts.push_back(operand(expr, name, i));
    }
    return texts;
  }

  std::string prefix(std::string_view name, const Expression& expr) const {
    return fmt::format("{}({})", name, fmt::join(operands(expr, name), ", "));
  }

  std::string logical(std::string_view name, const Expression& expr) const {
    if (!simplifies_) {
      return prefix(name, expr);
    }
    const PlanStyle style = is_batch_ ? PlanStyle::kBatchPhysical : style_;
    return joined(name, simplified_operands(expr, style, [this](const Expression& operand) {
                    return write(operand);
                  }));
  }

  std::string joined(std::string_view name, const std::vector<std::string>& operands) const {
    if (operands.size() == 1) {
      return operands.front();
    }
    return style_ == PlanStyle::kExecution
               ? fmt::format("({})", fmt::join(operands, fmt::format(" {} ", name)))
               : fmt::format("{}({})", name, fmt::join(operands, ", "));
  }

  /// NOT goes down to the comparisons.
  std::string negated(const Expression& expr) const {
    if (expr.kind == ExpressionKind::kAnd || expr.kind == ExpressionKind::kOr) {
      std::vector<std::string> parts;
      for (const ExpressionPtr& operand : expr.operands) {
        parts.push_back(negated(*operand));
      }
      return joined(expr.kind == ExpressionKind::kAnd ? "OR" : "AND", parts);
    }
    if (expr.kind == ExpressionKind::kCall && expr.operands.size() == 2) {
      if (const auto name = negated_comparison(expr.function->name())) {
        const std::vector<std::string> sides = operands(expr, *name);
        return style_ == PlanStyle::kExecution
                   ? fmt::format("({} {} {})", sides[0], *name, sides[1])
                   : fmt::format("{}({}, {})", *name, sides[0], sides[1]);
      }
    }
    return fmt::format("NOT({})", write(expr));
  }

  std::string cast(std::string_view name, const Expression& expr) const {
    const std::string value = write(*expr.operands[0]);
    switch (literal_style()) {
      case PlanStyle::kAst:
        return expr.kind == ExpressionKind::kTryCast
                   ? fmt::format("{}({})", name, value)
                   : fmt::format("{}({}):{}", name, value, full_plan_type(expr.type, true));
      case PlanStyle::kPhysical:
      case PlanStyle::kBatchPhysical:
        return fmt::format("{}({} AS {})", name, value, full_plan_type(expr.type, true));
      case PlanStyle::kExecution:
        return fmt::format("{}({} AS {})", name, value, plan_type(expr.type));
    }
    return {};
  }

  std::string call(const Expression& expr) const {
    std::string_view name = expr.function->name();
    if (name == "[]") {
      name = "ITEM";
    } else if (name == "%") {
      return prefix("MOD", expr);
    } else if (name == "NOT" && simplifies_) {
      return negated(shown(*expr.operands[0]));
    }
    if (name == ".") {
      return fmt::format(
          "{}.{}", write(*expr.operands[0]), std::get<std::string>(expr.operands[1]->literal.data));
    }
    const bool is_operator = !expr.function->infix.empty();
    if (style_ != PlanStyle::kExecution || !is_operator) {
      return prefix(name, expr);
    }
    if (expr.operands.size() == 1) {
      const bool postfix = expr.function->infix.starts_with("{0}") && name.starts_with("IS ");
      return postfix ? fmt::format("{} {}", write(*expr.operands[0]), name)
                     : fmt::format("{}({})", name, write(*expr.operands[0]));
    }
    return fmt::format("({})", fmt::join(operands(expr, name), fmt::format(" {} ", name)));
  }

  const Schema& input_;
  PlanStyle style_;
  bool simplifies_;
  bool is_batch_ = false;
  const std::vector<std::string>* columns_ = nullptr;
};

/// Operands two by two: "OR(OR(a, b), c)".
std::string nested_text(std::string_view name, const std::vector<std::string>& parts) {
  std::string text = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) {
    text = fmt::format("{}({}, {})", name, text, parts[i]);
  }
  return text;
}

std::string pushed_operand_text(const Expression& expr, const Schema& input) {
  if (expr.kind != ExpressionKind::kAnd && expr.kind != ExpressionKind::kOr) {
    return Writer(input, PlanStyle::kPhysical, true).write(expr);
  }
  std::vector<std::string> parts;
  for (const ExpressionPtr& operand : expr.operands) {
    parts.push_back(pushed_operand_text(*operand, input));
  }
  return nested_text(expr.kind == ExpressionKind::kAnd ? "AND" : "OR", parts);
}

}  // namespace

std::string expression_text(const Expression& expr, const Schema& input, PlanStyle style) {
  return Writer(input, style, style != PlanStyle::kAst).write(expr);
}

std::string projection_text(const Expression& expr, const Schema& input) {
  return Writer(input, PlanStyle::kAst, true).write(expr);
}

std::string projection_text(const Expression& expr, const std::vector<std::string>& columns) {
  const Schema none;
  Writer writer(none, PlanStyle::kAst, true);
  writer.set_columns(columns);
  return writer.write(expr);
}

std::string pushed_filter_text(const Expression& condition, const Schema& input) {
  if (condition.kind != ExpressionKind::kAnd) {
    return pushed_operand_text(condition, input);
  }
  std::vector<std::string> parts;
  for (const ExpressionPtr& operand : condition.operands) {
    parts.push_back(pushed_operand_text(*operand, input));
  }
  return nested_text("and", parts);
}

}  // namespace thalweg::planner
