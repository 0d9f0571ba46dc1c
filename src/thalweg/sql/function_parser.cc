#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "thalweg/sql/grammar.h"
#include "thalweg/sql/reserved_words.h"

namespace thalweg::sql {

namespace {

constexpr std::array<std::string_view, 5> kNiladic = {
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"};

bool is_niladic(const Token& token) {
  return std::find(kNiladic.begin(), kNiladic.end(), token.keyword) != kNiladic.end();
}

/// FINAL x and RUNNING x, in the measures of MATCH_RECOGNIZE.
bool at_match_prefix(const TokenCursor& cursor) {
  return cursor.at_any({"FINAL", "RUNNING"}) && cursor.at(TokenKind::kLeftParen, 2) &&
         cursor.peek(1).kind == TokenKind::kWord;
}

ExprPtr parse_descriptor(TokenCursor& cursor) {
  const size_t first = cursor.index();
  cursor.expect("DESCRIPTOR");
  std::vector<Identifier> columns = cursor.names_in_parens();
  auto node = make_node<Descriptor>(cursor, first);
  node->columns = std::move(columns);
  return node;
}

std::vector<ExprPtr> parse_partition_keys(TokenCursor& cursor) {
  if (!cursor.accept(TokenKind::kLeftParen)) {
    return {parse_expr(cursor)};
  }
  std::vector<ExprPtr> keys = parse_expr_list(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  return keys;
}

std::vector<OrderItem> parse_table_order(TokenCursor& cursor) {
  if (!cursor.accept(TokenKind::kLeftParen)) {
    std::vector<OrderItem> items;
    items.push_back({.expr = parse_expr(cursor)});
    items[0].descending = cursor.accept("DESC");
    if (!items[0].descending) {
      cursor.accept("ASC");
    }
    return items;
  }
  std::vector<OrderItem> items = parse_order_items(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  return items;
}

/// TABLE t or a query, with PARTITION BY and ORDER BY of its own.
ExprPtr finish_table_argument(TokenCursor& cursor, size_t first, ObjectName table, QueryPtr query) {
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  if (cursor.accept_all({"PARTITION", "BY"})) {
    partition_by = parse_partition_keys(cursor);
  }
  if (cursor.accept_all({"ORDER", "BY"})) {
    order_by = parse_table_order(cursor);
  }
  auto node = make_node<TableArgument>(cursor, first);
  node->table = std::move(table);
  node->query = std::move(query);
  node->partition_by = std::move(partition_by);
  node->order_by = std::move(order_by);
  return node;
}

ExprPtr parse_model_argument(TokenCursor& cursor, size_t first) {
  cursor.expect("MODEL");
  ObjectName model = cursor.object_name("a model's name");
  auto node = make_node<ModelArgument>(cursor, first);
  node->model = std::move(model);
  return node;
}

ExprPtr parse_argument_value(TokenCursor& cursor, bool in_from) {
  const size_t first = cursor.index();
  if (cursor.accept("TABLE")) {
    const bool parens = cursor.accept(TokenKind::kLeftParen);
    ObjectName table = cursor.object_name("a table's name");
    if (parens) {
      cursor.expect(TokenKind::kRightParen, ")");
    }
    return finish_table_argument(cursor, first, std::move(table), nullptr);
  }
  if (cursor.at("DESCRIPTOR") && cursor.at(TokenKind::kLeftParen, 1)) {
    return parse_descriptor(cursor);
  }
  if (cursor.at("MODEL") && cursor.at_name(1)) {
    return parse_model_argument(cursor, first);
  }
  ExprPtr value = parse_expr(cursor);
  const Subquery* subquery = if_a<Subquery>(value);
  if (subquery != nullptr && (in_from || cursor.at("PARTITION"))) {
    return finish_table_argument(cursor, first, {}, subquery->query);
  }
  return value;
}

ExprPtr parse_argument(TokenCursor& cursor, bool in_from) {
  const size_t first = cursor.index();
  if (!cursor.at(TokenKind::kArrow, 1)) {
    return parse_argument_value(cursor, in_from);
  }
  Identifier name = cursor.name("an argument's name");
  cursor.next();
  ExprPtr value = parse_argument_value(cursor, in_from);
  auto node = make_node<NamedArgument>(cursor, first);
  node->name = std::move(name);
  node->value = std::move(value);
  return node;
}

void parse_nulls_treatment(TokenCursor& cursor, FunctionCall& call) {
  if (cursor.accept_all({"IGNORE", "NULLS"})) {
    call.ignore_nulls = true;
  } else if (cursor.accept_all({"RESPECT", "NULLS"})) {
    call.ignore_nulls = false;
  }
}

void parse_plain_arguments(TokenCursor& cursor, FunctionCall& call, bool in_from) {
  if (cursor.at(TokenKind::kRightParen)) {
    return;
  }
  if (cursor.at(TokenKind::kStar)) {
    const size_t first = cursor.index();
    cursor.next();
    call.args.push_back(make_node<Star>(cursor, first));
    return;
  }
  if (cursor.accept("DISTINCT")) {
    call.quantifier = SetQuantifier::kDistinct;
  } else if (cursor.accept("ALL")) {
    call.quantifier = SetQuantifier::kAll;
  }
  do {
    call.args.push_back(parse_argument(cursor, in_from));
  } while (cursor.accept(TokenKind::kComma));
  parse_nulls_treatment(cursor, call);
  if (cursor.accept_all({"ORDER", "BY"})) {
    call.order_by = parse_order_items(cursor);
  }
}

/// WITHIN GROUP, IGNORE NULLS, FILTER and OVER after the closing parenthesis.
void parse_call_tail(TokenCursor& cursor, FunctionCall& call) {
  if (cursor.accept_all({"WITHIN", "GROUP"})) {
    cursor.expect(TokenKind::kLeftParen, "(");
    cursor.expect_all({"ORDER", "BY"});
    call.order_by = parse_order_items(cursor);
    cursor.expect(TokenKind::kRightParen, ")");
  }
  parse_nulls_treatment(cursor, call);
  if (cursor.at("FILTER") && cursor.at(TokenKind::kLeftParen, 1)) {
    cursor.next();
    cursor.next();
    cursor.expect("WHERE");
    call.filter = parse_expr(cursor);
    cursor.expect(TokenKind::kRightParen, ")");
  }
  if (!cursor.accept("OVER")) {
    return;
  }
  if (cursor.at(TokenKind::kLeftParen)) {
    call.over = parse_window_spec(cursor);
    return;
  }
  auto reference = std::make_shared<WindowSpec>();
  reference->base = cursor.name("a window's name or (");
  reference->position = reference->base->position;
  call.over = std::move(reference);
}

ExprPtr parse_match_prefix(TokenCursor& cursor, size_t first) {
  const Token word = cursor.next();
  ExprPtr inner = parse_function_call(cursor);
  auto call = make_node<FunctionCall>(cursor, first);
  call->name.parts.emplace_back(word.text, word.position);
  call->args = {std::move(inner)};
  return call;
}

ObjectName parse_call_name(TokenCursor& cursor) {
  if (cursor.at_name()) {
    return cursor.object_name();
  }
  ObjectName name;
  const Token& word = cursor.next();
  name.parts.emplace_back(word.text, word.position);
  return name;
}

ExprPtr parse_call(TokenCursor& cursor, bool in_from) {
  const size_t first = cursor.index();
  const TokenCursor::Nesting nesting(cursor);
  if (at_match_prefix(cursor)) {
    return parse_match_prefix(cursor, first);
  }
  auto call = std::make_shared<FunctionCall>();
  call->niladic = is_niladic(cursor.peek()) && !cursor.at(TokenKind::kLeftParen, 1);
  call->name = parse_call_name(cursor);
  if (!call->niladic) {
    cursor.expect(TokenKind::kLeftParen, "(");
    if (!parse_special_arguments(cursor, *call)) {
      parse_plain_arguments(cursor, *call, in_from);
    }
    cursor.expect(TokenKind::kRightParen, ")");
    parse_call_tail(cursor, *call);
  }
  call->position = cursor.since(first);
  return call;
}

}  // namespace

bool at_function_call(const TokenCursor& cursor) {
  const Token& token = cursor.peek();
  if (is_niladic(token) || at_match_prefix(cursor)) {
    return true;
  }
  if (token.kind == TokenKind::kWord && is_callable_reserved(token.keyword)) {
    return cursor.at(TokenKind::kLeftParen, 1);
  }
  size_t ahead = 0;
  while (cursor.at_name(ahead) && cursor.at(TokenKind::kDot, ahead + 1)) {
    ahead += 2;
  }
  return cursor.at_name(ahead) && cursor.at(TokenKind::kLeftParen, ahead + 1);
}

ExprPtr parse_function_call(TokenCursor& cursor) {
  return parse_call(cursor, false);
}

ExprPtr parse_table_function_call(TokenCursor& cursor) {
  if (!at_function_call(cursor)) {
    cursor.unexpected("a call of a table function");
  }
  return parse_call(cursor, true);
}

}  // namespace thalweg::sql
