#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/state/operator_state.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/value.h"

namespace thalweg::operators {

/// One input row: its kind and a value for each column.
struct Row {
  RowKind kind = RowKind::kInsert;
  std::vector<Value> values;
};

inline Value to_value(std::nullptr_t) {
  return {};
}

inline Value to_value(int64_t value) {
  return Value(value);
}

inline Value to_value(int value) {
  return Value(int64_t{value});
}

inline Value to_value(bool value) {
  return Value(value);
}

inline Value to_value(const char* value) {
  return Value(std::string(value));
}

template <typename... Values>
Row row(RowKind kind, Values... values) {
  return {kind, {to_value(values)...}};
}

template <typename... Values>
Row row(Values... values) {
  return {RowKind::kInsert, {to_value(values)...}};
}

inline constexpr RowKind kUpdateBefore = RowKind::kUpdateBefore;
inline constexpr RowKind kUpdateAfter = RowKind::kUpdateAfter;
inline constexpr RowKind kDelete = RowKind::kDelete;

/// Runs one operator on real state, with a clock set by hand, and shows what comes out of it as
/// text: "+I(a, 1)" for a row, "WM 5" for a watermark, one a line. Times are shown in ms.
class OperatorHarness {
 public:
  OperatorHarness(const std::shared_ptr<const stream::OperatorFactory>& factory,
                  Schema input,
                  int64_t state_bytes = MemoryBudget::kUnlimited);
  ~OperatorHarness();

  /// One batch; a mark {row, watermark} lies before that row.
  void feed(const std::vector<Row>& rows, std::vector<Mark> marks = {});
  void feed_batch(Batch batch);
  void watermark(int64_t ms);
  void split(const std::string& name, bool ended = false);
  /// Moves the clock and wakes the operator if it asked for that.
  void set_time(int64_t ms);
  void end();
  void before_snapshot();
  /// Goes on with a new operator on state that was written and read back.
  void restart();

  /// The output since the last call.
  std::string take();
  int64_t counter(const std::string& name);
  int64_t state_size(size_t table);
  /// What the operator has charged to its state budget.
  int64_t state_bytes() const;

  Batch make_batch(const std::vector<Row>& rows) const;

 private:
  class Context;
  class Collector;

  std::shared_ptr<const stream::OperatorFactory> factory_;
  Schema input_;
  int64_t state_limit_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<stream::Operator> operator_;
};

/// COUNT, SUM and so on from the function registry.
expression::AggregateCall call(const std::string& function,
                               std::vector<DataType> types,
                               std::vector<int32_t> arguments);
/// The same where the function must know its literals: those of `bound`.
expression::AggregateCall call_bound(const std::string& function,
                                     const std::vector<expression::BoundArgument>& bound,
                                     std::vector<int32_t> arguments);

}  // namespace thalweg::operators
