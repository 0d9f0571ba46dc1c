#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "handles.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

const char* kind_name(runtime::OperatorInfo::Kind kind) {
  constexpr const char* kNames[] = {"source", "operator", "sink"};
  return kNames[static_cast<size_t>(kind)];
}

/// [{id, name, kind, parallelism, inputs}]
nb::list operators(const JobHandle& self) {
  nb::list result;
  for (const runtime::OperatorInfo& info : self.job->operators()) {
    nb::list inputs;
    for (const OperatorId input : info.inputs) {
      inputs.append(input.value);
    }
    nb::dict one;
    one["id"] = info.id.value;
    one["name"] = info.name;
    one["kind"] = kind_name(info.kind);
    one["parallelism"] = info.parallelism;
    one["inputs"] = inputs;
    result.append(one);
  }
  return result;
}

/// A watermark, or None where there is none yet; the end of time is the largest 64-bit number.
nb::object watermark_or_none(EventTime watermark) {
  return watermark == kMinEventTime ? nb::object(nb::none()) : nb::cast(watermark.ms);
}

nb::dict tapped_row(const runtime::TappedRow& row) {
  nb::dict one;
  one["id"] = row.id();
  one["kind"] = std::string(short_name(row.kind));
  one["row"] = row.text;
  one["split"] = row.split.empty() ? nb::object(nb::none()) : nb::cast(row.split);
  one["position"] = row.position < 0 ? nb::object(nb::none()) : nb::cast(row.position);
  one["event_time"] = nb::cast(row.event_time_ms);
  one["watermark"] = watermark_or_none(row.watermark);
  one["operator"] = row.operator_id.value;
  one["subtask"] = row.subtask;
  one["sequence"] = row.sequence;
  one["wall_time"] = row.wall_time_ms;
  return one;
}

/// {rows, next, missed}. Like all that touches a tap it lets go of the GIL, as a task that shows a
/// Python object to the tap waits for it with the tap's lock.
nb::dict read_tap(const JobHandle& self,
                  uint32_t id,
                  const runtime::TapCursor& cursor,
                  size_t limit) {
  runtime::TapReading reading;
  {
    const nb::gil_scoped_release release;
    reading = self.job->read_tap({id}, cursor, limit);
  }
  nb::list rows;
  for (const runtime::TappedRow& row : reading.rows) {
    rows.append(tapped_row(row));
  }
  nb::dict result;
  result["rows"] = rows;
  result["next"] = nb::cast(reading.next);
  result["missed"] = reading.missed;
  return result;
}

nb::dict listed_table(const state::ListedTable& table) {
  nb::list records;
  for (const state::ListedRecord& record : table.records) {
    nb::dict one;
    one["subtask"] = record.subtask;
    one["key"] = nb::cast(record.key);
    one["namespace"] = nb::cast(record.name_space);
    one["fields"] = nb::cast(record.fields);
    records.append(one);
  }
  nb::dict result;
  result["name"] = table.name;
  result["key_columns"] = nb::cast(table.key_columns);
  result["fields"] = nb::cast(table.fields);
  result["record_count"] = table.record_count;
  result["byte_size"] = table.byte_size;
  result["next_event_timer"] = nb::cast(table.next_event_timer_ms);
  result["next_processing_timer"] = nb::cast(table.next_processing_timer_ms);
  result["records"] = records;
  return result;
}

/// {tables, asked, answered}
nb::dict list_state(const JobHandle& self,
                    uint32_t id,
                    const std::optional<std::string>& table,
                    const std::optional<std::string>& key,
                    size_t limit,
                    int64_t timeout_ms) {
  runtime::StateQuery query{.operator_id = {id}, .table = table.value_or(""), .key = key};
  query.limit = limit;
  query.timeout_ms = timeout_ms;
  runtime::StateListing listing;
  {
    const nb::gil_scoped_release release;
    listing = self.job->list_state(query);
  }
  nb::list tables;
  for (const state::ListedTable& one : listing.tables) {
    tables.append(listed_table(one));
  }
  nb::dict result;
  result["tables"] = tables;
  result["asked"] = listing.asked;
  result["answered"] = listing.answered;
  return result;
}

}  // namespace

void bind_inspection(nb::class_<JobHandle>& job) {
  job.def("operators", &operators)
      .def(
          "attach_tap",
          [](const JobHandle& self, uint32_t id, size_t capacity) {
            const nb::gil_scoped_release release;
            self.job->attach_tap({id}, capacity);
          },
          nb::arg("operator"),
          nb::arg("capacity") = 1000)
      .def(
          "detach_tap",
          [](const JobHandle& self, uint32_t id) {
            const nb::gil_scoped_release release;
            self.job->detach_tap({id});
          },
          nb::arg("operator"))
      .def("read_tap",
           &read_tap,
           nb::arg("operator"),
           nb::arg("cursor") = runtime::TapCursor(),
           nb::arg("limit") = 1000)
      .def("list_state",
           &list_state,
           nb::arg("operator"),
           nb::arg("table") = nb::none(),
           nb::arg("key") = nb::none(),
           nb::arg("limit") = 100,
           nb::arg("timeout_ms") = 5000);
}

}  // namespace thalweg::binding
