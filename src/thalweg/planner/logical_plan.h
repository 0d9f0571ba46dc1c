#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/check.h"
#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/expression.h"
#include "thalweg/expression/over_frame.h"
#include "thalweg/expression/table_function.h"
#include "thalweg/planner/changelog_function.h"
#include "thalweg/planner/custom_spec.h"
#include "thalweg/planner/window_spec.h"
#include "thalweg/sql/ast_statement.h"
#include "thalweg/stream/connector.h"
#include "thalweg/stream/option.h"
#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::planner {

enum class LogicalNodeKind : uint8_t {
  kScan,
  kWatermarkAssigner,
  kValues,
  kProject,
  kFilter,
  kAggregate,
  kWindowFunction,
  kCorrelate,
  kChangelogFunction,
  kSetOperation,
  kSort,
  kOver,
  kSink,
  kCustomSource,
  kCustomOperator,
  kCustomSink,
  // Made by rules only.
  kCalc,
  kExpand,
  kWindowAggregate,
  kGroupWindowAggregate,
};

struct LogicalNode;
using LogicalPtr = std::shared_ptr<const LogicalNode>;

/// A node of the logical plan: what the query says, in names resolved to column indices, before any
/// rule. SQL and the Table API build the same nodes. Immutable.
struct LogicalNode {
  const LogicalNodeKind kind;
  std::vector<LogicalPtr> inputs;
  Schema schema;

  virtual ~LogicalNode() = default;
  LogicalNode(const LogicalNode&) = default;
  LogicalNode& operator=(const LogicalNode&) = delete;

 protected:
  explicit LogicalNode(LogicalNodeKind the_kind) : kind(the_kind) {}
};

template <LogicalNodeKind Kind>
struct LogicalNodeOf : LogicalNode {
  static constexpr LogicalNodeKind kKind = Kind;

  LogicalNodeOf() : LogicalNode(Kind) {}
};

template <typename T>
const T* if_a(const LogicalNode& node) {
  return node.kind == T::kKind ? static_cast<const T*>(&node) : nullptr;
}

template <typename T>
const T& as(const LogicalNode& node) {
  check(node.kind == T::kKind, "logical node of another kind");
  return static_cast<const T&>(node);
}

/// A table of the catalog: its physical columns, then its metadata columns (types as declared by
/// the connector's keys).
struct LogicalScan : LogicalNodeOf<LogicalNodeKind::kScan> {
  std::vector<std::string> path;
  /// All physical columns; the metadata keys that the table declares. Projection pushdown narrows
  /// both.
  stream::TableContext table;
  stream::OptionMap hint_options;
  stream::ChangelogMode changelog;
  stream::Boundedness boundedness = stream::Boundedness::kBounded;
  stream::SourceAbilities abilities;
  /// The last row of each key is remembered behind the scan: where the source has no old values,
  /// and on request where it may send a change twice.
  bool is_normalized = false;
  /// What Flink's source would take over of the plan above (PushDown), for display.
  expression::ExpressionPtr filter;
  std::optional<int64_t> limit;
};

struct LogicalWatermarkAssigner : LogicalNodeOf<LogicalNodeKind::kWatermarkAssigner> {
  ColumnIndex row_time;
  expression::ExpressionPtr watermark;
};

/// Literal rows. SELECT without FROM stands on one row of one column `ZERO`.
struct LogicalValues : LogicalNodeOf<LogicalNodeKind::kValues> {
  std::vector<std::vector<Value>> rows;
};

struct LogicalProject : LogicalNodeOf<LogicalNodeKind::kProject> {
  std::vector<expression::ExpressionPtr> projections;
};

struct LogicalFilter : LogicalNodeOf<LogicalNodeKind::kFilter> {
  expression::ExpressionPtr condition;
};

/// GROUP BY. The output has the keys, then the calls. A group window (TUMBLE, HOP or SESSION in
/// GROUP BY) is a key that the projection below computes by a call of "$TUMBLE" and so on; the
/// projection above asks for its bounds by calls of "TUMBLE_START" and so on on the key.
struct LogicalAggregate : LogicalNodeOf<LogicalNodeKind::kAggregate> {
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  /// Each set lists positions in `keys`; empty for a plain GROUP BY.
  std::vector<std::vector<size_t>> grouping_sets;
};

/// TABLE(TUMBLE(...)) and its kin: the input's columns, then window_start, window_end, window_time.
struct LogicalWindowFunction : LogicalNodeOf<LogicalNodeKind::kWindowFunction> {
  WindowSpec window;
  std::vector<ColumnIndex> partition_keys;
  /// The intervals in the order of the call, "600000:INTERVAL MINUTE", for display.
  std::vector<std::string> interval_texts;
};

