#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

QueryBodyPtr parse_set_operations(TokenCursor& cursor);

std::vector<CommonTable> parse_with(TokenCursor& cursor) {
  std::vector<CommonTable> tables;
  if (!cursor.accept("WITH")) {
    return tables;
  }
  if (cursor.at("RECURSIVE")) {
    throw Error(ErrorCode::kNotSupported, "WITH RECURSIVE is not supported")
        .at(cursor.peek().position);
  }
  do {
    CommonTable table;
    table.name = cursor.name("the name of a common table");
    if (cursor.at(TokenKind::kLeftParen)) {
      table.columns = cursor.names_in_parens();
    }
    cursor.expect("AS");
    cursor.expect(TokenKind::kLeftParen, "(");
    table.query = parse_query_expr(cursor);
    cursor.expect(TokenKind::kRightParen, ")");
    tables.push_back(std::move(table));
  } while (cursor.accept(TokenKind::kComma));
  return tables;
}

SelectItem parse_select_item(TokenCursor& cursor) {
  SelectItem item;
  const size_t first = cursor.index();
  if (cursor.accept(TokenKind::kStar)) {
    item.expr = make_node<Star>(cursor, first);
    return item;
  }
  item.expr = parse_expr(cursor);
  if (cursor.accept("AS") || cursor.at_name()) {
    item.alias = cursor.name("a column name");
  }
  return item;
}

std::vector<NamedWindow> parse_windows(TokenCursor& cursor) {
  std::vector<NamedWindow> windows;
  do {
    NamedWindow window;
    window.name = cursor.name("a window's name");
    cursor.expect("AS");
    window.spec = parse_window_spec(cursor);
    windows.push_back(std::move(window));
  } while (cursor.accept(TokenKind::kComma));
  return windows;
}

void parse_select_clauses(TokenCursor& cursor, Select& select) {
  if (!cursor.accept("FROM")) {
    return;  // nothing else can follow a SELECT of constants
  }
  select.from = parse_from(cursor);
  if (cursor.accept("WHERE")) {
    select.where = parse_expr(cursor);
  }
  if (cursor.accept_all({"GROUP", "BY"})) {
    select.group_by = parse_group_by(cursor);
  }
  if (cursor.accept("HAVING")) {
    select.having = parse_expr(cursor);
  }
  if (cursor.accept("WINDOW")) {
    select.windows = parse_windows(cursor);
  }
  if (cursor.accept("QUALIFY")) {
    select.qualify = parse_expr(cursor);
  }
}

QueryBodyPtr parse_select(TokenCursor& cursor) {
  const size_t first = cursor.index();
  auto select = std::make_shared<Select>();
  cursor.expect("SELECT");
  select->hints = parse_hints(cursor);
  if (cursor.accept("DISTINCT")) {
    select->quantifier = SetQuantifier::kDistinct;
  } else if (cursor.accept("ALL")) {
    select->quantifier = SetQuantifier::kAll;
  }
  do {
    select->items.push_back(parse_select_item(cursor));
  } while (cursor.accept(TokenKind::kComma));
  parse_select_clauses(cursor, *select);
  select->position = cursor.since(first);
  return select;
}

/// (1, 'a'), ROW(1, 'a'), or one value alone.
std::vector<ExprPtr> parse_values_row(TokenCursor& cursor) {
  ExprPtr value = parse_expr(cursor);
  const RowExpr* row = if_a<RowExpr>(value);
  if (row != nullptr) {
    return row->fields;
  }
  return {std::move(value)};
}

QueryBodyPtr parse_values(TokenCursor& cursor) {
  const size_t first = cursor.index();
  auto values = std::make_shared<Values>();
  cursor.expect("VALUES");
  do {
    const size_t row_first = cursor.index();
    values->rows.push_back(parse_values_row(cursor));
    values->row_positions.push_back(cursor.since(row_first));
  } while (cursor.accept(TokenKind::kComma));
  values->position = cursor.since(first);
  return values;
}

