#include <array>
#include <optional>
#include <string>
#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

/// The units of an interval, each with the plural that Calcite takes too.
constexpr std::array<std::pair<std::string_view, TimeUnit>, 16> kIntervalUnits = {
    {{"YEAR", TimeUnit::kYear},
     {"YEARS", TimeUnit::kYear},
     {"QUARTER", TimeUnit::kQuarter},
     {"QUARTERS", TimeUnit::kQuarter},
     {"MONTH", TimeUnit::kMonth},
     {"MONTHS", TimeUnit::kMonth},
     {"WEEK", TimeUnit::kWeek},
     {"WEEKS", TimeUnit::kWeek},
     {"DAY", TimeUnit::kDay},
     {"DAYS", TimeUnit::kDay},
     {"HOUR", TimeUnit::kHour},
     {"HOURS", TimeUnit::kHour},
     {"MINUTE", TimeUnit::kMinute},
     {"MINUTES", TimeUnit::kMinute},
     {"SECOND", TimeUnit::kSecond},
     {"SECONDS", TimeUnit::kSecond}}};

std::optional<TimeUnit> accept_unit(TokenCursor& cursor) {
  for (const auto& [word, unit] : kIntervalUnits) {
    if (cursor.accept(word)) {
      return unit;
    }
  }
  return std::nullopt;
}

TimeUnit expect_unit(TokenCursor& cursor) {
  const std::optional<TimeUnit> unit = accept_unit(cursor);
  if (!unit) {
    cursor.unexpected("a unit such as YEAR, MONTH, DAY, HOUR, MINUTE or SECOND");
  }
  return *unit;
}

/// Units that are no keywords of intervals, and ODBC's spellings (SQL_TSI_DAY).
std::optional<TimeUnit> unit_by_name(std::string_view word) {
  constexpr std::string_view kOdbc = "SQL_TSI_";
  const std::string_view name = word.starts_with(kOdbc) ? word.substr(kOdbc.size()) : word;
  if (name == "FRAC_SECOND") {
    return TimeUnit::kMicrosecond;
  }
  for (auto unit = TimeUnit::kNanosecond; unit <= TimeUnit::kDayOfYear;
       unit = static_cast<TimeUnit>(static_cast<int>(unit) + 1)) {
    if (to_string(unit) == name) {
      return unit;
    }
  }
  return std::nullopt;
}

bool may_end(TimeUnit leading, TimeUnit trailing) {
  switch (leading) {
    case TimeUnit::kYear:
      return trailing == TimeUnit::kMonth;
    case TimeUnit::kDay:
      return trailing == TimeUnit::kHour || trailing == TimeUnit::kMinute ||
             trailing == TimeUnit::kSecond;
    case TimeUnit::kHour:
      return trailing == TimeUnit::kMinute || trailing == TimeUnit::kSecond;
    case TimeUnit::kMinute:
      return trailing == TimeUnit::kSecond;
    default:
      return false;
  }
}

void parse_precisions(TokenCursor& cursor, IntervalQualifier& qualifier) {
  if (!cursor.accept(TokenKind::kLeftParen)) {
    return;
  }
  qualifier.leading_precision = cursor.unsigned_int();
  if (qualifier.leading == TimeUnit::kSecond && cursor.accept(TokenKind::kComma)) {
    qualifier.fraction_precision = cursor.unsigned_int();
  }
  cursor.expect(TokenKind::kRightParen, ")");
}

/// INTERVAL n UNIT or INTERVAL (expr) UNIT, which is a product of a number and a unit.
ExprPtr parse_interval_product(TokenCursor& cursor, size_t first, bool negative) {
  const size_t start = cursor.index();
  ExprPtr amount;
  if (cursor.at(TokenKind::kLeftParen)) {
    amount = parse_paren_expr(cursor);
  } else if (cursor.at_name()) {
    ObjectName name = cursor.object_name();
    auto column = make_node<Column>(cursor, start);
    column->name = std::move(name);
    amount = std::move(column);
  } else {
    amount = parse_literal(cursor);
  }
  if (!amount) {
    cursor.unexpected("an interval such as '5' SECOND");
  }
  const Literal* number = if_a<Literal>(amount);
  if (number != nullptr && number->literal_kind == LiteralKind::kExactNumeric) {
    std::string digits = number->text;
    const IntervalQualifier qualifier = parse_interval_qualifier(cursor);
    auto node = make_node<Literal>(cursor, first);
    node->literal_kind = LiteralKind::kInterval;
    node->text = std::move(digits);
    node->negative_interval = negative;
    node->interval = qualifier;
    return node;
  }
  if (negative) {
    auto minus = make_node<Operator>(cursor, start);
    minus->op = Op::kUnaryMinus;
    minus->operands = {std::move(amount)};
    amount = std::move(minus);
  }
  ExprPtr unit = parse_time_unit_symbol(cursor);
  auto call = make_node<FunctionCall>(cursor, first);
  call->name.parts.emplace_back("INTERVAL");
  call->args = {std::move(amount), std::move(unit)};
  return call;
}

}  // namespace

IntervalQualifier parse_interval_qualifier(TokenCursor& cursor) {
  IntervalQualifier qualifier;
  qualifier.leading = expect_unit(cursor);
  parse_precisions(cursor, qualifier);
  const bool has_trailing = cursor.at("TO");
  if (!has_trailing) {
    return qualifier;
  }
  cursor.next();
  const size_t before = cursor.index();
  const TimeUnit trailing = expect_unit(cursor);
  if (!may_end(qualifier.leading, trailing)) {
    cursor.rewind(before);
    cursor.unexpected("a smaller unit after TO");
  }
  qualifier.trailing = trailing;
  if (trailing == TimeUnit::kSecond && cursor.accept(TokenKind::kLeftParen)) {
    qualifier.fraction_precision = cursor.unsigned_int();
    cursor.expect(TokenKind::kRightParen, ")");
  }
  return qualifier;
}

ExprPtr parse_interval(TokenCursor& cursor) {
  const size_t first = cursor.index();
  cursor.expect("INTERVAL");
  const bool negative = cursor.accept(TokenKind::kMinus);
  if (!negative) {
    cursor.accept(TokenKind::kPlus);
  }
  if (!cursor.at(TokenKind::kString)) {
    return parse_interval_product(cursor, first, negative);
  }
  std::string text = cursor.next().text;
  const IntervalQualifier qualifier = parse_interval_qualifier(cursor);
  auto node = make_node<Literal>(cursor, first);
  node->literal_kind = LiteralKind::kInterval;
  node->text = std::move(text);
  node->negative_interval = negative;
  node->interval = qualifier;
  return node;
}

ExprPtr parse_time_unit_symbol(TokenCursor& cursor) {
  const size_t first = cursor.index();
  std::optional<TimeUnit> unit = accept_unit(cursor);
  if (!unit && cursor.peek().kind == TokenKind::kWord && cursor.at_name()) {
    const Token& word = cursor.next();
    unit = unit_by_name(word.keyword);
    if (!unit) {
      throw Error(ErrorCode::kValidation, "'" + word.text + "' is not a valid time frame")
          .at(word.position)
          .hint(
              "the units are SECOND, MINUTE, HOUR, DAY, WEEK, MONTH, QUARTER, YEAR and their kin");
    }
  }
  if (!unit) {
    cursor.unexpected("a time unit such as DAY");
  }
  auto node = make_node<Symbol>(cursor, first);
  node->text = to_string(*unit);
  return node;
}

}  // namespace thalweg::sql
