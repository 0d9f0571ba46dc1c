#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/check.h"
#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/expression.h"
#include "thalweg/planner/window_spec.h"
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
  kSetOperation,
  kSort,
  kSink,
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
  /// All physical columns; all metadata keys that the table declares; no projection.
  stream::TableContext table;
  stream::OptionMap hint_options;
  stream::ChangelogMode changelog;
  stream::Boundedness boundedness = stream::Boundedness::kBounded;
  stream::SourceAbilities abilities;
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

/// A group window (TUMBLE, HOP, SESSION in GROUP BY): its key column holds nothing, the window is
/// here.
struct GroupWindow {
  WindowSpec window;
  /// Position in `keys` of the window's own key.
  size_t key_position = 0;
  /// Functions of the window that the query uses, each an output column after the calls.
  std::vector<WindowProperty> properties;
};

/// GROUP BY. The output has the keys, then the calls.
struct LogicalAggregate : LogicalNodeOf<LogicalNodeKind::kAggregate> {
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  /// Each set lists positions in `keys`; empty for a plain GROUP BY.
  std::vector<std::vector<size_t>> grouping_sets;
  std::optional<GroupWindow> group_window;
};

/// TABLE(TUMBLE(...)) and its kin: the input's columns, then window_start, window_end, window_time.
struct LogicalWindowFunction : LogicalNodeOf<LogicalNodeKind::kWindowFunction> {
  WindowSpec window;
  std::vector<ColumnIndex> partition_keys;
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

/// INSERT INTO a table. The input has the table's persisted columns in order, cast.
struct LogicalSink : LogicalNodeOf<LogicalNodeKind::kSink> {
  std::vector<std::string> path;
  stream::TableContext table;
  stream::OptionMap hint_options;
  bool is_overwrite = false;
  /// Names of the query's columns, for display.
  std::vector<std::string> query_columns;
};

}  // namespace thalweg::planner
