#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/common/check.h"
#include "thalweg/common/ids.h"
#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/expression.h"
#include "thalweg/expression/over_frame.h"
#include "thalweg/expression/table_function.h"
#include "thalweg/planner/changelog_function.h"
#include "thalweg/planner/custom_spec.h"
#include "thalweg/planner/window_spec.h"
#include "thalweg/stream/changelog_mode.h"
#include "thalweg/stream/connector.h"
#include "thalweg/stream/sink_constraints.h"
#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

namespace thalweg::planner {

enum class PhysicalNodeKind : uint8_t {
  kScan,
  kValues,
  kWatermarkAssigner,
  kCalc,
  kExchange,
  kGroupAggregate,
  kWindowTableFunction,
  kWindowAggregate,
  kGroupWindowAggregate,
  kExpand,
  kCorrelate,
  kChangelogFunction,
  kSort,
  kOverAggregate,
  kLimit,
  kUnion,
  kChangelogNormalize,
  kDropUpdateBefore,
  kSink,
  kCustomSource,
  kCustomOperator,
  kCustomSink,
};

struct PhysicalNode;
/// Shared: a node with two consumers stands in the plan once (a DAG), and its rows go to both.
using PhysicalPtr = std::shared_ptr<const PhysicalNode>;

/// A step of an optimized plan: what to do, in terms of columns by index; the engine maps it to an
/// operator. Immutable. Every expression is over the columns of the only input.
///
/// The plan shows what Flink's would show. Where Flink uses two nodes for what one of our operators
/// does (local and global aggregates, local and global limits), the upper node's `execution` is the
/// equivalent one-phase subtree: an engine that maps `node.execution` where it is set, and `node`
/// where not, never meets a local half.
struct PhysicalNode {
  const PhysicalNodeKind kind;
  std::vector<PhysicalPtr> inputs;
  /// The output columns: names unique, time attributes marked.
  Schema schema;
  /// The kinds of rows that it emits.
  stream::ChangelogMode changelog;
  /// The columns by which the output's rows can be updated in place; empty when there are none.
  std::vector<ColumnIndex> upsert_key;
  /// The output holds at most one row for each value of these columns.
  std::vector<std::vector<ColumnIndex>> unique_keys;
  bool is_bounded = true;
  /// The equivalent subtree to run instead of this one, or null.
  PhysicalPtr execution;

  virtual ~PhysicalNode() = default;
  PhysicalNode(const PhysicalNode&) = default;
  PhysicalNode& operator=(const PhysicalNode&) = delete;

 protected:
  explicit PhysicalNode(PhysicalNodeKind the_kind) : kind(the_kind) {}
};

template <PhysicalNodeKind Kind>
struct PhysicalNodeOf : PhysicalNode {
  static constexpr PhysicalNodeKind kKind = Kind;

