#include <fmt/format.h>

#include "thalweg/sql/ast_match.h"
#include "thalweg/sql/unparse_writer.h"

namespace thalweg::sql {

namespace {

void write_pattern(Writer& writer, const Pattern& pattern);

void write_children(Writer& writer, const Pattern& pattern, std::string_view between) {
  std::string_view separator;
  for (const Pattern& child : pattern.children) {
    writer << separator;
    const bool parens =
        pattern.kind == PatternKind::kConcat && child.kind == PatternKind::kAlternation;
    writer << (parens ? "(" : "");
    write_pattern(writer, child);
    writer << (parens ? ")" : "");
    separator = between;
  }
}

std::string quantifier_text(const Pattern& pattern) {
  std::string text;
  if (pattern.max < 0) {
    text = pattern.min == 0 ? "*" : pattern.min == 1 ? "+" : fmt::format("{{{},}}", pattern.min);
  } else if (pattern.min == 0 && pattern.max == 1) {
    text = "?";
  } else if (pattern.min == pattern.max) {
    text = fmt::format("{{{}}}", pattern.min);
  } else {
    text = fmt::format("{{{},{}}}", pattern.min, pattern.max);
  }
  return text + (pattern.reluctant ? "?" : "");
}

void write_quantified(Writer& writer, const Pattern& pattern) {
  const bool parens = pattern.children[0].kind != PatternKind::kSymbol;
  writer << (parens ? "(" : "");
  write_pattern(writer, pattern.children[0]);
  writer << (parens ? ")" : "") << quantifier_text(pattern);
}

void write_pattern(Writer& writer, const Pattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::kSymbol:
      writer << quote_identifier(pattern.symbol.text);
      return;
    case PatternKind::kConcat:
      return write_children(writer, pattern, " ");
    case PatternKind::kAlternation:
      return write_children(writer, pattern, " | ");
    case PatternKind::kQuantified:
      return write_quantified(writer, pattern);
    case PatternKind::kPermute:
      writer << "PERMUTE(";
      write_children(writer, pattern, ", ");
      writer << ")";
      return;
    case PatternKind::kExclude:
      writer << "{- ";
      write_children(writer, pattern, " ");
      writer << " -}";
      return;
  }
}

void write_after_match(Writer& writer, const MatchRecognize& match) {
  switch (match.after_match) {
    case AfterMatch::kUnset:
      return;
    case AfterMatch::kNextRow:
      writer << "\nAFTER MATCH SKIP TO NEXT ROW";
      return;
    case AfterMatch::kPastLastRow:
      writer << "\nAFTER MATCH SKIP PAST LAST ROW";
      return;
    case AfterMatch::kToFirst:
      writer << "\nAFTER MATCH SKIP TO FIRST " << quote_identifier(match.skip_symbol.text);
      return;
    case AfterMatch::kToLast:
      writer << "\nAFTER MATCH SKIP TO LAST " << quote_identifier(match.skip_symbol.text);
      return;
  }
}

void write_measures(Writer& writer, const MatchRecognize& match) {
  std::string_view separator = "\nMEASURES ";
  for (const Measure& measure : match.measures) {
    writer << separator;
    write_expr(writer, *measure.expr);
    writer << " AS " << quote_identifier(measure.alias.text);
    separator = ", ";
  }
}

void write_definitions(Writer& writer, const MatchRecognize& match) {
  std::string_view separator = "\nSUBSET ";
  for (const PatternSubset& subset : match.subsets) {
    writer << separator << quote_identifier(subset.name.text) << " = (";
    write_names(writer, subset.symbols);
    writer << ")";
    separator = ", ";
  }
  separator = "\nDEFINE ";
  for (const PatternDefinition& definition : match.definitions) {
    writer << separator << quote_identifier(definition.symbol.text) << " AS ";
    write_expr(writer, *definition.condition);
    separator = ", ";
  }
}

}  // namespace

void write_match(Writer& writer, const MatchRecognize& match) {
  write_table_ref(writer, *match.input);
  writer << " MATCH_RECOGNIZE(";
  if (!match.partition_by.empty()) {
    writer << "\nPARTITION BY ";
    write_expr_list(writer, match.partition_by);
  }
  if (!match.order_by.empty()) {
    writer << "\nORDER BY ";
    write_order(writer, match.order_by);
  }
  write_measures(writer, match);
  if (match.rows_per_match != RowsPerMatch::kUnset) {
    writer << (match.rows_per_match == RowsPerMatch::kOneRow ? "\nONE ROW PER MATCH"
                                                             : "\nALL ROWS PER MATCH");
  }
  write_after_match(writer, match);
  writer << "\nPATTERN (" << (match.starts_at_partition ? "^ " : "");
  write_pattern(writer, match.pattern);
  writer << (match.ends_at_partition ? " $)" : ")");
  if (match.within) {
    writer << " WITHIN ";
    write_expr(writer, *match.within);
  }
  write_definitions(writer, match);
  writer << ")";
}

}  // namespace thalweg::sql
