#include "thalweg/planner/search_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/planner/type_text.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

/// One end of a range; no value: unbounded.
struct Bound {
  std::optional<Value> value;
  bool closed = false;
};

struct Range {
  Bound low;
  Bound high;

  bool is_point() const {
    return low.value && high.value && low.closed && high.closed && *low.value == *high.value;
  }
};

/// Values of one type, sorted, apart from one another.
using Ranges = std::vector<Range>;

bool less(const Value& left, const Value& right) {
  return left.data < right.data;
}

/// Whether a range that begins at `left` begins before one at `right`.
bool starts_before(const Bound& left, const Bound& right) {
  if (!left.value || !right.value) {
    return !left.value && right.value;
  }
  return less(*left.value, *right.value) ||
         (*left.value == *right.value && left.closed && !right.closed);
}

bool ends_before(const Bound& left, const Bound& right) {
  if (!left.value || !right.value) {
    return left.value && !right.value;
  }
  return less(*left.value, *right.value) ||
         (*left.value == *right.value && !left.closed && right.closed);
}

bool is_empty(const Range& range) {
  if (!range.low.value || !range.high.value) {
    return false;
  }
  return less(*range.high.value, *range.low.value) ||
         (*range.low.value == *range.high.value && !(range.low.closed && range.high.closed));
}

/// Whether nothing lies between the end of one range and the start of the next.
bool touches(const Bound& end, const Bound& start) {
  if (!end.value || !start.value) {
    return true;
  }
  return less(*start.value, *end.value) ||
         (*start.value == *end.value && (start.closed || end.closed));
}

Ranges united(Ranges ranges, const Ranges& more) {
  ranges.insert(ranges.end(), more.begin(), more.end());
  std::stable_sort(ranges.begin(), ranges.end(), [](const Range& left, const Range& right) {
    return starts_before(left.low, right.low);
  });
  Ranges result;
  for (const Range& range : ranges) {
    if (!result.empty() && touches(result.back().high, range.low)) {
      if (ends_before(result.back().high, range.high)) {
        result.back().high = range.high;
      }
    } else {
      result.push_back(range);
    }
  }
  return result;
}

Ranges intersected(const Ranges& left, const Ranges& right) {
  Ranges result;
  for (const Range& a : left) {
    for (const Range& b : right) {
      const Range both{starts_before(a.low, b.low) ? b.low : a.low,
                       ends_before(a.high, b.high) ? a.high : b.high};
      if (!is_empty(both)) {
        result.push_back(both);
      }
    }
  }
  return result;
}

/// What one operand says of one expression.
struct Term {
  ExpressionPtr subject;
  DataType type;
  Ranges ranges;
  bool with_null = false;
};

const Expression& unwrapped(const ExpressionPtr& expr) {
  const bool hidden = expr->kind == ExpressionKind::kCast && expr->is_implicit;
  return hidden ? unwrapped(expr->operands[0]) : *expr;
}

std::optional<Ranges> ranges_of(std::string_view comparison, const Value& value) {
  const Bound open{value, false};
  const Bound closed{value, true};
  if (comparison == "=") {
    return Ranges{{closed, closed}};
  }
  if (comparison == "<>") {
    return Ranges{{{}, open}, {open, {}}};
  }
  if (comparison == "<") {
    return Ranges{{{}, open}};
  }
  if (comparison == "<=") {
    return Ranges{{{}, closed}};
  }
  if (comparison == ">") {
    return Ranges{{open, {}}};
  }
  if (comparison == ">=") {
    return Ranges{{closed, {}}};
  }
  return std::nullopt;
}

/// Doubles and nested values stay as they are written.
bool is_searchable(const DataType& type) {
  return type.is_integer() || type.is_character() || type.kind() == TypeKind::kDate ||
         type.is_timestamp() || type.kind() == TypeKind::kDecimal;
}