  PhysicalNodeOf() : PhysicalNode(Kind) {}
};

template <typename T>
const T* if_a(const PhysicalNode& node) {
  return node.kind == T::kKind ? static_cast<const T*>(&node) : nullptr;
}

template <typename T>
const T& as(const PhysicalNode& node) {
  check(node.kind == T::kKind, "physical node of another kind");
  return static_cast<const T&>(node);
}

/// Reads a table. The output is `table.projection` of the physical columns, then
/// `table.metadata_keys`.
struct Scan : PhysicalNodeOf<PhysicalNodeKind::kScan> {
  /// Catalog, database, table.
  std::vector<std::string> path;
  stream::TableContext table;
  std::shared_ptr<stream::TableSource> source;
  /// The OPTIONS hint's pairs, already merged into `table.options`; for display.
  stream::OptionMap hint_options;
  /// What Flink's source would take over of the plan above (PushDown), for display.
  expression::ExpressionPtr filter;
  std::optional<int64_t> limit;
  /// Set when the source itself makes watermarks, for each split apart
  /// (SourceAbilities::watermark_per_split): the watermark expression over this node's own output
  /// columns, and the index of the row-time column.
  expression::ExpressionPtr watermark;
  ColumnIndex row_time{-1};
};

/// Literal rows.
struct Values : PhysicalNodeOf<PhysicalNodeKind::kValues> {
  bool is_batch = false;
  std::vector<std::vector<Value>> rows;
};

/// Emits watermarks from an expression (WATERMARK FOR row_time AS watermark).
struct WatermarkAssigner : PhysicalNodeOf<PhysicalNodeKind::kWatermarkAssigner> {
  ColumnIndex row_time;
  expression::ExpressionPtr watermark;
};

/// Keeps the rows where `condition` is TRUE (null: all) and gives one column for each projection.
struct Calc : PhysicalNodeOf<PhysicalNodeKind::kCalc> {
  std::vector<expression::ExpressionPtr> projections;
  expression::ExpressionPtr condition;
};

enum class Distribution : uint8_t { kHash, kSingleton, kBroadcast, kAny };

struct Exchange : PhysicalNodeOf<PhysicalNodeKind::kExchange> {
  Distribution distribution = Distribution::kSingleton;
  std::vector<ColumnIndex> keys;
};

/// How far an aggregate goes; only kComplete ones are to be run (see PhysicalNode::execution).
enum class AggregatePhase : uint8_t { kComplete, kLocal, kGlobal };

/// GROUP BY without windows. Output: the keys, then one column for each call. Without keys: one row
/// for all.
struct GroupAggregate : PhysicalNodeOf<PhysicalNodeKind::kGroupAggregate> {
  /// Batch: shown as aggregating sorted rows.
  bool is_sorted = false;
  AggregatePhase phase = AggregatePhase::kComplete;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  /// Each update sends -U before +U.
  bool sends_update_before = true;
  /// The input may take rows back.
  bool needs_retract = false;
  /// Emits once, at the end of input (batch).
  bool emits_at_end = false;
  /// Without keys, no rows give a row too: in batch mode, and where the plan knows that there are
  /// none.
  bool emits_when_empty = false;
  /// Mini-batch is on: updates of a bundle are sent once.
  bool is_mini_batch = false;
  /// The select list of a local or global half, for display.
  std::vector<std::string> call_texts;
};

/// TABLE(TUMBLE(...)): adds window_start, window_end and window_time; HOP and CUMULATE give several
/// rows for one.
struct WindowTableFunction : PhysicalNodeOf<PhysicalNodeKind::kWindowTableFunction> {
  WindowSpec window;
  /// SESSION: the PARTITION BY columns.
  std::vector<ColumnIndex> partition_keys;
  /// Rows wait until the watermark closes their window (SESSION); otherwise sent at once.
  bool emits_per_record = true;
};

/// GROUP BY window_start, window_end[, keys] over a window TVF. Output: the keys, the calls, then
/// the properties in order (kStart and kEnd as TIMESTAMP(3), kRowTime and kProcessingTime as the
/// time attribute). Sent once, when the window ends.
struct WindowAggregate : PhysicalNodeOf<PhysicalNodeKind::kWindowAggregate> {
  AggregatePhase phase = AggregatePhase::kComplete;
  WindowSpec window;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  std::vector<NamedWindowProperty> properties;
  bool needs_retract = false;
  /// The select list of a local or global half, for display.
  std::vector<std::string> call_texts;
};

/// GROUP BY TUMBLE(...), the older way of windows. Output: the keys, the calls, then the
/// properties.
struct GroupWindowAggregate : PhysicalNodeOf<PhysicalNodeKind::kGroupWindowAggregate> {
  WindowSpec window;
  std::vector<ColumnIndex> keys;
  std::vector<expression::AggregateCall> calls;
  std::vector<NamedWindowProperty> properties;
  bool needs_retract = false;
  bool emits_at_end = false;
};

/// Gives one row for each list of projections (grouping sets).
struct Expand : PhysicalNodeOf<PhysicalNodeKind::kExpand> {
  std::vector<std::vector<expression::ExpressionPtr>> projections;
  /// The column of the grouping set's number.
  ColumnIndex expand_id;
};

/// Each row with the rows that a table function makes of it. Output: the input's columns, then the
/// function's.
struct Correlate : PhysicalNodeOf<PhysicalNodeKind::kCorrelate> {
  std::shared_ptr<const expression::TableFunction> function;
  expression::TableSignature signature;
  std::vector<expression::ExpressionPtr> arguments;
  bool is_outer = false;
};

struct SortKey {
  ColumnIndex column;
  bool descending = false;
  bool nulls_first = true;

