#include "thalweg/operators/window/session_window_aggregate.h"

#include "thalweg/operators/key_columns.h"

namespace thalweg::operators {

namespace {

/// The accumulators of a session.
class SessionAggregates final : public SessionContents {
 public:
  explicit SessionAggregates(const WindowAggregateSpec& spec)
      : aggregates_(spec.aggregates, spec.needs_retract) {}

  void declare_fields(std::vector<stream::StateField>& fields) override {
    aggregates_.declare_fields(fields);
  }

  void bind(const stream::RecordLayout& layout) override { aggregates_.bind(layout); }

  void add(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory) override {
    aggregates_.apply(batch, rows, memory);
  }

  void merge(const RecordSpan& into, const RecordSpan& from) override {
    aggregates_.merge(into, from);
  }

  void append(const ClosedSessions& sessions,
              stream::KeyedTable& table,
              const WindowClock& clock,
              ProcessingTime now,
              WindowResults& results) override {
    table.append_keys(sessions.slots, results.keys());
    aggregates_.append_results({sessions.records, table}, results.contents());
    for (size_t i = 0; i < sessions.slots.size(); ++i) {
      results.append_window(sessions.starts[i], sessions.ends[i], clock, now);
    }
  }

 private:
  AggregateSet aggregates_;
};

std::unique_ptr<WindowResults> make_results(const WindowAggregateSpec& spec) {
  std::vector<DataType> keys;
  for (const Field& field : fields_at(spec.input, spec.keys)) {
    keys.push_back(field.type);
  }
  std::vector<DataType> contents;
  for (const expression::AggregateCall& call : spec.aggregates) {
    contents.push_back(call.signature.result);
  }
  return std::make_unique<WindowResults>(keys, contents, spec.columns, false);
}

}  // namespace

SessionWindowAggregate::SessionWindowAggregate(const WindowAggregateSpec& spec)
    : SessionWindows({.key_schema = fields_at(spec.input, spec.keys),
                      .keys = spec.keys,
                      .window = spec.window,
                      .needs_retract = spec.needs_retract,
                      .is_batch = spec.is_batch},
                     std::make_unique<SessionAggregates>(spec),
                     make_results(spec)) {}

}  // namespace thalweg::operators
