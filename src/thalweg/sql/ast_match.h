#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/sql/ast_query.h"

namespace thalweg::sql {

enum class PatternKind : uint8_t {
  kSymbol,
  kConcat,
  kAlternation,
  kQuantified,
  kPermute,
  kExclude,
};

/// A node of a MATCH_RECOGNIZE pattern.
struct Pattern {
  PatternKind kind = PatternKind::kConcat;
  Identifier symbol;
  std::vector<Pattern> children;
  /// kQuantified: `{min, max}`; max -1 is unbounded.
  int64_t min = 1;
  int64_t max = 1;
  bool reluctant = false;
};

/// ONE ROW (FINAL) or ALL ROWS (RUNNING); MATCH_RECOGNIZE leaves kUnset when it is not written.
enum class RowsPerMatch : uint8_t { kUnset, kOneRow, kAllRows };

enum class AfterMatch : uint8_t { kUnset, kNextRow, kPastLastRow, kToFirst, kToLast };

struct Measure {
  ExprPtr expr;  // FINAL x and RUNNING x are calls named FINAL and RUNNING
  Identifier alias;
};

struct PatternDefinition {
  Identifier symbol;
  ExprPtr condition;
};

struct PatternSubset {
  Identifier name;
  std::vector<Identifier> symbols;
};

struct MatchRecognize : TableRefOf<TableRefKind::kMatch> {
  TableRefPtr input;
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::vector<Measure> measures;
  RowsPerMatch rows_per_match = RowsPerMatch::kUnset;
  AfterMatch after_match = AfterMatch::kUnset;
  Identifier skip_symbol;
  Pattern pattern;
  bool starts_at_partition = false;  // PATTERN (^ ...)
  bool ends_at_partition = false;    // PATTERN (... $)
  ExprPtr within;
  std::vector<PatternSubset> subsets;
  std::vector<PatternDefinition> definitions;
};

}  // namespace thalweg::sql
