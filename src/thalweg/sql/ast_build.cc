#include "thalweg/sql/ast_build.h"

#include <utility>

namespace thalweg::sql {

namespace {

std::shared_ptr<Literal> literal(LiteralKind kind, std::string text) {
  auto node = std::make_shared<Literal>();
  node->literal_kind = kind;
  node->text = std::move(text);
  return node;
}

}  // namespace

ExprPtr make_null() {
  return literal(LiteralKind::kNull, "NULL");
}

ExprPtr make_boolean(bool value) {
  return literal(LiteralKind::kBoolean, value ? "TRUE" : "FALSE");
}

ExprPtr make_exact(std::string digits) {
  return literal(LiteralKind::kExactNumeric, std::move(digits));
}

ExprPtr make_string(std::string text) {
  return literal(LiteralKind::kString, std::move(text));
}

ExprPtr make_typed_literal(LiteralKind kind, std::string text, DataType type) {
  auto node = literal(kind, std::move(text));
  node->type = std::move(type);
  return node;
}

ExprPtr make_interval(std::string text, IntervalQualifier qualifier) {
  auto node = literal(LiteralKind::kInterval, std::move(text));
  node->interval = qualifier;
  return node;
}

ExprPtr make_column(std::string name) {
  return make_column(std::vector<std::string>{std::move(name)});
}

ExprPtr make_column(std::vector<std::string> parts) {
  auto node = std::make_shared<Column>();
  for (std::string& part : parts) {
    node->name.parts.emplace_back(std::move(part));
  }
  return node;
}

ExprPtr make_star() {
  return std::make_shared<Star>();
}

ExprPtr make_operator(Op op, std::vector<ExprPtr> operands) {
  auto node = std::make_shared<Operator>();
  node->op = op;
  node->operands = std::move(operands);
  return node;
}

ExprPtr make_call(std::string name, std::vector<ExprPtr> args) {
  auto node = std::make_shared<FunctionCall>();
  node->name.parts.emplace_back(std::move(name));
  node->args = std::move(args);
  return node;
}

ExprPtr make_cast(ExprPtr operand, DataType type, bool is_try) {
  auto node = std::make_shared<Cast>();
  node->operand = std::move(operand);
  node->type = std::move(type);
  node->is_try = is_try;
  return node;
}

ExprPtr make_symbol(std::string text) {
  auto node = std::make_shared<Symbol>();
  node->text = std::move(text);
  return node;
}

bool IntervalQualifier::is_year_month() const {
  return leading == TimeUnit::kYear || leading == TimeUnit::kQuarter || leading == TimeUnit::kMonth;
}

std::string_view to_string(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kNanosecond:
      return "NANOSECOND";
    case TimeUnit::kMicrosecond:
      return "MICROSECOND";
    case TimeUnit::kMillisecond:
      return "MILLISECOND";
    case TimeUnit::kSecond:
      return "SECOND";
    case TimeUnit::kMinute:
      return "MINUTE";
    case TimeUnit::kHour:
      return "HOUR";
    case TimeUnit::kDay:
      return "DAY";
    case TimeUnit::kWeek:
      return "WEEK";
    case TimeUnit::kMonth:
      return "MONTH";
    case TimeUnit::kQuarter:
      return "QUARTER";
    case TimeUnit::kYear:
      return "YEAR";
    case TimeUnit::kDecade:
      return "DECADE";
    case TimeUnit::kCentury:
      return "CENTURY";
    case TimeUnit::kMillennium:
      return "MILLENNIUM";
    case TimeUnit::kEpoch:
      return "EPOCH";
    case TimeUnit::kDayOfWeek:
      return "DOW";
    case TimeUnit::kIsoDayOfWeek:
      return "ISODOW";
    case TimeUnit::kIsoYear:
      return "ISOYEAR";
    case TimeUnit::kDayOfYear:
      return "DOY";
  }
  unreachable("time unit");
}

}  // namespace thalweg::sql
