#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/stream/state.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::expression {

/// The accumulators of some rows: `records[i] + offset(field)` is field `field` of row i's
/// accumulator. Records repeat where rows share a key.
struct Accumulators {
  std::span<std::byte* const> records;
  /// Where this aggregate's fields lie in each record; one offset for each of its accumulator
  /// fields.
  std::span<const size_t> offsets;
  stream::StateMemory& memory;
};

/// Rows for an aggregate: argument columns (maybe constant), and `rows`, ascending, that count
/// (FILTER, DISTINCT already applied); records[i] belongs to rows[i].
struct AggregateInput {
  std::span<const ColumnPtr> arguments;
  std::span<const int32_t> rows;
};

/// An aggregate bound to its argument types. Immutable; all state is in the accumulators.
class AggregateKernel {
 public:
  virtual ~AggregateKernel() = default;

  /// Fields of one accumulator. A zeroed record is the empty accumulator.
  virtual std::vector<stream::StateField> accumulator() const = 0;
  virtual void accumulate(const AggregateInput& input, const Accumulators& accumulators) const = 0;
  /// Takes rows back; only when `supports_retract`.
  virtual void retract(const AggregateInput& input, const Accumulators& accumulators) const;

  virtual bool supports_retract() const { return false; }

  /// Adds accumulator i of `from` to accumulator i of `into` (slices, sessions, local-global).
  virtual void merge(const Accumulators& into, const Accumulators& from) const = 0;
  /// Appends the result of each accumulator.
  virtual void append_results(const Accumulators& accumulators, ColumnBuilder& results) const = 0;

  /// Row by row, in order: appends the result before the row to `before`, accumulates (+I, +U) or
  /// retracts (-U, -D) the row, appends the result after it to `after`. What a GROUP BY without
  /// mini-batch needs. `counts[i]` is 0 when rows[i] is not counted here (FILTER, DISTINCT):
  /// results are appended all the same.
  virtual void update_rows(const AggregateInput& input,
                           std::span<const RowKind> kinds,
                           std::span<const uint8_t> counts,
                           const Accumulators& accumulators,
                           ColumnBuilder& before,
                           ColumnBuilder& after) const;
};

/// All rows of one partition, in the window's order: rows [begin, end) of the columns.
struct PartitionRows {
  std::span<const ColumnPtr> arguments;
  int32_t begin = 0;
  int32_t end = 0;
  /// starts_peers[i - begin]: row i differs from the one before in a column of the order.
  std::span<const uint8_t> starts_peers;
};

/// A function of OVER that looks at the whole partition and at no frame: NTILE, LEAD. Immutable.
class PartitionKernel {
 public:
  virtual ~PartitionKernel() = default;

  /// Appends one result for each row, in order.
  virtual void append_results(const PartitionRows& rows, ColumnBuilder& results) const = 0;
};

/// An aggregate function: name, signature, documentation and body in one place. Immutable.
class AggregateFunction {
 public:
  using MakeKernel = std::function<std::unique_ptr<AggregateKernel>(
      const Signature&, std::span<const BoundArgument>, bool needs_retract)>;
  using MakePartitionKernel = std::function<std::unique_ptr<PartitionKernel>(
      const Signature&, std::span<const BoundArgument>)>;
  std::vector<std::string> names;
  std::string forms;
  std::string description;
  std::vector<std::string> examples;
  /// It runs a user's code.
  bool is_foreign = false;
  /// It stands before OVER only: ROW_NUMBER, LAG.
  bool is_over_only = false;
  /// Behind its own arguments it is given the columns of the window's order: RANK.
  bool takes_order = false;
  ScalarFunction::Bind bind;
  /// Null for a function that has a partition kernel alone.
  MakeKernel make_kernel;
  /// Null for a function of its frame's rows. With both, batch mode uses this one.
  MakePartitionKernel make_partition_kernel;

  const std::string& name() const { return names.front(); }
};

/// One aggregate of a query, bound: what operators are given.
struct AggregateCall {
  std::shared_ptr<const AggregateFunction> function;
  Signature signature;
  /// Columns of the operator's input, already cast to the signature.
  std::vector<ColumnIndex> arguments;
  bool distinct = false;
  /// A BOOLEAN column, or -1.
  ColumnIndex filter{-1};
  std::string name;
};

}  // namespace thalweg::expression
