#include <mutex>
#include <utility>

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine_values.h"
#include "errors.h"
#include "session_parts.h"
#include "thalweg/types/column_builder.h"

namespace nb = nanobind;

namespace thalweg::connectors {

std::unique_ptr<stream::ConnectorFactory> make_print_connector();

}  // namespace thalweg::connectors

namespace thalweg::binding {

namespace {

/// The lines of all tables of the connector 'test-sink'. Thread-safe.
class SinkLines {
 public:
  void append(std::string_view line) {
    const std::lock_guard lock(mutex_);
    lines_.emplace_back(line);
  }

  std::vector<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// 'connector' = 'test-sink', of PyFlink's own tests: the print connector, whose lines a test
/// takes.
class TestSinkConnector final : public stream::ConnectorFactory {
 public:
  explicit TestSinkConnector(std::shared_ptr<SinkLines> lines)
      : lines_(std::move(lines)), print_(connectors::make_print_connector()) {}

  std::string name() const override { return "test-sink"; }

  std::vector<stream::OptionSpec> option_specs() const override { return {}; }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("Connector 'test-sink' is no source: {}", context.table_name));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    stream::TableContext printed = context;
    printed.options = {{"connector", "print"}};
    printed.print_line = [lines = lines_](std::string_view line) { lines->append(line); };
    return print_->create_sink(printed);
  }

 private:
  std::shared_ptr<SinkLines> lines_;
  std::unique_ptr<stream::ConnectorFactory> print_;
};

TestBench& bench_of(const SessionPtr& self) {
  if (self->bench == nullptr) {
    throw Error(ErrorCode::kValidation, "The session's clock is the system's, and no table is fed")
        .hint("make the session with hand_driven=True");
  }
  return *self->bench;
}

/// `rows`: (row kind, values), the values in the order of the table's stored columns.
void feed(const SessionPtr& self,
          const std::string& table,
          const nb::sequence& rows,
          size_t split) {
  with_statement({}, [&] {
    connectors::TestFeed& feed = *bench_of(self).feeds->feed(table);
    const Schema schema = feed.schema();
    if (schema.empty()) {
      throw Error(ErrorCode::kValidation, fmt::format("No job reads the table {} yet", table));
    }
    std::vector<ColumnBuilder> builders = make_builders(schema);
    std::vector<RowKind> kinds;
    for (const nb::handle row : rows) {
      kinds.push_back(static_cast<RowKind>(nb::cast<int>(row[0])));
      size_t index = 0;
      for (const nb::handle value : row[1]) {
        const Field& field = schema.at(index);
        builders.at(index++).append_value(engine_value(value, field.type, field.name));
      }
    }
    Batch batch = finish_batch(builders);
    batch.set_kinds(std::move(kinds));
    feed.push(std::move(batch), split);
  });
}

}  // namespace

void bind_session_bench(nb::module_& module,
                        nb::class_<SessionHandle>& session,
                        const std::shared_ptr<LazyProcess>& process) {
  const auto lines = std::make_shared<SinkLines>();
  module.def("add_test_sink", [process, lines] {
    process->get()->connectors.add(std::make_unique<TestSinkConnector>(lines));
  });
  module.def("take_test_sink_lines", [lines] { return lines->take(); });
  session
      .def("is_read",
           [](const SessionPtr& self, const std::string& table) {
             return with_statement(
                 {}, [&] { return !bench_of(self).feeds->feed(table)->schema().empty(); });
           })
      .def("feed", &feed, nb::arg("table"), nb::arg("rows"), nb::arg("split") = 0)
      .def("end_feed",
           [](const SessionPtr& self, const std::string& table) {
             with_statement({}, [&] { bench_of(self).feeds->feed(table)->end(); });
           })
      .def("advance_clock",
           [](const SessionPtr& self, int64_t ms) {
             with_statement({}, [&] { bench_of(self).clock->advance_to({ms}); });
           })
      .def("clock_ms", [](const SessionPtr& self) {
        return with_statement({}, [&] { return bench_of(self).clock->now().ms; });
      });
}

}  // namespace thalweg::binding
