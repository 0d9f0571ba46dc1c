#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/common/check.h"
#include "thalweg/sql/ast_literal.h"
#include "thalweg/sql/ast_name.h"
#include "thalweg/types/data_type.h"

namespace thalweg::sql {

struct Expr;
struct Query;
struct WindowSpec;
using ExprPtr = std::shared_ptr<const Expr>;
using QueryPtr = std::shared_ptr<const Query>;
using WindowSpecPtr = std::shared_ptr<const WindowSpec>;

enum class ExprKind : uint8_t {
  kLiteral,
  kColumn,
  kStar,
  kOperator,
  kFunctionCall,
  kCast,
  kCase,
  kIn,
  kExists,
  kSubquery,
  kQuantified,
  kFieldAccess,
  kArray,
  kMap,
  kRow,
  kSymbol,
  kNamedArgument,
  kDescriptor,
  kTableArgument,
  kModelArgument,
  kDefault,
};

/// A node of an expression tree, made by the parser or by the Table API. Filled once, then shared
/// as const
/// (`ExprPtr`), so trees may share subtrees across threads. Nodes made without text have an
/// all-zero position.
struct Expr {
  const ExprKind kind;
  SourcePosition position = {};

  virtual ~Expr() = default;
  Expr(const Expr&) = default;
  Expr& operator=(const Expr&) = delete;

 protected:
  explicit Expr(ExprKind the_kind) : kind(the_kind) {}
};

/// The base that ties a node type to its kind; `as` and `if_a` below use `kKind`.
template <ExprKind Kind>
struct ExprOf : Expr {
  static constexpr ExprKind kKind = Kind;