std::optional<Term> comparison_term(const Expression& expr) {
  if (expr.kind != ExpressionKind::kCall || expr.operands.size() != 2) {
    return std::nullopt;
  }
  const Expression& literal = unwrapped(expr.operands[1]);
  if (literal.kind != ExpressionKind::kLiteral || literal.literal.is_null() ||
      unwrapped(expr.operands[0]).kind == ExpressionKind::kLiteral ||
      !is_searchable(literal.type)) {
    return std::nullopt;
  }
  const std::string& name = expr.function->name();
  auto ranges = ranges_of(name, literal.literal);
  if (!ranges) {
    return std::nullopt;
  }
  // Of "=" and "<>" the literal has the type of what it is compared with.
  const DataType& compared = unwrapped(expr.operands[0]).type;
  const bool adapts = (name == "=" || name == "<>") && compared.is_integer();
  return Term{
      expr.operands[0],
      (adapts ? compared : literal.type).with_time_attribute(TimeAttribute::kNone).as_nullable(),
      std::move(*ranges),
      false};
}

std::optional<Term> term_of(const Expression& expr);

/// An AND or OR that is about one expression alone.
std::optional<Term> junction_term(const Expression& expr) {
  std::optional<Term> result;
  for (const ExpressionPtr& operand : expr.operands) {
    std::optional<Term> next = term_of(*operand);
    if (!next || next->with_null) {
      return std::nullopt;
    }
    if (!result) {
      result = std::move(next);
      continue;
    }
    if (!expression::equal(*result->subject, *next->subject) || result->type != next->type) {
      return std::nullopt;
    }
    result->ranges = expr.kind == ExpressionKind::kAnd
                         ? intersected(result->ranges, next->ranges)
                         : united(std::move(result->ranges), next->ranges);
  }
  return result;
}

std::optional<Term> term_of(const Expression& expr) {
  if (expr.kind == ExpressionKind::kAnd || expr.kind == ExpressionKind::kOr) {
    return junction_term(expr);
  }
  if (expr.kind == ExpressionKind::kCall && expr.operands.size() == 1 &&
      expr.function->name() == "IS NULL" && is_searchable(expr.operands[0]->type)) {
    return Term{expr.operands[0], {}, {}, true};
  }
  return comparison_term(expr);
}

class TermText {
 public:
  TermText(const Term& term, PlanStyle style) : term_(term), style_(style) {}

  std::string write(const std::string& subject) const {
    const Ranges& ranges = term_.ranges;
    if (!term_.with_null) {
      if (ranges.empty()) {
        return "false";
      }
      if (ranges.size() == 1 && ranges[0].is_point()) {
        return comparison("=", subject, *ranges[0].low.value);
      }
      if (ranges.size() == 1 && !ranges[0].low.value && ranges[0].high.value) {
        return comparison(ranges[0].high.closed ? "<=" : "<", subject, *ranges[0].high.value);
      }
      if (ranges.size() == 1 && !ranges[0].high.value && ranges[0].low.value) {
        return comparison(ranges[0].low.closed ? ">=" : ">", subject, *ranges[0].low.value);
      }
      if (is_all_but_one()) {
        return comparison("<>", subject, *ranges[0].high.value);
      }
    }
    return fmt::format("SEARCH({}, {})", subject, sarg());
  }

 private:
  bool is_all_but_one() const {
    const Ranges& ranges = term_.ranges;
    return ranges.size() == 2 && !ranges[0].low.value && !ranges[1].high.value &&
           *ranges[0].high.value == *ranges[1].low.value;
  }

  /// Literals without their types.
  bool is_bare() const {
    return style_ == PlanStyle::kExecution || style_ == PlanStyle::kBatchPhysical;
  }

  std::string literal(const Value& value, bool with_type) const {
    return literal_text(value, term_.type, is_bare() ? PlanStyle::kExecution : style_, with_type);
  }

  std::string comparison(std::string_view name,
                         const std::string& subject,
                         const Value& value) const {
    return style_ == PlanStyle::kExecution
               ? fmt::format("({} {} {})", subject, name, literal(value, false))
               : fmt::format("{}({}, {})", name, subject, literal(value, true));
  }

