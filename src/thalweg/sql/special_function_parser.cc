#include <array>
#include <utility>

#include "thalweg/sql/grammar.h"

// Calls with words between their arguments; ast_expression.h says how each becomes plain arguments.

namespace thalweg::sql {

namespace {

ExprPtr symbol(const TokenCursor& cursor, size_t first, std::string text) {
  auto node = make_node<Symbol>(cursor, first);
  node->text = std::move(text);
  return node;
}

void parse_extract(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_time_unit_symbol(cursor));
  cursor.expect("FROM");
  call.args.push_back(parse_expr(cursor));
}

/// FLOOR and CEIL, of a number or of a time TO a unit.
void parse_rounding(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_expr(cursor));
  if (cursor.accept("TO")) {
    call.args.push_back(parse_time_unit_symbol(cursor));
    return;
  }
  while (cursor.accept(TokenKind::kComma)) {
    call.args.push_back(parse_expr(cursor));
  }
}

void parse_timestamp_arithmetic(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_time_unit_symbol(cursor));
  while (cursor.accept(TokenKind::kComma)) {
    call.args.push_back(parse_expr(cursor));
  }
}

void parse_position(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_additive(cursor));  // without IN, which separates the arguments
  cursor.expect("IN");
  call.args.push_back(parse_expr(cursor));
  if (cursor.accept("FROM")) {
    call.args.push_back(parse_expr(cursor));
  }
}

void parse_substring(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_expr(cursor));
  if (!cursor.accept("FROM")) {
    cursor.expect(TokenKind::kComma, "FROM or ,");
  }
  call.args.push_back(parse_expr(cursor));
  if (cursor.accept("FOR") || cursor.accept(TokenKind::kComma)) {
    call.args.push_back(parse_expr(cursor));
  }
}

void parse_overlay(TokenCursor& cursor, FunctionCall& call) {
  call.args.push_back(parse_expr(cursor));
  cursor.expect("PLACING");
  call.args.push_back(parse_expr(cursor));
  cursor.expect("FROM");
  call.args.push_back(parse_expr(cursor));
  if (cursor.accept("FOR")) {
    call.args.push_back(parse_expr(cursor));
  }
}

ExprPtr one_space(const TokenCursor& cursor, size_t first) {
  auto space = make_node<Literal>(cursor, first);
  space->literal_kind = LiteralKind::kString;
  space->text = std::string(1, ' ');
  return space;
}

void parse_trim(TokenCursor& cursor, FunctionCall& call) {
  const size_t first = cursor.index();
  const bool has_side = cursor.at_any({"BOTH", "LEADING", "TRAILING"});
  const std::string side = has_side ? cursor.next().keyword : "BOTH";
  call.args.push_back(symbol(cursor, first, side));
  if (has_side && cursor.accept("FROM")) {
    call.args.push_back(one_space(cursor, first));
    call.args.push_back(parse_expr(cursor));
    return;
  }
  ExprPtr value = parse_expr(cursor);
  if (cursor.accept("FROM")) {
    call.args.push_back(std::move(value));
    call.args.push_back(parse_expr(cursor));
    return;
  }
  if (has_side) {
    cursor.unexpected("FROM");
  }
  call.args.push_back(one_space(cursor, first));
  call.args.push_back(std::move(value));
}

using ArgumentParser = void (*)(TokenCursor&, FunctionCall&);

constexpr std::array<std::pair<std::string_view, ArgumentParser>, 10> kSpecial = {{
    {"EXTRACT", parse_extract},
    {"FLOOR", parse_rounding},
    {"CEIL", parse_rounding},
    {"CEILING", parse_rounding},
    {"TIMESTAMPADD", parse_timestamp_arithmetic},
    {"TIMESTAMPDIFF", parse_timestamp_arithmetic},
    {"POSITION", parse_position},
    {"SUBSTRING", parse_substring},
    {"OVERLAY", parse_overlay},
    {"TRIM", parse_trim},
}};

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return result;
}

}  // namespace

bool parse_special_arguments(TokenCursor& cursor, FunctionCall& call) {
  if (!call.name.is_simple() || cursor.at(TokenKind::kRightParen)) {
    return call.name.is_simple() && parse_json_arguments(cursor, call);
  }
  const std::string name = upper(call.name.last());
  for (const auto& [word, parser] : kSpecial) {
    if (name == word) {
      parser(cursor, call);
      return true;
    }
  }
  return parse_json_arguments(cursor, call);
}

}  // namespace thalweg::sql
