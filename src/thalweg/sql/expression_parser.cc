#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "thalweg/sql/grammar.h"

// Precedence, loosest first: OR; AND; NOT; IS ...; comparison; BETWEEN, IN, LIKE; + -; * / % ||;
// unary + -; subscript and field access.

namespace thalweg::sql {

namespace {

constexpr int kMaxChain = 4000;

/// A chain such as a OR b OR c becomes a tree as deep as it is long; what walks through trees calls
/// itself.
void guard_chain(const TokenCursor& cursor, int links) {
  if (links >= kMaxChain) {
    throw Error(ErrorCode::kSqlSyntax,
                fmt::format("SQL parse failed. More than {} operators in a row.", kMaxChain))
        .at(cursor.peek().position)
        .hint("Write comparisons of one column as IN (...), or put parts into brackets.");
  }
}

ExprPtr operation(const TokenCursor& cursor, size_t first, Op op, std::vector<ExprPtr> operands) {
  auto node = make_node<Operator>(cursor, first);
  node->op = op;
  node->operands = std::move(operands);
  return node;
}

std::optional<Op> comparison_at(const TokenCursor& cursor) {
  switch (cursor.peek().kind) {
    case TokenKind::kEquals:
      return Op::kEquals;
    case TokenKind::kNotEquals:
      return Op::kNotEquals;
    case TokenKind::kLess:
      return Op::kLess;
    case TokenKind::kLessOrEqual:
      return Op::kLessOrEqual;
    case TokenKind::kGreater:
      return Op::kGreater;
    case TokenKind::kGreaterOrEqual:
      return Op::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

/// The list or query in parentheses after IN, ANY, ALL.
struct Members {
  std::vector<ExprPtr> values;
  QueryPtr query;
};

Members parse_members(TokenCursor& cursor) {
  Members members;
  cursor.expect(TokenKind::kLeftParen, "(");
  if (at_query(cursor)) {
    members.query = parse_query_expr(cursor);
  } else {
    members.values = parse_expr_list(cursor);
  }
  cursor.expect(TokenKind::kRightParen, ")");
  return members;
}

ExprPtr parse_unary(TokenCursor& cursor) {
  const size_t first = cursor.index();
  const bool plus = cursor.at(TokenKind::kPlus);
  if (!plus && !cursor.at(TokenKind::kMinus)) {
    return parse_primary(cursor);
  }
  const TokenCursor::Nesting nesting(cursor);
  cursor.next();
  ExprPtr operand = parse_unary(cursor);
  return operation(cursor, first, plus ? Op::kUnaryPlus : Op::kUnaryMinus, {std::move(operand)});
}

ExprPtr parse_multiplicative(TokenCursor& cursor) {
  constexpr std::array<std::pair<TokenKind, Op>, 4> kOps = {{{TokenKind::kStar, Op::kMultiply},
                                                             {TokenKind::kSlash, Op::kDivide},
                                                             {TokenKind::kPercent, Op::kModulo},
                                                             {TokenKind::kConcat, Op::kConcat}}};
  const size_t first = cursor.index();
  ExprPtr left = parse_unary(cursor);
  int links = 0;
  for (size_t i = 0; i < kOps.size();) {
    if (!cursor.accept(kOps[i].first)) {
      ++i;
      continue;
    }
    guard_chain(cursor, links++);
    ExprPtr right = parse_unary(cursor);
    left = operation(cursor, first, kOps[i].second, {std::move(left), std::move(right)});
    i = 0;
  }
  return left;
}

ExprPtr parse_between(TokenCursor& cursor, size_t first, ExprPtr value, bool negated) {
  const bool symmetric = cursor.accept("SYMMETRIC");
  if (!symmetric) {
    cursor.accept("ASYMMETRIC");
  }
  ExprPtr low = parse_additive(cursor);
  cursor.expect("AND");
  ExprPtr high = parse_additive(cursor);
  const Op plain = negated ? Op::kNotBetween : Op::kBetween;
  const Op with_symmetry = negated ? Op::kNotBetweenSymmetric : Op::kBetweenSymmetric;
  return operation(cursor,
                   first,
                   symmetric ? with_symmetry : plain,
                   {std::move(value), std::move(low), std::move(high)});
}

ExprPtr parse_in(TokenCursor& cursor, size_t first, ExprPtr operand, bool negated) {
  Members members = parse_members(cursor);
  auto node = make_node<In>(cursor, first);
  node->operand = std::move(operand);
  node->values = std::move(members.values);
  node->query = std::move(members.query);
  node->negated = negated;
  return node;
}

ExprPtr parse_like(TokenCursor& cursor, size_t first, ExprPtr value, Op op) {
  std::vector<ExprPtr> operands = {std::move(value), parse_additive(cursor)};
  if (cursor.accept("ESCAPE")) {
    operands.push_back(parse_additive(cursor));
  }
  return operation(cursor, first, op, std::move(operands));
}

ExprPtr parse_range(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ExprPtr left = parse_additive(cursor);
  while (true) {
    const size_t before = cursor.index();
    const bool negated = cursor.accept("NOT");
    if (cursor.accept("BETWEEN")) {
      left = parse_between(cursor, first, std::move(left), negated);
    } else if (cursor.accept("IN")) {
      left = parse_in(cursor, first, std::move(left), negated);
    } else if (cursor.accept("LIKE")) {
      left = parse_like(cursor, first, std::move(left), negated ? Op::kNotLike : Op::kLike);
    } else if (cursor.accept_all({"SIMILAR", "TO"})) {
      left =
          parse_like(cursor, first, std::move(left), negated ? Op::kNotSimilarTo : Op::kSimilarTo);
    } else if (!negated && cursor.accept("OVERLAPS")) {
      ExprPtr right = parse_additive(cursor);
      left = operation(cursor, first, Op::kOverlaps, {std::move(left), std::move(right)});
    } else {
      cursor.rewind(before);
      return left;
    }
  }
}

bool at_quantifier(const TokenCursor& cursor) {
  return cursor.at_any({"SOME", "ANY", "ALL"}) && cursor.at(TokenKind::kLeftParen, 1);
}

ExprPtr parse_quantified(TokenCursor& cursor, size_t first, ExprPtr operand, Op op) {
  const bool all = cursor.next().keyword == "ALL";
  Members members = parse_members(cursor);
  auto node = make_node<Quantified>(cursor, first);
  node->op = op;
  node->all = all;
  node->operand = std::move(operand);
  node->values = std::move(members.values);
  node->query = std::move(members.query);
  return node;
}

ExprPtr parse_comparison(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ExprPtr left = parse_range(cursor);
  while (true) {
    if (const std::optional<Op> op = comparison_at(cursor)) {
      cursor.next();
      if (at_quantifier(cursor)) {
        left = parse_quantified(cursor, first, std::move(left), *op);
        continue;
      }
      ExprPtr right = parse_range(cursor);
      left = operation(cursor, first, *op, {std::move(left), std::move(right)});
    } else if (cursor.at_all({"IS", "DISTINCT"}) || cursor.at_all({"IS", "NOT", "DISTINCT"})) {
      cursor.next();
      const bool negated = cursor.accept("NOT");
      cursor.expect_all({"DISTINCT", "FROM"});
      ExprPtr right = parse_range(cursor);
      left = operation(cursor,
                       first,
                       negated ? Op::kIsNotDistinctFrom : Op::kIsDistinctFrom,
                       {std::move(left), std::move(right)});
    } else {
      return left;
    }
  }
}

Op parse_is_json(TokenCursor& cursor, bool negated) {
  if (cursor.accept("OBJECT")) {
    return negated ? Op::kIsNotJsonObject : Op::kIsJsonObject;
  }
  if (cursor.accept("ARRAY")) {
    return negated ? Op::kIsNotJsonArray : Op::kIsJsonArray;
  }
  if (cursor.accept("SCALAR")) {
    return negated ? Op::kIsNotJsonScalar : Op::kIsJsonScalar;
  }
  cursor.accept("VALUE");
  return negated ? Op::kIsNotJsonValue : Op::kIsJsonValue;
}

/// After the word IS.
Op parse_is_test(TokenCursor& cursor) {
  const bool negated = cursor.accept("NOT");
  if (cursor.accept("NULL")) {
    return negated ? Op::kIsNotNull : Op::kIsNull;
  }
  if (cursor.accept("TRUE")) {
    return negated ? Op::kIsNotTrue : Op::kIsTrue;
  }
  if (cursor.accept("FALSE")) {
    return negated ? Op::kIsNotFalse : Op::kIsFalse;
  }
  if (cursor.accept("UNKNOWN")) {
    return negated ? Op::kIsNotUnknown : Op::kIsUnknown;
  }
  if (cursor.accept("JSON")) {
    return parse_is_json(cursor, negated);
  }
  cursor.unexpected("NULL, TRUE, FALSE, UNKNOWN, JSON or DISTINCT FROM");
}

ExprPtr parse_is(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ExprPtr operand = parse_comparison(cursor);
  while (cursor.accept("IS")) {
    const Op op = parse_is_test(cursor);
    operand = operation(cursor, first, op, {std::move(operand)});
  }
  return operand;
}

ExprPtr parse_not(TokenCursor& cursor) {
  const size_t first = cursor.index();
  if (!cursor.accept("NOT")) {
    return parse_is(cursor);
  }
  const TokenCursor::Nesting nesting(cursor);
  ExprPtr operand = parse_not(cursor);
  return operation(cursor, first, Op::kNot, {std::move(operand)});
}

ExprPtr parse_and(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ExprPtr left = parse_not(cursor);
  for (int links = 0; cursor.accept("AND"); ++links) {
    guard_chain(cursor, links);
    ExprPtr right = parse_not(cursor);
    left = operation(cursor, first, Op::kAnd, {std::move(left), std::move(right)});
  }
  return left;
}

}  // namespace

ExprPtr parse_additive(TokenCursor& cursor) {
  const size_t first = cursor.index();
  ExprPtr left = parse_multiplicative(cursor);
  for (int links = 0; cursor.at(TokenKind::kPlus) || cursor.at(TokenKind::kMinus); ++links) {
    guard_chain(cursor, links);
    const Op op = cursor.next().kind == TokenKind::kPlus ? Op::kPlus : Op::kMinus;
    ExprPtr right = parse_multiplicative(cursor);
    left = operation(cursor, first, op, {std::move(left), std::move(right)});
  }
  return left;
}

ExprPtr parse_expr(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  const size_t first = cursor.index();
  ExprPtr left = parse_and(cursor);
  for (int links = 0; cursor.accept("OR"); ++links) {
    guard_chain(cursor, links);
    ExprPtr right = parse_and(cursor);
    left = operation(cursor, first, Op::kOr, {std::move(left), std::move(right)});
  }
  return left;
}

std::vector<ExprPtr> parse_expr_list(TokenCursor& cursor) {
  std::vector<ExprPtr> list;
  do {
    list.push_back(parse_expr(cursor));
  } while (cursor.accept(TokenKind::kComma));
  return list;
}

}  // namespace thalweg::sql