/// Each row with the rows that a table function makes of it: LATERAL TABLE(f(x)), UNNEST(x). The
/// input's columns, then the function's.
struct LogicalCorrelate : LogicalNodeOf<LogicalNodeKind::kCorrelate> {
  std::shared_ptr<const expression::TableFunction> function;
  expression::TableSignature signature;
  /// Over the input's columns, cast to the signature.
  std::vector<expression::ExpressionPtr> arguments;
  /// LEFT JOIN: rows of which the function makes none are kept.
  bool is_outer = false;
};

enum class SetOperationKind : uint8_t { kUnion, kIntersect, kExcept };

struct LogicalSetOperation : LogicalNodeOf<LogicalNodeKind::kSetOperation> {
  SetOperationKind operation = SetOperationKind::kUnion;
  bool all = true;
};

struct LogicalSortKey {
  ColumnIndex column;
  bool descending = false;
  bool nulls_first = true;
};

/// ORDER BY and LIMIT.
struct LogicalSort : LogicalNodeOf<LogicalNodeKind::kSort> {
  std::vector<LogicalSortKey> keys;
  std::optional<int64_t> offset;
  std::optional<int64_t> fetch;
};

/// Calls over a window of rows, all of one window: f(x) OVER (PARTITION BY ... ORDER BY ...). The
/// input's columns, then one column for each call. The windows of a SELECT stand on one another,
/// the first on a projection of the row's columns and of what the calls compute from them.
struct LogicalOver : LogicalNodeOf<LogicalNodeKind::kOver> {
  std::vector<ColumnIndex> partition_keys;
  std::vector<LogicalSortKey> order;
  expression::OverFrame frame;
  std::vector<expression::AggregateCall> calls;
  /// Literals that calls take, columns of nobody: as an argument, constants[i] is the column i
  /// places behind the input's last.
  std::vector<expression::ExpressionPtr> constants;
  /// The frame as EXPLAIN's syntax tree writes it: " ROWS 2 PRECEDING"; empty for the usual one.
  /// Functions that have a frame of their own do not show it.
  std::string frame_text;
  /// The input is another window of the same SELECT.
  bool is_further = false;
  /// Columns of the input stay although nobody reads them: Flink's streaming plan shows them where
  /// the SELECT computes nothing besides.
  bool keeps_all_columns = false;
};

/// INSERT INTO a table. The input has the table's persisted columns in order, cast.
struct LogicalSink : LogicalNodeOf<LogicalNodeKind::kSink> {
  std::vector<std::string> path;
  stream::TableContext table;
  stream::OptionMap hint_options;
  bool is_overwrite = false;
  /// What ON CONFLICT says, or kUnset.
  sql::Insert::OnConflict on_conflict = sql::Insert::OnConflict::kUnset;
  /// Names of the query's columns, for display.
  std::vector<std::string> query_columns;
  /// INSERT INTO t (b, a): the places of the named columns, for display.
  std::vector<int32_t> target_columns;
};

/// TO_CHANGELOG(TABLE t), FROM_CHANGELOG(TABLE t).
struct LogicalChangelogFunction : LogicalNodeOf<LogicalNodeKind::kChangelogFunction> {
  ChangelogFunctionSpec spec;
};

/// Rows that a program brings along: a DataStream's source.
struct LogicalCustomSource : LogicalNodeOf<LogicalNodeKind::kCustomSource> {
  CustomSourceSpec spec;
};

/// An operator that a program brings along: a step of a DataStream, a process table function.
struct LogicalCustomOperator : LogicalNodeOf<LogicalNodeKind::kCustomOperator> {
  CustomOperatorSpec spec;
};

/// A sink that is no table.
struct LogicalCustomSink : LogicalNodeOf<LogicalNodeKind::kCustomSink> {
  CustomSinkSpec spec;
};

/// Filter and projection in one: keeps the rows where `condition` (null: all) is TRUE; both are
/// over the input's columns.
struct LogicalCalc : LogicalNodeOf<LogicalNodeKind::kCalc> {
  std::vector<expression::ExpressionPtr> projections;
  expression::ExpressionPtr condition;
};

/// Gives one row for each list of projections (grouping sets).
struct LogicalExpand : LogicalNodeOf<LogicalNodeKind::kExpand> {
  std::vector<std::vector<expression::ExpressionPtr>> projections;
  ColumnIndex expand_id;
};

/// GROUP BY window_start, window_end[, keys]: the keys without the bounds, the calls, the
/// properties.
struct LogicalWindowAggregate : LogicalNodeOf<LogicalNodeKind::kWindowAggregate> {
  WindowSpec window;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  std::vector<NamedWindowProperty> properties;
};

/// GROUP BY TUMBLE(...)[, keys]: the keys without the window, the calls, the properties.
struct LogicalGroupWindowAggregate : LogicalNodeOf<LogicalNodeKind::kGroupWindowAggregate> {
  WindowSpec window;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  std::vector<NamedWindowProperty> properties;
};

}  // namespace thalweg::planner
