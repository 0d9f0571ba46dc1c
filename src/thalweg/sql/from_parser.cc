#include <optional>
#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

TableRefPtr parse_joined(TokenCursor& cursor);

void parse_alias(TokenCursor& cursor, TableRef& ref, size_t first) {
  if (!ref.alias && (cursor.accept("AS") || cursor.at_name())) {
    TableAlias alias;
    alias.name = cursor.name("a table alias");
    if (cursor.at(TokenKind::kLeftParen)) {
      alias.columns = cursor.names_in_parens();
    }
    ref.alias = std::move(alias);
    ref.position = cursor.since(first);
  }
}

std::shared_ptr<TableRef> parse_derived(TokenCursor& cursor, size_t first, bool lateral) {
  cursor.expect(TokenKind::kLeftParen, "(");
  QueryPtr query = parse_query_expr(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  auto node = make_node<DerivedTable>(cursor, first);
  node->query = std::move(query);
  node->lateral = lateral;
  return node;
}

std::shared_ptr<TableRef> parse_function(TokenCursor& cursor, size_t first, bool lateral) {
  const bool wrapped = cursor.accept("TABLE");
  if (wrapped) {
    cursor.expect(TokenKind::kLeftParen, "(");
  }
  ExprPtr call = parse_table_function_call(cursor);
  if (wrapped) {
    cursor.expect(TokenKind::kRightParen, ")");
  }
  auto node = make_node<TableFunction>(cursor, first);
  node->call = std::move(call);
  node->lateral = lateral;
  return node;
}

std::shared_ptr<TableRef> parse_unnest(TokenCursor& cursor, size_t first) {
  cursor.expect("UNNEST");
  cursor.expect(TokenKind::kLeftParen, "(");
  std::vector<ExprPtr> collections = parse_expr_list(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  const bool with_ordinality = cursor.accept_all({"WITH", "ORDINALITY"});
  auto node = make_node<Unnest>(cursor, first);
  node->collections = std::move(collections);
  node->with_ordinality = with_ordinality;
  return node;
}

std::shared_ptr<TableRef> parse_named(TokenCursor& cursor, size_t first) {
  ObjectName name = cursor.object_name("a table's name");
  std::vector<Hint> hints = parse_hints(cursor);
  ExprPtr as_of;
  if (cursor.accept_all({"FOR", "SYSTEM_TIME", "AS", "OF"})) {
    as_of = parse_expr(cursor);
  }
  auto node = make_node<NamedTable>(cursor, first);
  node->name = std::move(name);
  node->hints = std::move(hints);
  node->as_of = std::move(as_of);
  return node;
}

/// After "(": whether a query starts here, perhaps inside more parentheses.
bool looks_like_query(const TokenCursor& cursor) {
  size_t ahead = 1;
  while (cursor.at(TokenKind::kLeftParen, ahead)) {
    ++ahead;
  }
  return at_query(cursor, ahead) ||
         (cursor.at("TABLE", ahead) && !cursor.at(TokenKind::kLeftParen, ahead + 1));
}

/// `(query)` or `(a JOIN b ON ..)`: with several parentheses only the whole tells which.
TableRefPtr parse_parenthesised(TokenCursor& cursor, size_t first) {
  if (looks_like_query(cursor)) {
    if (!cursor.at(TokenKind::kLeftParen, 1)) {
      return parse_derived(cursor, first, false);
    }
    try {
      return parse_derived(cursor, first, false);
    } catch (const Error&) {
      cursor.rewind(first);
    }
  }
  cursor.expect(TokenKind::kLeftParen, "(");
  TableRefPtr inner = parse_joined(cursor);
  cursor.expect(TokenKind::kRightParen, ")");
  return inner;
}

std::shared_ptr<TableRef> parse_simple_ref(TokenCursor& cursor, size_t first) {
  if (cursor.accept("LATERAL")) {
    if (cursor.at(TokenKind::kLeftParen)) {
      return parse_derived(cursor, first, true);
    }
    return cursor.at("UNNEST") ? parse_unnest(cursor, first) : parse_function(cursor, first, true);
  }
  if (cursor.at("UNNEST")) {
    return parse_unnest(cursor, first);
  }
  if (cursor.at("TABLE") || at_function_call(cursor)) {
    return parse_function(cursor, first, false);
  }
  return parse_named(cursor, first);
}

void refuse_rare_clauses(const TokenCursor& cursor) {
  for (const std::string_view word : {"TABLESAMPLE", "PIVOT", "UNPIVOT"}) {
    if (cursor.at(word)) {
      throw Error(ErrorCode::kNotSupported, std::string(word) + " is not supported")
          .at(cursor.peek().position);
    }
  }
}

TableRefPtr parse_table_ref(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  const size_t first = cursor.index();
  TableRefPtr parsed = cursor.at(TokenKind::kLeftParen)
                           ? parse_parenthesised(cursor, first)
                           : TableRefPtr(parse_simple_ref(cursor, first));
  if (cursor.accept("MATCH_RECOGNIZE")) {
    parsed = parse_match_recognize(cursor, std::move(parsed));
  }
  refuse_rare_clauses(cursor);
  // The node is this function's own until it is returned.
  parse_alias(cursor, *std::const_pointer_cast<TableRef>(parsed), first);
  if (cursor.accept("MATCH_RECOGNIZE")) {
    std::shared_ptr<MatchRecognize> match = parse_match_recognize(cursor, std::move(parsed));
    parse_alias(cursor, *match, first);
    parsed = std::move(match);
  }
  refuse_rare_clauses(cursor);
  return parsed;
}

/// The join's type when the words of a join follow; they are consumed.
std::optional<JoinType> accept_join(TokenCursor& cursor) {
  if (cursor.accept("JOIN") || cursor.accept_all({"INNER", "JOIN"})) {
    return JoinType::kInner;
  }
  if (cursor.accept_all({"CROSS", "JOIN"})) {
    return JoinType::kCross;
  }
  constexpr std::pair<std::string_view, JoinType> kOuter[] = {
      {"LEFT", JoinType::kLeft}, {"RIGHT", JoinType::kRight}, {"FULL", JoinType::kFull}};
  for (const auto& [word, type] : kOuter) {
    if (cursor.accept_all({word, "OUTER", "JOIN"}) || cursor.accept_all({word, "JOIN"})) {
      return type;
    }
  }
  if (cursor.accept_all({"LEFT", "SEMI", "JOIN"})) {
    return JoinType::kSemi;
  }
  if (cursor.accept_all({"LEFT", "ANTI", "JOIN"})) {
    return JoinType::kAnti;
  }
  return std::nullopt;
}

TableRefPtr parse_joined(TokenCursor& cursor) {
  const size_t first = cursor.index();
  TableRefPtr left = parse_table_ref(cursor);
  while (true) {
    const bool natural = cursor.accept("NATURAL");
    const std::optional<JoinType> type = accept_join(cursor);
    if (!type) {
      if (natural) {
        cursor.unexpected("JOIN");
      }
      return left;
    }
    auto join = std::make_shared<Join>();
    join->type = *type;
    join->natural = natural;
    join->left = std::move(left);
    join->right = parse_table_ref(cursor);
    if (cursor.accept("ON")) {
      join->on = parse_expr(cursor);
    } else if (cursor.accept("USING")) {
      join->join_columns = cursor.names_in_parens();
    }
    join->position = cursor.since(first);
    left = std::move(join);
  }
}

}  // namespace

TableRefPtr parse_from(TokenCursor& cursor) {
  const size_t first = cursor.index();
  TableRefPtr left = parse_joined(cursor);
  while (cursor.accept(TokenKind::kComma)) {
    auto join = std::make_shared<Join>();
    join->type = JoinType::kComma;
    join->left = std::move(left);
    join->right = parse_joined(cursor);
    join->position = cursor.since(first);
    left = std::move(join);
  }
  return left;
}

}  // namespace thalweg::sql
