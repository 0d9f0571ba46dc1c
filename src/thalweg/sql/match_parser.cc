#include <utility>

#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

Pattern parse_pattern(TokenCursor& cursor);

Pattern parse_permute(TokenCursor& cursor) {
  Pattern permute;
  permute.kind = PatternKind::kPermute;
  cursor.expect(TokenKind::kLeftParen, "(");
  do {
    permute.children.push_back(parse_pattern(cursor));
  } while (cursor.accept(TokenKind::kComma));
  cursor.expect(TokenKind::kRightParen, ")");
  return permute;
}

Pattern parse_pattern_primary(TokenCursor& cursor) {
  Pattern pattern;
  if (cursor.accept(TokenKind::kLeftParen)) {
    pattern = parse_pattern(cursor);
    cursor.expect(TokenKind::kRightParen, ")");
  } else if (cursor.at(TokenKind::kLeftBrace)) {
    cursor.next();
    cursor.expect(TokenKind::kMinus, "{-");
    pattern.kind = PatternKind::kExclude;
    pattern.children.push_back(parse_pattern(cursor));
    cursor.expect(TokenKind::kMinus, "-}");
    cursor.expect(TokenKind::kRightBrace, "-}");
  } else if (cursor.accept("PERMUTE")) {
    pattern = parse_permute(cursor);
  } else {
    pattern.kind = PatternKind::kSymbol;
    pattern.symbol = cursor.name("a pattern variable's name");
  }
  return pattern;
}

/// {n}, {n,}, {,m}, {n,m}; the brace is read.
void parse_repetition(TokenCursor& cursor, Pattern& quantified) {
  quantified.min = cursor.at(TokenKind::kComma) ? 0 : cursor.unsigned_int();
  quantified.max = quantified.min;
  if (cursor.accept(TokenKind::kComma)) {
    quantified.max = cursor.at(TokenKind::kRightBrace) ? -1 : cursor.unsigned_int();
  }
  cursor.expect(TokenKind::kRightBrace, "}");
}

Pattern parse_pattern_factor(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  Pattern primary = parse_pattern_primary(cursor);
  Pattern quantified;
  quantified.kind = PatternKind::kQuantified;
  if (cursor.accept(TokenKind::kStar)) {
    quantified.min = 0;
    quantified.max = -1;
  } else if (cursor.accept(TokenKind::kPlus)) {
    quantified.min = 1;
    quantified.max = -1;
  } else if (cursor.accept(TokenKind::kQuestion)) {
    quantified.min = 0;
    quantified.max = 1;
  } else if (cursor.at(TokenKind::kLeftBrace) && !cursor.at(TokenKind::kMinus, 1)) {
    cursor.next();
    parse_repetition(cursor, quantified);
  } else {
    return primary;
  }
  quantified.reluctant = cursor.accept(TokenKind::kQuestion);
  quantified.children.push_back(std::move(primary));
  return quantified;
}

bool at_pattern_factor(const TokenCursor& cursor) {
  return (cursor.at_name() && !cursor.at("$")) || cursor.at(TokenKind::kLeftParen) ||
         cursor.at(TokenKind::kLeftBrace) || cursor.at("PERMUTE");
}

Pattern parse_pattern_term(TokenCursor& cursor) {
  Pattern term = parse_pattern_factor(cursor);
  if (!at_pattern_factor(cursor)) {
    return term;
  }
  Pattern concat;
  concat.kind = PatternKind::kConcat;
  concat.children.push_back(std::move(term));
  while (at_pattern_factor(cursor)) {
    concat.children.push_back(parse_pattern_factor(cursor));
  }
  return concat;
}

Pattern parse_pattern(TokenCursor& cursor) {
  Pattern first = parse_pattern_term(cursor);
  if (!cursor.at(TokenKind::kVerticalBar)) {
    return first;
  }
  Pattern alternation;
  alternation.kind = PatternKind::kAlternation;
  alternation.children.push_back(std::move(first));
  while (cursor.accept(TokenKind::kVerticalBar)) {
    alternation.children.push_back(parse_pattern_term(cursor));
  }
  return alternation;
}

