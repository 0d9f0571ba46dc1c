#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::sql {

struct TableRef;
struct QueryBody;
using TableRefPtr = std::shared_ptr<const TableRef>;
using QueryBodyPtr = std::shared_ptr<const QueryBody>;

// ---------------------------------------------------------------------------------------------------------------
// Queries: WITH ... body ORDER BY ... OFFSET ... FETCH

struct CommonTable {
  Identifier name;
  std::vector<Identifier> columns;
  QueryPtr query;
};

struct Query {
  std::vector<CommonTable> with;
  QueryBodyPtr body;
  std::vector<OrderItem> order_by;
  ExprPtr offset;
  ExprPtr fetch;  // LIMIT n, FETCH NEXT n ROWS ONLY; null for all
  SourcePosition position = {};
};

enum class QueryBodyKind : uint8_t { kSelect, kValues, kSetOperation, kTable, kNested };

struct QueryBody {
  const QueryBodyKind kind;
  SourcePosition position = {};

  virtual ~QueryBody() = default;
  QueryBody(const QueryBody&) = default;
  QueryBody& operator=(const QueryBody&) = delete;

 protected:
  explicit QueryBody(QueryBodyKind the_kind) : kind(the_kind) {}
};

template <QueryBodyKind Kind>
struct QueryBodyOf : QueryBody {
  static constexpr QueryBodyKind kKind = Kind;

 protected:
  QueryBodyOf() : QueryBody(Kind) {}
};

template <typename T>
const T* if_a(const QueryBody& body) {
  return body.kind == T::kKind ? static_cast<const T*>(&body) : nullptr;
}

template <typename T>
const T& as(const QueryBody& body) {
  check(body.kind == T::kKind, "query body of another kind");
  return static_cast<const T&>(body);
}

struct HintArgument {
  std::string key;  // empty for a plain argument
  std::string value;
  SourcePosition position = {};
};

/// `OPTIONS('k'='v')`, `BROADCAST(t)`, `LOOKUP('table'='d')` inside /*+ ... */.
struct Hint {
  Identifier name;
  std::vector<HintArgument> args;
};

struct SelectItem {
  ExprPtr expr;  // Star for * and t.*
  std::optional<Identifier> alias = {};
};

enum class GroupingKind : uint8_t { kExpr, kSet, kGroupingSets, kCube, kRollup };

/// An element of GROUP BY: an expression, `(a, b)` or `()` (kSet), or GROUPING SETS/CUBE/ROLLUP
/// over elements.
struct GroupingElement {
  GroupingKind kind = GroupingKind::kExpr;
  std::vector<ExprPtr> exprs;
  std::vector<GroupingElement> children;
  SourcePosition position = {};
};

struct NamedWindow {
  Identifier name;
  WindowSpecPtr spec;
};

struct Select : QueryBodyOf<QueryBodyKind::kSelect> {
  std::vector<Hint> hints;
  SetQuantifier quantifier = SetQuantifier::kUnset;
  std::vector<SelectItem> items;
  TableRefPtr from;  // null for SELECT 1
  ExprPtr where;
  /// GROUP BY () is one kSet element without expressions.
  std::vector<GroupingElement> group_by;
  ExprPtr having;
  std::vector<NamedWindow> windows;
  ExprPtr qualify;
};

/// VALUES (1, 'a'), (2, 'b'); a row of one value may be written without parentheses.
struct Values : QueryBodyOf<QueryBodyKind::kValues> {
  std::vector<std::vector<ExprPtr>> rows;
  std::vector<SourcePosition> row_positions;
};

enum class SetOp : uint8_t { kUnion, kIntersect, kExcept };

struct SetOperation : QueryBodyOf<QueryBodyKind::kSetOperation> {
  SetOp op = SetOp::kUnion;
  bool all = false;
  QueryBodyPtr left;
  QueryBodyPtr right;
};

/// `TABLE t` as a query.
struct ExplicitTable : QueryBodyOf<QueryBodyKind::kTable> {
  ObjectName table;
};

/// A query in parentheses that has a WITH, ORDER BY or LIMIT of its own.
struct NestedQuery : QueryBodyOf<QueryBodyKind::kNested> {
  QueryPtr query;
};

// ---------------------------------------------------------------------------------------------------------------
// FROM

enum class TableRefKind : uint8_t { kNamed, kDerived, kFunction, kUnnest, kJoin, kMatch };

struct TableAlias {
  Identifier name;
  std::vector<Identifier> columns = {};
};

struct TableRef {
  const TableRefKind kind;
  std::optional<TableAlias> alias;
  SourcePosition position = {};

  virtual ~TableRef() = default;
  TableRef(const TableRef&) = default;
  TableRef& operator=(const TableRef&) = delete;

 protected:
  explicit TableRef(TableRefKind the_kind) : kind(the_kind) {}
};

template <TableRefKind Kind>
struct TableRefOf : TableRef {
  static constexpr TableRefKind kKind = Kind;

 protected:
  TableRefOf() : TableRef(Kind) {}
};

template <typename T>
const T* if_a(const TableRef& ref) {
  return ref.kind == T::kKind ? static_cast<const T*>(&ref) : nullptr;
}

template <typename T>
const T& as(const TableRef& ref) {
  check(ref.kind == T::kKind, "table reference of another kind");
  return static_cast<const T&>(ref);
}

struct NamedTable : TableRefOf<TableRefKind::kNamed> {
  ObjectName name;
  std::vector<Hint> hints;
  ExprPtr as_of;  // FOR SYSTEM_TIME AS OF expr
};

struct DerivedTable : TableRefOf<TableRefKind::kDerived> {
  QueryPtr query;
  bool lateral = false;
};

/// `[LATERAL] TABLE(f(...))`, or `f(...)` alone. Arguments of kinds TableArgument, Descriptor,
/// NamedArgument occur here.
struct TableFunction : TableRefOf<TableRefKind::kFunction> {
  ExprPtr call;  // a FunctionCall
  bool lateral = false;
};

struct Unnest : TableRefOf<TableRefKind::kUnnest> {
  std::vector<ExprPtr> collections;
  bool with_ordinality = false;
};

enum class JoinType : uint8_t { kComma, kCross, kInner, kLeft, kRight, kFull, kSemi, kAnti };

struct Join : TableRefOf<TableRefKind::kJoin> {
  JoinType type = JoinType::kInner;
  bool natural = false;
  TableRefPtr left;
  TableRefPtr right;
  ExprPtr on;
  std::vector<Identifier> join_columns;  // USING (a, b)
};

}  // namespace thalweg::sql
