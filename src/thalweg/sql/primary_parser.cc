#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

ExprPtr parse_array(TokenCursor& cursor, size_t first) {
  std::vector<ExprPtr> elements;
  cursor.expect(TokenKind::kLeftBracket, "[");
  if (!cursor.at(TokenKind::kRightBracket)) {
    elements = parse_expr_list(cursor);
  }
  cursor.expect(TokenKind::kRightBracket, "]");
  auto node = make_node<ArrayExpr>(cursor, first);
  node->elements = std::move(elements);
  return node;
}

ExprPtr parse_map(TokenCursor& cursor, size_t first) {
  std::vector<std::pair<ExprPtr, ExprPtr>> entries;
  cursor.expect(TokenKind::kLeftBracket, "[");
  bool more = !cursor.at(TokenKind::kRightBracket);
  while (more) {
    ExprPtr key = parse_expr(cursor);
    if (!cursor.accept(TokenKind::kComma)) {
      throw Error(ErrorCode::kSqlSyntax,
                  "SQL parse failed. Map requires an even number of arguments")
          .at(cursor.since(first));
    }
    ExprPtr value = parse_expr(cursor);
    entries.emplace_back(std::move(key), std::move(value));
    more = cursor.accept(TokenKind::kComma);
  }
  cursor.expect(TokenKind::kRightBracket, "]");
  auto node = make_node<MapExpr>(cursor, first);
  node->entries = std::move(entries);
  return node;
}