 protected:
  ExprOf() : Expr(Kind) {}
};

template <typename T>
const T* if_a(const Expr& expr) {
  return expr.kind == T::kKind ? static_cast<const T*>(&expr) : nullptr;
}

template <typename T>
const T* if_a(const ExprPtr& expr) {
  return expr ? if_a<T>(*expr) : nullptr;
}

template <typename T>
const T& as(const Expr& expr) {
  check(expr.kind == T::kKind, "expression node of another kind");
  return static_cast<const T&>(expr);
}

struct Literal : ExprOf<ExprKind::kLiteral> {
  LiteralKind literal_kind = LiteralKind::kNull;
  /// Without quotes, escapes resolved: digits, characters, raw bytes (kBinary), TRUE/FALSE, or the
  /// text inside DATE '..'.
  std::string text;
  /// kInterval: a leading sign outside the quotes, as in INTERVAL -'1' DAY.
  bool negative_interval = false;
  IntervalQualifier interval;
  /// The Table API's `lit(value, type)`: the type asked for; otherwise it follows from the text.
  std::optional<DataType> type;
};

/// A possibly compound name: column, table.column, column.field; the binder tells which.
struct Column : ExprOf<ExprKind::kColumn> {
  ObjectName name;
};

/// `*` (no qualifier), `t.*`, or the argument of COUNT(*).
struct Star : ExprOf<ExprKind::kStar> {
  ObjectName qualifier;
};

enum class Op : uint8_t {
  kOr,
  kAnd,
  kNot,
  kEquals,
  kNotEquals,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kIsNull,
  kIsNotNull,
  kIsTrue,
  kIsNotTrue,
  kIsFalse,
  kIsNotFalse,
  kIsUnknown,
  kIsNotUnknown,
  kIsDistinctFrom,
  kIsNotDistinctFrom,
  kIsJsonValue,
  kIsNotJsonValue,
  kIsJsonObject,
  kIsNotJsonObject,
  kIsJsonArray,
  kIsNotJsonArray,
  kIsJsonScalar,
  kIsNotJsonScalar,
  kLike,     // value, pattern [, escape]
  kNotLike,  // the same
  kSimilarTo,
  kNotSimilarTo,
  kBetween,  // value, low, high
  kNotBetween,
  kBetweenSymmetric,
  kNotBetweenSymmetric,
  kPlus,
  kMinus,
  kMultiply,
  kDivide,
  kModulo,
  kConcat,
  kUnaryPlus,
  kUnaryMinus,
  kItem,      // collection[index]
  kOverlaps,  // row, row
};

struct Operator : ExprOf<ExprKind::kOperator> {
  Op op = Op::kAnd;
  std::vector<ExprPtr> operands;
};

enum class JsonBehaviour : uint8_t {
  kUnset,
  kNull,
  kError,
  kDefault,
  kEmptyArray,
  kEmptyObject,
  kTrue,
  kFalse,
  kUnknown,
};

enum class JsonWrapper : uint8_t { kUnset, kWithout, kConditional, kUnconditional };
enum class JsonOnNull : uint8_t { kUnset, kNull, kAbsent };

/// The words inside JSON_VALUE, JSON_QUERY, JSON_EXISTS, JSON_OBJECT[AGG] and JSON_ARRAY[AGG].
struct JsonClauses {
  std::optional<DataType> returning;
  JsonBehaviour on_empty = JsonBehaviour::kUnset;
  ExprPtr default_on_empty;
  JsonBehaviour on_error = JsonBehaviour::kUnset;
  ExprPtr default_on_error;
  JsonWrapper wrapper = JsonWrapper::kUnset;
  JsonOnNull on_null = JsonOnNull::kUnset;
};

struct OrderItem {
  ExprPtr expr;
  bool descending = false;
  std::optional<bool> nulls_first = {};
};

enum class SetQuantifier : uint8_t { kUnset, kDistinct, kAll };

/// Every call by name, built-in or not. Special syntax is brought to plain arguments:
///
/// | EXTRACT(DAY FROM x)          | [Symbol DAY, x] |
/// | FLOOR(x TO DAY), CEIL        | [x, Symbol DAY] |
/// | TIMESTAMPADD/DIFF(DAY, a, b) | [Symbol DAY, a, b] |
/// | TRIM(LEADING c FROM s)       | [Symbol LEADING, c, s]; TRIM(s) is [Symbol BOTH, ' ', s] |
/// | POSITION(a IN b)             | [a, b] |
/// | SUBSTRING(s FROM i FOR n)    | [s, i, n] |
/// | OVERLAY(s PLACING r FROM i FOR n) | [s, r, i, n] |
/// | JSON_OBJECT(KEY k VALUE v)   | [k, v, ...] and `json` |
/// | COUNT(*)                     | [Star] |
/// | CURRENT_TIMESTAMP            | [] and `niladic` |
struct FunctionCall : ExprOf<ExprKind::kFunctionCall> {
  ObjectName name;
  std::vector<ExprPtr> args;
  SetQuantifier quantifier = SetQuantifier::kUnset;
  bool niladic = false;
  std::shared_ptr<const JsonClauses> json;
  /// WITHIN GROUP (ORDER BY ...) or the ORDER BY inside the parentheses.
  std::vector<OrderItem> order_by;
  ExprPtr filter;
  std::optional<bool> ignore_nulls;  // IGNORE NULLS / RESPECT NULLS
  WindowSpecPtr over;
};

enum class FrameUnit : uint8_t { kRows, kRange };

enum class FrameBoundKind : uint8_t {
  kUnboundedPreceding,
  kPreceding,
  kCurrentRow,
  kFollowing,
  kUnboundedFollowing,
};

struct FrameBound {
  FrameBoundKind kind = FrameBoundKind::kCurrentRow;
  ExprPtr offset;
};

struct WindowFrame {
  FrameUnit unit = FrameUnit::kRange;
  FrameBound lower = {FrameBoundKind::kUnboundedPreceding, nullptr};
  FrameBound upper = {};
};

/// OVER (...), OVER name, and the definitions of a WINDOW clause.
struct WindowSpec {
  /// The named window it stands on: alone in `OVER w`, or first inside the parentheses.
  std::optional<Identifier> base;
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
  std::optional<WindowFrame> frame;
  SourcePosition position = {};
};

struct Cast : ExprOf<ExprKind::kCast> {
  ExprPtr operand;
  DataType type;
  bool is_try = false;
  SourcePosition type_position = {};
};

struct Case : ExprOf<ExprKind::kCase> {
  ExprPtr operand;  // null for the searched form
  std::vector<std::pair<ExprPtr, ExprPtr>> branches;
  ExprPtr otherwise;  // null when there is no ELSE
};

/// `operand [NOT] IN (values...)` or `IN (query)`.
struct In : ExprOf<ExprKind::kIn> {
  ExprPtr operand;
  std::vector<ExprPtr> values;
  QueryPtr query;
  bool negated = false;
};

struct Exists : ExprOf<ExprKind::kExists> {
  QueryPtr query;
};

enum class SubqueryKind : uint8_t { kScalar, kArray, kMap, kMultiset };

/// A query in parentheses used as a value, or ARRAY(query) and its kin.
struct Subquery : ExprOf<ExprKind::kSubquery> {
  SubqueryKind subquery_kind = SubqueryKind::kScalar;
  QueryPtr query;
};

/// `operand > ALL (query)`, `operand = ANY (values)`; SOME is ANY.
struct Quantified : ExprOf<ExprKind::kQuantified> {
  Op op = Op::kEquals;
  bool all = false;
  ExprPtr operand;
  std::vector<ExprPtr> values;
  QueryPtr query;
};

/// `(expr).field`, `f(x).field`, `a[1].field`; plain a.b is a Column. `*` as field is a Star-like
/// flattening.
struct FieldAccess : ExprOf<ExprKind::kFieldAccess> {
  ExprPtr operand;
  Identifier field;
  bool star = false;
};

struct ArrayExpr : ExprOf<ExprKind::kArray> {
  std::vector<ExprPtr> elements;
};

/// MAP[k1, v1, k2, v2].
struct MapExpr : ExprOf<ExprKind::kMap> {
  std::vector<std::pair<ExprPtr, ExprPtr>> entries;
};

/// ROW(a, b), or (a, b) without the word.
struct RowExpr : ExprOf<ExprKind::kRow> {
  std::vector<ExprPtr> fields;
  bool explicit_row = false;
};

/// A keyword used as an argument: a time unit, BOTH/LEADING/TRAILING, upper case.
struct Symbol : ExprOf<ExprKind::kSymbol> {
  std::string text;
};

/// `NAME => value`.
struct NamedArgument : ExprOf<ExprKind::kNamedArgument> {
  Identifier name;
  ExprPtr value;
};

/// DESCRIPTOR(a, b).
struct Descriptor : ExprOf<ExprKind::kDescriptor> {
  std::vector<Identifier> columns;
};

/// `TABLE t [PARTITION BY ..] [ORDER BY ..]` or `(query) [PARTITION BY ..]` as an argument of a
/// table function.
struct TableArgument : ExprOf<ExprKind::kTableArgument> {
  ObjectName table;  // empty when `query` is set
  QueryPtr query;
  std::vector<ExprPtr> partition_by;
  std::vector<OrderItem> order_by;
};

/// `MODEL m` as an argument of ML_PREDICT.
struct ModelArgument : ExprOf<ExprKind::kModelArgument> {
  ObjectName model;
};

/// DEFAULT as an argument or an inserted value.
struct DefaultExpr : ExprOf<ExprKind::kDefault> {};

}  // namespace thalweg::sql