  bool operator==(const SortKey&) const = default;
};

/// ORDER BY, alone or with a limit.
struct Sort : PhysicalNodeOf<PhysicalNodeKind::kSort> {
  std::vector<SortKey> keys;
  int64_t offset = 0;
  /// SortLimit when set.
  std::optional<int64_t> fetch;
  bool is_limit = false;
  /// Streaming ORDER BY an ascending time attribute: rows leave as the watermark (or the clock)
  /// passes them.
  bool is_temporal = false;
  bool sends_update_before = true;
  bool needs_retract = false;
  /// The input's key, where each update only ranks a row higher: its old rows are not needed.
  std::vector<ColumnIndex> update_key;
  /// Emits once, at the end of input (batch).
  bool emits_at_end = false;
  AggregatePhase phase = AggregatePhase::kComplete;
};

/// Calls under one frame.
struct OverCalls {
  expression::OverFrame frame;
  std::vector<expression::AggregateCall> calls;
};

/// f(x) OVER (PARTITION BY ... ORDER BY ...). Output: the input's columns, then one column for each
/// call.
struct OverAggregate : PhysicalNodeOf<PhysicalNodeKind::kOverAggregate> {
  std::vector<ColumnIndex> partition_keys;
  std::vector<SortKey> order;
  /// The only one in what runs. Flink's batch plans show the frames of one partition and order in
  /// one node: `execution` has a node for each.
  std::vector<OverCalls> windows;
  /// Literals that calls take, for display: as an argument, constants[i] is the column i places
  /// behind the input's last. In what runs they are columns.
  std::vector<expression::ExpressionPtr> constants;
  /// Batch: all rows of a partition are there before the first result.
  bool emits_at_end = false;
  /// Not ordered by a time attribute: a row's place can change what was sent before.
  bool sends_updates = false;
  bool sends_update_before = true;
  /// The input may take rows back.
  bool needs_retract = false;
};

/// LIMIT without an order.
struct Limit : PhysicalNodeOf<PhysicalNodeKind::kLimit> {
  int64_t offset = 0;
  std::optional<int64_t> fetch;
  bool sends_update_before = true;
  bool needs_retract = false;
  bool is_batch = false;
  AggregatePhase phase = AggregatePhase::kComplete;
};

/// UNION ALL.
struct Union : PhysicalNodeOf<PhysicalNodeKind::kUnion> {};

/// Turns an upsert stream into +I/-U/+U/-D by remembering the last row of each key.
struct ChangelogNormalize : PhysicalNodeOf<PhysicalNodeKind::kChangelogNormalize> {
  std::vector<ColumnIndex> keys;
  /// Rows for which it is not TRUE count as removed; null: all stay.
  expression::ExpressionPtr condition;
  bool sends_update_before = true;
};

struct DropUpdateBefore : PhysicalNodeOf<PhysicalNodeKind::kDropUpdateBefore> {};

/// Writes to a table. The input's columns are the table's physical columns in order, then
/// `table.metadata_keys`.
struct Sink : PhysicalNodeOf<PhysicalNodeKind::kSink> {
  std::vector<std::string> path;
  stream::TableContext table;
  std::shared_ptr<stream::TableSink> sink;
  /// Columns declared NOT NULL that the query may give as NULL.
  std::vector<ColumnIndex> not_null_columns;
  stream::SinkConstraints constraints;
  bool is_overwrite = false;
  /// ON CONFLICT was written: the query's upsert key may differ from the primary key.
  bool allows_key_conflicts = false;
  /// Rows that share the primary key are remembered, since the query updates them by another one.
  bool materializes = false;
  /// Names of the query's columns, for display.
  std::vector<std::string> query_columns;
  /// INSERT INTO t (b, a): the places of the named columns, for display.
  std::vector<int32_t> target_columns;
  stream::OptionMap hint_options;
};

/// TO_CHANGELOG and FROM_CHANGELOG.
struct ChangelogFunction : PhysicalNodeOf<PhysicalNodeKind::kChangelogFunction> {
  ChangelogFunctionSpec spec;
};

/// The custom nodes of the logical plan, unchanged.
struct CustomSource : PhysicalNodeOf<PhysicalNodeKind::kCustomSource> {
  CustomSourceSpec spec;
};

struct CustomOperator : PhysicalNodeOf<PhysicalNodeKind::kCustomOperator> {
  CustomOperatorSpec spec;
};

struct CustomSink : PhysicalNodeOf<PhysicalNodeKind::kCustomSink> {
  CustomSinkSpec spec;
};

/// What `optimize` gives: the sinks of an INSERT or a statement set, or the root of one query
/// (whose rows go to the caller). Nodes may be shared between and within the trees.
struct PhysicalPlan {
  std::vector<PhysicalPtr> roots;
  bool is_query = false;
  bool is_batch = false;
  /// The columns of a query as it names them (a node of the plan may name them otherwise).
  Schema schema;
  /// Time zone of the session when it was planned.
  std::string time_zone = "UTC";
};

/// "GroupAggregate(groupBy=[id], select=[id, COUNT(*) AS n])": names operators and vertices.
std::string describe(const PhysicalNode& node);

/// Only the name: "GroupAggregate".
std::string node_name(const PhysicalNode& node);

}  // namespace thalweg::planner