  bool shows_type() const {
    return !is_bare() && term_.type.kind() != TypeKind::kInt &&
           term_.type.kind() != TypeKind::kDate;
  }

  /// Calcite writes the literals of a Sarg by another printer: 1L:BIGINT, and texts always in full.
  std::string member(const Value& value) const {
    if (term_.type.is_character()) {
      const bool typed = shows_type() && term_.type.kind() == TypeKind::kVarChar;
      return literal_text(value, term_.type, PlanStyle::kPhysical, typed);
    }
    const std::string text = literal(value, false);
    if (!shows_type()) {
      return text;
    }
    return fmt::format("{}{}:{}",
                       text,
                       term_.type.kind() == TypeKind::kBigInt ? "L" : "",
                       full_plan_type(term_.type, false));
  }

  std::string range(const Range& range) const {
    if (range.is_point()) {
      return member(*range.low.value);
    }
    const std::string low = range.low.value ? member(*range.low.value) : "-∞";
    const std::string high = range.high.value ? member(*range.high.value) : "+∞";
    return fmt::format("{}{}..{}{}",
                       range.low.value && range.low.closed ? '[' : '(',
                       low,
                       high,
                       range.high.value && range.high.closed ? ']' : ')');
  }

  std::string sarg() const {
    std::vector<std::string> parts;
    for (const Range& part : term_.ranges) {
      parts.push_back(range(part));
    }
    std::string text =
        fmt::format("Sarg[{}{}]", fmt::join(parts, ", "), term_.with_null ? "; NULL AS TRUE" : "");
    if (shows_type()) {
      text += ":" + full_plan_type(term_.type, false);
    }
    return text;
  }

  const Term& term_;
  PlanStyle style_;
};

/// Operands about one expression, merged.
struct Group {
  Term term;
  size_t members = 1;
  const Expression* first = nullptr;
};

bool merge(Group& group, const Term& next, ExpressionKind junction) {
  if (!expression::equal(*group.term.subject, *next.subject)) {
    return false;
  }
  if (next.with_null || group.term.with_null) {
    if (junction == ExpressionKind::kAnd) {
      return false;
    }
    group.term.with_null = true;
    group.term.type = group.term.subject->type.as_nullable();
    group.term.ranges = united(std::move(group.term.ranges), next.ranges);
  } else {
    if (group.term.type != next.type) {
      return false;
    }
    group.term.ranges = junction == ExpressionKind::kAnd
                            ? intersected(group.term.ranges, next.ranges)
                            : united(std::move(group.term.ranges), next.ranges);
  }
  ++group.members;
  return true;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNegations = {
    {{"=", "<>"}, {"<>", "="}, {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}}};

}  // namespace

std::vector<std::string> simplified_operands(const Expression& junction,
                                             PlanStyle style,
                                             const WriteExpression& write) {
  std::vector<Group> groups;
  for (const ExpressionPtr& operand : junction.operands) {
    std::optional<Term> term = term_of(*operand);
    bool merged = false;
    for (Group& group : groups) {
      merged = merged || (term && group.members > 0 && merge(group, *term, junction.kind));
    }
    if (!merged) {
      groups.push_back({term.value_or(Term{}), term ? size_t{1} : size_t{0}, operand.get()});
    }
  }
  std::vector<std::string> texts;
  for (const Group& group : groups) {
    if (group.members < 2) {
      texts.push_back(write(*group.first));
      continue;
    }
    texts.push_back(TermText(group.term, style).write(write(*group.term.subject)));
    if (texts.back() == "false" && junction.kind == ExpressionKind::kAnd) {
      return {"false"};
    }
  }
  return texts;
}

std::optional<std::string_view> negated_comparison(std::string_view name) {
  for (const auto& [positive, negative] : kNegations) {
    if (positive == name) {
      return negative;
    }
  }
  return std::nullopt;
}

}  // namespace thalweg::planner