ExprPtr parse_subquery(TokenCursor& cursor, size_t first, SubqueryKind kind) {
  cursor.expect(TokenKind::kLeftParen, "(");
  QueryPtr query = parse_query_expr(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  auto node = make_node<Subquery>(cursor, first);
  node->subquery_kind = kind;
  node->query = std::move(query);
  return node;
}

ExprPtr parse_row(TokenCursor& cursor, size_t first) {
  std::vector<ExprPtr> fields;
  cursor.expect(TokenKind::kLeftParen, "(");
  if (!cursor.at(TokenKind::kRightParen)) {
    fields = parse_expr_list(cursor);
  }
  cursor.expect(TokenKind::kRightParen, ")");
  auto node = make_node<RowExpr>(cursor, first);
  node->fields = std::move(fields);
  node->explicit_row = true;
  return node;
}

ExprPtr parse_exists(TokenCursor& cursor, size_t first) {
  cursor.expect(TokenKind::kLeftParen, "(");
  QueryPtr query = parse_query_expr(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  auto node = make_node<Exists>(cursor, first);
  node->query = std::move(query);
  return node;
}

/// ARRAY, MAP, ROW, CASE, CAST, EXISTS; null when none starts here.
ExprPtr parse_constructor(TokenCursor& cursor) {
  const size_t first = cursor.index();
  const bool bracket = cursor.at(TokenKind::kLeftBracket, 1);
  const bool paren = cursor.at(TokenKind::kLeftParen, 1);
  if (cursor.at("CASE")) {
    return parse_case(cursor);
  }
  if (paren && (cursor.at("CAST") || cursor.at("TRY_CAST"))) {
    return parse_cast(cursor);
  }
  if (bracket && cursor.accept("ARRAY")) {
    return parse_array(cursor, first);
  }
  if (bracket && cursor.accept("MAP")) {
    return parse_map(cursor, first);
  }
  if (paren && cursor.accept("ROW")) {
    return parse_row(cursor, first);
  }
  if (paren && cursor.accept("EXISTS")) {
    return parse_exists(cursor, first);
  }
  if (paren && at_query(cursor, 2)) {
    if (cursor.accept("ARRAY")) {
      return parse_subquery(cursor, first, SubqueryKind::kArray);
    }
    if (cursor.accept("MAP")) {
      return parse_subquery(cursor, first, SubqueryKind::kMap);
    }
    if (cursor.accept("MULTISET")) {
      return parse_subquery(cursor, first, SubqueryKind::kMultiset);
    }
  }
  return nullptr;
}

/// A name, `t.*`, or the words that SQL lets stand for a name (USER and its kin resolve as columns
/// in Flink).
ExprPtr parse_column(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ObjectName name;
  if (cursor.at_any({"USER",
                     "CURRENT_USER",
                     "SESSION_USER",
                     "SYSTEM_USER",
                     "CURRENT_CATALOG",
                     "CURRENT_PATH",
                     "CURRENT_ROLE",
                     "CURRENT_SCHEMA"})) {
    const Token& word = cursor.next();
    name.parts.emplace_back(word.text, word.position);
  } else {
    name = cursor.object_name("an expression (a literal, a name or a call)");
  }
  if (cursor.at(TokenKind::kDot) && cursor.at(TokenKind::kStar, 1)) {
    cursor.next();
    cursor.next();
    auto star = make_node<Star>(cursor, first);
    star->qualifier = std::move(name);
    return star;
  }
  auto column = make_node<Column>(cursor, first);
  column->name = std::move(name);
  return column;
}

ExprPtr parse_leaf(TokenCursor& cursor) {
  if (ExprPtr literal = parse_literal(cursor)) {
    return literal;
  }
  if (cursor.at(TokenKind::kLeftParen)) {
    return parse_paren_expr(cursor);
  }
  if (ExprPtr constructor = parse_constructor(cursor)) {
    return constructor;
  }
  if (at_function_call(cursor)) {
    return parse_function_call(cursor);
  }
  const size_t first = cursor.index();
  if (cursor.accept("DEFAULT")) {  // among inserted values; elsewhere the binder refuses it
    return make_node<DefaultExpr>(cursor, first);
  }
  return parse_column(cursor);
}

ExprPtr parse_field(TokenCursor& cursor, size_t first, ExprPtr operand) {
  Identifier field;
  const bool star = cursor.accept(TokenKind::kStar);
  if (!star) {
    field = cursor.name("a field name");
  }
  auto node = make_node<FieldAccess>(cursor, first);
  node->operand = std::move(operand);
  node->field = std::move(field);
  node->star = star;
  return node;
}

bool is_query_tail(const TokenCursor& cursor) {
  return cursor.at_any(
      {"UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH"});
}

/// Calcite lets a parenthesised expression's position include the parentheses.
void widen(const ExprPtr& expr, SourcePosition position) {
  std::const_pointer_cast<Expr>(expr)->position = position;
}

}  // namespace

ExprPtr parse_paren_expr(TokenCursor& cursor) {
  const size_t first = cursor.index();
  if (at_query(cursor, 1)) {
    return parse_subquery(cursor, first, SubqueryKind::kScalar);
  }
  cursor.expect(TokenKind::kLeftParen, "(");
  std::vector<ExprPtr> fields = {parse_expr(cursor)};
  if (fields[0]->kind == ExprKind::kSubquery && is_query_tail(cursor)) {
    cursor.rewind(first);  // it was ((SELECT ..) UNION (SELECT ..))
    return parse_subquery(cursor, first, SubqueryKind::kScalar);
  }
  while (cursor.accept(TokenKind::kComma)) {
    fields.push_back(parse_expr(cursor));
  }
  cursor.expect(TokenKind::kRightParen, ")");
  if (fields.size() == 1) {
    widen(fields[0], cursor.since(first));
    return fields[0];
  }
  auto node = make_node<RowExpr>(cursor, first);
  node->fields = std::move(fields);
  return node;
}

ExprPtr parse_primary(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ExprPtr expr = parse_leaf(cursor);
  while (true) {
    if (cursor.accept(TokenKind::kLeftBracket)) {
      ExprPtr key = parse_expr(cursor);
      cursor.expect(TokenKind::kRightBracket, "]");
      auto node = make_node<Operator>(cursor, first);
      node->op = Op::kItem;
      node->operands = {std::move(expr), std::move(key)};
      expr = std::move(node);
    } else if (cursor.accept(TokenKind::kDot)) {
      expr = parse_field(cursor, first, std::move(expr));
    } else {
      return expr;
    }
  }
}

ExprPtr parse_case(TokenCursor& cursor) {
  const size_t first = cursor.index();
  cursor.expect("CASE");
  ExprPtr operand;
  if (!cursor.at("WHEN")) {
    operand = parse_expr(cursor);
  }
  std::vector<std::pair<ExprPtr, ExprPtr>> branches;
  ExprPtr otherwise;
  while (cursor.accept("WHEN")) {
    std::vector<ExprPtr> conditions = {parse_expr(cursor)};
    while (operand && cursor.accept(TokenKind::kComma)) {  // WHEN 1, 2 THEN is two branches
      conditions.push_back(parse_expr(cursor));
    }
    cursor.expect("THEN");
    const ExprPtr result = parse_expr(cursor);
    for (ExprPtr& condition : conditions) {
      branches.emplace_back(std::move(condition), result);
    }
  }
  if (branches.empty()) {
    cursor.unexpected("WHEN");
  }
  if (cursor.accept("ELSE")) {
    otherwise = parse_expr(cursor);
  }
  cursor.expect("END");
  auto node = make_node<Case>(cursor, first);
  node->operand = std::move(operand);
  node->branches = std::move(branches);
  node->otherwise = std::move(otherwise);
  return node;
}

ExprPtr parse_cast(TokenCursor& cursor) {
  const size_t first = cursor.index();
  const bool is_try = cursor.next().keyword == "TRY_CAST";
  cursor.expect(TokenKind::kLeftParen, "(");
  ExprPtr operand = parse_expr(cursor);
  cursor.expect("AS");
  const size_t type_first = cursor.index();
  DataType type = parse_type(cursor);
  const SourcePosition type_position = cursor.since(type_first);
  cursor.expect(TokenKind::kRightParen, ")");
  auto node = make_node<Cast>(cursor, first);
  node->operand = std::move(operand);
  node->type = std::move(type);
  node->is_try = is_try;
  node->type_position = type_position;
  return node;
}

}  // namespace thalweg::sql
