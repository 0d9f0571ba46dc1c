#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

GroupingElement parse_element(TokenCursor& cursor);

std::vector<GroupingElement> parse_elements_in_parens(TokenCursor& cursor) {
  std::vector<GroupingElement> elements;
  cursor.expect(TokenKind::kLeftParen, "(");
  do {
    elements.push_back(parse_element(cursor));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return elements;
}

GroupingElement parse_element(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  const size_t first = cursor.index();
  GroupingElement element;
  if (cursor.accept_all({"GROUPING", "SETS"})) {
    element.kind = GroupingKind::kGroupingSets;
    element.children = parse_elements_in_parens(cursor);
  } else if (cursor.accept("CUBE")) {
    element.kind = GroupingKind::kCube;
    element.children = parse_elements_in_parens(cursor);
  } else if (cursor.accept("ROLLUP")) {
    element.kind = GroupingKind::kRollup;
    element.children = parse_elements_in_parens(cursor);
  } else if (cursor.at(TokenKind::kLeftParen) && cursor.at(TokenKind::kRightParen, 1)) {
    cursor.next();
    cursor.next();
    element.kind = GroupingKind::kSet;
  } else {
    element.exprs = {parse_expr(cursor)};
    const RowExpr* row = if_a<RowExpr>(element.exprs[0]);
    if (row != nullptr && !row->explicit_row) {
      element.kind = GroupingKind::kSet;
      element.exprs = std::vector<ExprPtr>(row->fields);
    }
  }
  element.position = cursor.since(first);
  return element;
}

}  // namespace

std::vector<GroupingElement> parse_group_by(TokenCursor& cursor) {
  if (cursor.at("DISTINCT")) {
    throw Error(ErrorCode::kNotSupported, "GROUP BY DISTINCT is not supported")
        .at(cursor.peek().position);
  }
  cursor.accept("ALL");
  std::vector<GroupingElement> elements;
  do {
    elements.push_back(parse_element(cursor));
  } while (cursor.accept(TokenKind::kComma));
  return elements;
}

}  // namespace thalweg::sql
