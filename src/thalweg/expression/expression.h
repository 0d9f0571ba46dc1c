#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/common/error.h"
#include "thalweg/common/ids.h"
#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::expression {

class ScalarFunction;
struct Expression;
using ExpressionPtr = std::shared_ptr<const Expression>;

/// The forms that need more than "evaluate the operands, call the kernel": each has its evaluator
/// in a file of its own. Everything else is a kCall.
enum class ExpressionKind : uint8_t {
  kLiteral,
  /// A column of the input.
  kColumn,
  kCall,
  kCast,
  /// NULL where the cast fails.
  kTryCast,
  /// Operands: condition, value, condition, value, ..., otherwise. Evaluates a branch only for its
  /// rows.
  kCase,
  /// Three-valued; the right side is evaluated only for rows that the left does not decide.
  kAnd,
  kOr,
  kCoalesce,
  /// The watermark before the row (CURRENT_WATERMARK); no operands.
  kCurrentWatermark,
};

/// A bound, typed expression over the columns of one input: an immutable tree, shared freely.
struct Expression {
  ExpressionKind kind = ExpressionKind::kLiteral;
  DataType type;
  Value literal = {};
  ColumnIndex column = {};
  std::shared_ptr<const ScalarFunction> function = nullptr;
  std::vector<ExpressionPtr> operands = {};
  SourcePosition position = {};
  /// A kCast that the query does not write: plans leave it out where it only widens a number.
  bool is_implicit = false;
};

ExpressionPtr make_literal(DataType type, Value value, SourcePosition position = {});
ExpressionPtr make_column(ColumnIndex column, DataType type, SourcePosition position = {});
ExpressionPtr make_cast(ExpressionPtr operand,
                        DataType target,
                        bool is_try = false,
                        SourcePosition position = {});
/// A special form (kCase, kAnd, kOr, kCoalesce, kCurrentWatermark).
ExpressionPtr make_form(ExpressionKind kind,
                        DataType type,
                        std::vector<ExpressionPtr> operands,
                        SourcePosition position = {});

/// True when no operand reads a column and every function is deterministic.
bool is_constant(const Expression& expression);
/// Ascending, each once.
std::vector<ColumnIndex> referenced_columns(const Expression& expression);
/// The same tree over moved columns: column i becomes mapping[i] (which must be set for every
/// column that is used).
ExpressionPtr remap_columns(const ExpressionPtr& expression, const std::vector<int32_t>& mapping);
/// True when both compute the same.
bool equal(const Expression& left, const Expression& right);

}  // namespace thalweg::expression