QueryBodyPtr parse_nested(TokenCursor& cursor) {
  const size_t first = cursor.index();
  cursor.expect(TokenKind::kLeftParen, "(");
  QueryPtr query = parse_query_expr(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  if (query->with.empty() && query->order_by.empty() && !query->offset && !query->fetch) {
    return query->body;
  }
  auto node = make_node<NestedQuery>(cursor, first);
  node->query = std::move(query);
  return node;
}

QueryBodyPtr parse_query_leaf(TokenCursor& cursor) {
  const size_t first = cursor.index();
  if (cursor.at("SELECT")) {
    return parse_select(cursor);
  }
  if (cursor.at("VALUES")) {
    return parse_values(cursor);
  }
  if (cursor.at(TokenKind::kLeftParen)) {
    return parse_nested(cursor);
  }
  if (cursor.accept("TABLE")) {
    ObjectName table = cursor.object_name("a table's name");
    auto node = make_node<ExplicitTable>(cursor, first);
    node->table = std::move(table);
    return node;
  }
  cursor.unexpected("a query (SELECT, VALUES, WITH or TABLE)");
}

QueryBodyPtr parse_set_operation(TokenCursor& cursor, size_t first, SetOp op, QueryBodyPtr left) {
  const bool all = cursor.accept("ALL");
  if (!all) {
    cursor.accept("DISTINCT");
  }
  QueryBodyPtr right;
  if (op == SetOp::kIntersect) {
    right = parse_query_leaf(cursor);
  } else {
    const size_t right_first = cursor.index();
    right = parse_query_leaf(cursor);
    while (cursor.accept("INTERSECT")) {  // binds tighter
      right = parse_set_operation(cursor, right_first, SetOp::kIntersect, std::move(right));
    }
  }
  auto node = make_node<SetOperation>(cursor, first);
  node->op = op;
  node->all = all;
  node->left = std::move(left);
  node->right = std::move(right);
  return node;
}

QueryBodyPtr parse_set_operations(TokenCursor& cursor) {
  const size_t first = cursor.index();
  QueryBodyPtr body = parse_query_leaf(cursor);
  while (true) {
    if (cursor.accept("INTERSECT")) {
      body = parse_set_operation(cursor, first, SetOp::kIntersect, std::move(body));
    } else if (cursor.accept("UNION")) {
      body = parse_set_operation(cursor, first, SetOp::kUnion, std::move(body));
    } else if (cursor.accept("EXCEPT") || cursor.accept("MINUS")) {
      body = parse_set_operation(cursor, first, SetOp::kExcept, std::move(body));
    } else {
      return body;
    }
  }
}

void parse_offset(TokenCursor& cursor, Query& query) {
  query.offset = parse_expr(cursor);
  if (!cursor.accept("ROWS")) {
    cursor.accept("ROW");
  }
}

void parse_limits(TokenCursor& cursor, Query& query) {
  if (cursor.accept("LIMIT") && !cursor.accept("ALL")) {
    query.fetch = parse_expr(cursor);
  }
  if (cursor.accept("OFFSET")) {
    parse_offset(cursor, query);
  }
  if (!query.fetch && cursor.accept("FETCH")) {
    if (!cursor.accept("FIRST")) {
      cursor.expect("NEXT");
    }
    query.fetch = parse_expr(cursor);
    if (!cursor.accept("ROWS")) {
      cursor.expect("ROW");
    }
    cursor.expect("ONLY");
  }
}

}  // namespace

bool at_query(const TokenCursor& cursor, size_t ahead) {
  return cursor.at("SELECT", ahead) || cursor.at("WITH", ahead) || cursor.at("VALUES", ahead);
}

QueryPtr parse_query_expr(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  const size_t first = cursor.index();
  auto query = std::make_shared<Query>();
  query->with = parse_with(cursor);
  query->body = parse_set_operations(cursor);
  if (cursor.accept_all({"ORDER", "BY"})) {
    query->order_by = parse_order_items(cursor);
  }
  parse_limits(cursor, *query);
  query->position = cursor.since(first);
  return query;
}

}  // namespace thalweg::sql
