#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

FrameBound parse_bound(TokenCursor& cursor) {
  if (cursor.accept_all({"UNBOUNDED", "PRECEDING"})) {
    return {FrameBoundKind::kUnboundedPreceding, nullptr};
  }
  if (cursor.accept_all({"UNBOUNDED", "FOLLOWING"})) {
    return {FrameBoundKind::kUnboundedFollowing, nullptr};
  }
  if (cursor.accept_all({"CURRENT", "ROW"})) {
    return {FrameBoundKind::kCurrentRow, nullptr};
  }
  ExprPtr offset = parse_additive(cursor);
  if (cursor.accept("PRECEDING")) {
    return {FrameBoundKind::kPreceding, std::move(offset)};
  }
  if (cursor.accept("FOLLOWING")) {
    return {FrameBoundKind::kFollowing, std::move(offset)};
  }
  cursor.unexpected("PRECEDING or FOLLOWING");
}

std::optional<WindowFrame> parse_frame(TokenCursor& cursor) {
  WindowFrame frame;
  if (cursor.accept("ROWS")) {
    frame.unit = FrameUnit::kRows;
  } else if (!cursor.accept("RANGE")) {
    return std::nullopt;
  }
  if (cursor.accept("BETWEEN")) {
    frame.lower = parse_bound(cursor);
    cursor.expect("AND");
    frame.upper = parse_bound(cursor);
  } else {
    frame.lower = parse_bound(cursor);
  }
  return frame;
}

OrderItem parse_order_item(TokenCursor& cursor) {
  OrderItem item{.expr = parse_expr(cursor)};
  item.descending = cursor.accept("DESC");
  if (!item.descending) {
    cursor.accept("ASC");
  }
  if (cursor.accept_all({"NULLS", "FIRST"})) {
    item.nulls_first = true;
  } else if (cursor.accept_all({"NULLS", "LAST"})) {
    item.nulls_first = false;
  }
  return item;
}

}  // namespace

std::vector<OrderItem> parse_order_items(TokenCursor& cursor) {
  std::vector<OrderItem> items;
  do {
    items.push_back(parse_order_item(cursor));
  } while (cursor.accept(TokenKind::kComma));
  return items;
}

WindowSpecPtr parse_window_spec(TokenCursor& cursor) {
  const size_t first = cursor.index();
  auto spec = std::make_shared<WindowSpec>();
  cursor.expect(TokenKind::kLeftParen, "(");
  if (cursor.at_name()) {
    spec->base = cursor.name();
  }
  if (cursor.accept_all({"PARTITION", "BY"})) {
    spec->partition_by = parse_expr_list(cursor);
  }
  if (cursor.accept_all({"ORDER", "BY"})) {
    spec->order_by = parse_order_items(cursor);
  }
  spec->frame = parse_frame(cursor);
  cursor.expect(TokenKind::kRightParen, ") or a window clause");
  spec->position = cursor.since(first);
  return spec;
}

}  // namespace thalweg::sql