void parse_measures(TokenCursor& cursor, MatchRecognize& match) {
  if (!cursor.accept("MEASURES")) {
    return;
  }
  do {
    Measure measure;
    measure.expr = parse_expr(cursor);
    cursor.expect("AS");
    measure.alias = cursor.name("a measure's name");
    match.measures.push_back(std::move(measure));
  } while (cursor.accept(TokenKind::kComma));
}

void parse_rows_per_match(TokenCursor& cursor, MatchRecognize& match) {
  if (cursor.accept_all({"ONE", "ROW", "PER", "MATCH"})) {
    match.rows_per_match = RowsPerMatch::kOneRow;
  } else if (cursor.accept_all({"ALL", "ROWS", "PER", "MATCH"})) {
    match.rows_per_match = RowsPerMatch::kAllRows;
  }
}

void parse_after_match(TokenCursor& cursor, MatchRecognize& match) {
  if (!cursor.accept_all({"AFTER", "MATCH"})) {
    return;
  }
  cursor.expect("SKIP");
  if (cursor.accept_all({"PAST", "LAST", "ROW"})) {
    match.after_match = AfterMatch::kPastLastRow;
    return;
  }
  cursor.expect("TO");
  if (cursor.accept_all({"NEXT", "ROW"})) {
    match.after_match = AfterMatch::kNextRow;
    return;
  }
  match.after_match = AfterMatch::kToLast;
  if (cursor.at("FIRST") && cursor.at_name(1)) {
    cursor.next();
    match.after_match = AfterMatch::kToFirst;
  } else if (cursor.at("LAST") && cursor.at_name(1)) {
    cursor.next();
  }
  match.skip_symbol = cursor.name("a pattern variable's name");
}

void parse_pattern_clause(TokenCursor& cursor, MatchRecognize& match) {
  cursor.expect("PATTERN");
  cursor.expect(TokenKind::kLeftParen, "(");
  match.starts_at_partition = cursor.accept(TokenKind::kCaret);
  match.pattern = parse_pattern(cursor);
  if (cursor.at("$")) {
    cursor.next();
    match.ends_at_partition = true;
  }
  cursor.expect(TokenKind::kRightParen, ")");
  if (cursor.accept("WITHIN")) {
    match.within = parse_expr(cursor);
  }
}

void parse_subsets(TokenCursor& cursor, MatchRecognize& match) {
  if (!cursor.accept("SUBSET")) {
    return;
  }
  do {
    PatternSubset subset;
    subset.name = cursor.name("a subset's name");
    cursor.expect(TokenKind::kEquals, "=");
    subset.symbols = cursor.names_in_parens();
    match.subsets.push_back(std::move(subset));
  } while (cursor.accept(TokenKind::kComma));
}

void parse_definitions(TokenCursor& cursor, MatchRecognize& match) {
  cursor.expect("DEFINE");
  do {
    PatternDefinition definition;
    definition.symbol = cursor.name("a pattern variable's name");
    cursor.expect("AS");
    definition.condition = parse_expr(cursor);
    match.definitions.push_back(std::move(definition));
  } while (cursor.accept(TokenKind::kComma));
}

}  // namespace

std::shared_ptr<MatchRecognize> parse_match_recognize(TokenCursor& cursor, TableRefPtr input) {
  const size_t first = cursor.index() - 1;
  auto match = std::make_shared<MatchRecognize>();
  match->input = std::move(input);
  cursor.expect(TokenKind::kLeftParen, "(");
  if (cursor.accept_all({"PARTITION", "BY"})) {
    match->partition_by = parse_expr_list(cursor);
  }
  if (cursor.accept_all({"ORDER", "BY"})) {
    match->order_by = parse_order_items(cursor);
  }
  parse_measures(cursor, *match);
  parse_rows_per_match(cursor, *match);
  parse_after_match(cursor, *match);
  parse_pattern_clause(cursor, *match);
  parse_subsets(cursor, *match);
  parse_definitions(cursor, *match);
  cursor.expect(TokenKind::kRightParen, ")");
  match->position = cursor.since(first);
  return match;
}

}  // namespace thalweg::sql
