#include "thalweg/operators/window/session_table_function.h"

#include <algorithm>

#include "thalweg/operators/key_columns.h"
#include "thalweg/operators/row_log.h"

namespace thalweg::operators {

namespace {

/// The rows of a session.
class SessionRows final : public SessionContents {
 public:
  void declare_fields(std::vector<stream::StateField>& fields) override {
    field_ = fields.size();
    fields.push_back({"rows", DataType::bytes(), RowLog::kind()});
  }

  void bind(const stream::RecordLayout& layout) override { offset_ = layout.offset(field_); }

  void add(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory) override {
    for (size_t i = 0; i < rows.rows.size(); ++i) {
      RowLog& log = log_at(rows.records[i], memory);
      const int64_t size_before = log.byte_size();
      log.append(batch.columns(), rows.rows[i], batch.kind(rows.rows[i]));
      memory.object_resized(log.byte_size() - size_before);
    }
  }

  void merge(const RecordSpan& into, const RecordSpan& from) override {
    for (size_t i = 0; i < into.records.size(); ++i) {
      const stream::StateObject* source = from.memory.object(from.records[i] + offset_);
      if (source == nullptr) {
        continue;
      }
      RowLog& log = log_at(into.records[i], into.memory);
      const int64_t size_before = log.byte_size();
      log.append_all(static_cast<const RowLog&>(*source));
      into.memory.object_resized(log.byte_size() - size_before);
    }
  }

  void append(const ClosedSessions& sessions,
              stream::KeyedTable& table,
              const WindowClock& clock,
              ProcessingTime now,
              WindowResults& results) override {
    for (size_t i = 0; i < sessions.slots.size(); ++i) {
      const stream::StateObject* log = table.object(sessions.records[i] + offset_);
      if (log == nullptr) {
        continue;
      }
      std::vector<RowKind> kinds;
      static_cast<const RowLog*>(log)->read(results.contents(), kinds);
      for (const RowKind kind : kinds) {
        results.append_window(sessions.starts[i], sessions.ends[i], clock, now);
        results.append_kind(kind);
      }
    }
  }

 private:
  RowLog& log_at(std::byte* record, stream::StateMemory& memory) const {
    return static_cast<RowLog&>(memory.writable_object(record + offset_, *RowLog::kind()));
  }

  size_t field_ = 0;
  size_t offset_ = 0;
};

std::unique_ptr<WindowResults> make_results(const WindowTableFunctionSpec& spec) {
  std::vector<DataType> contents;
  for (const Field& field : spec.input) {
    contents.push_back(field.type);
  }
  return std::make_unique<WindowResults>(std::vector<DataType>(), contents, spec.columns, false);
}

}  // namespace

SessionTableFunction::SessionTableFunction(const WindowTableFunctionSpec& spec)
    : SessionWindows({.key_schema = fields_at(spec.input, spec.partition_keys),
                      .keys = spec.partition_keys,
                      .window = spec.window,
                      .is_batch = spec.is_batch},
                     std::make_unique<SessionRows>(),
                     make_results(spec)) {}

}  // namespace thalweg::operators
