#include <algorithm>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "arrow_export.h"
#include "errors.h"
#include "handles.h"
#include "python_values.h"
#include "thalweg/types/text.h"
#include "waiting.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

engine::PrintStyle style_named(std::string_view name) {
  return name == "client"      ? engine::PrintStyle::kClient
         : name == "changelog" ? engine::PrintStyle::kChangelog
                               : engine::PrintStyle::kPrint;
}

engine::ResultPrinter& printer_of(ResultHandle& self, const std::string& style) {
  if (self.printer == nullptr) {
    engine::PrinterOptions options;
    options.style = style_named(style);
    const engine::Configuration& config = self.owner->session->config();
    options.zone = TimeZone::find(config.time_zone());
    options.max_column_width =
        static_cast<int32_t>(config.get_int("sql-client.display.max-column-width",
                                            config.get_int("table.display.max-column-width", 30)));
    self.printer = std::make_unique<engine::ResultPrinter>(self.result, options);
  }
  return *self.printer;
}

/// Throws what the job failed with.
void check_failure(const ResultHandle& self) {
  if (const auto failure = fault_of(*self.result.job)) {
    set_python_error(*failure, self.statement);
    throw nb::python_error();
  }
}

/// Throws where the job is being cancelled and does not come back.
void check_left_behind(ResultHandle& self) {
  if (self.result.job != nullptr && self.result.job->status() == runtime::JobStatus::kCancelling &&
      self.ending.is_over(*self.result.job, self.owner->process.get())) {
    if (auto fault = fault_of(*self.result.job)) {
      throw std::move(*fault);
    }
  }
}

/// How long `close` waits for the job to have stopped.
constexpr int64_t kCloseMs = 5'000;

/// How long the first rows of a query are held once they are there: a job that fails within it
/// shows its error and no rows, as Flink's first fetch comes too late for them.
constexpr int64_t kFirstFetchMs = 100;

/// Before what came first of a query is shown. Throws what the job failed with, when it has.
void hold_first_rows(ResultHandle& self) {
  if (self.started || self.result.kind != engine::Result::Kind::kQuery ||
      self.result.job == nullptr) {
    return;
  }
  self.started = true;
  if (self.owner->bench != nullptr) {
    return;  // a test looks when the job has settled; it needs no grace
  }
  bool ended = false;
  {
    const nb::gil_scoped_release release;
    ended = self.result.job->wait_for(kFirstFetchMs);
  }
  if (ended) {
    check_failure(self);
  }
}

/// With a time-out: "" when nothing came; without: waits for text.
std::optional<std::string> next_text(ResultHandle& self,
                                     const std::string& style,
                                     int64_t timeout_ms) {
  engine::ResultPrinter& printer = printer_of(self, style);
  std::optional<std::string> text = "";
  with_statement(self.statement, [&] {
    wait_until(timeout_ms, [&](int64_t ms) {
      text = printer.next(ms);
      const bool came = !text || !text->empty();
      if (!came) {
        check_left_behind(self);
      }
      return came;
    });
  });
  if (text && !text->empty()) {
    hold_first_rows(self);
  }
  return text;
}

/// The next batch of rows, without rows when nothing came in time; false after the last.
bool next_batch(ResultHandle& self, int64_t timeout_ms, Batch& batch) {
  if (self.ended || self.result.rows == nullptr) {
    return false;
  }
  with_statement(self.statement, [&] {
    wait_until(timeout_ms, [&](int64_t ms) {
      const auto state = self.result.rows->next(ms, batch);
      self.ended = state == engine::ResultRows::State::kEnd;
      if (state == engine::ResultRows::State::kPending) {
        check_left_behind(self);
        return false;
      }
      return true;
    });
  });
  if (batch.row_count() > 0) {
    hold_first_rows(self);
  }
  return !self.ended;
}

/// Text of any bytes: what is not UTF-8 is replaced.
nb::object text_of(const std::string& text) {
  PyObject* object =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (object == nullptr) {
    throw nb::python_error();
  }
  return nb::steal(object);
}

/// The rows of a batch that came; none of them when nothing came in time; None after the last.
nb::object next_rows(ResultHandle& self, int32_t limit, bool exact, int64_t timeout_ms) {
  static_cast<void>(limit);
  if (self.result.kind == engine::Result::Kind::kOk) {
    if (self.ended) {
      return nb::none();
    }
    self.ended = true;
    nb::list ok;
    ok.append(nb::make_tuple(0, nb::make_tuple("OK")));
    return ok;
  }
  Batch batch;
  if (!next_batch(self, timeout_ms, batch)) {
    return nb::none();
  }
  nb::list rows;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    rows.append(python_row(batch, row, {.as_collected = !exact}));
  }
  return rows;
}

/// As `next_rows`, by Arrow's C data interface: (row kinds or None, schema, array).
nb::object next_arrow(ResultHandle& self, int64_t timeout_ms) {
  Batch batch;
  if (!next_batch(self, timeout_ms, batch)) {
    return nb::none();
  }
  nb::object kinds = nb::none();
  if (!batch.is_insert_only()) {
    nb::list all;
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      all.append(static_cast<int>(batch.kind(row)));
    }
    kinds = all;
  }
  const nb::tuple capsules = arrow_capsules(batch, self.result.schema);
  return nb::make_tuple(kinds, capsules[0], capsules[1]);
}

/// Whether `next_arrow` can carry all columns.
bool is_arrow(const ResultHandle& self) {
  return std::all_of(self.result.schema.begin(), self.result.schema.end(), [](const Field& field) {
    return is_arrow_type(field.type);
  });
}

/// As `next_rows`, with every value as the result modes of the shell show it.
nb::object next_texts(ResultHandle& self, int64_t timeout_ms) {
  Batch batch;
  if (!next_batch(self, timeout_ms, batch)) {
    return nb::none();
  }
  const TimeZone zone = TimeZone::find(self.owner->session->config().time_zone());
  nb::list rows;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    nb::list cells;
    for (const ColumnPtr& column : batch.columns()) {
      std::string cell;
      if (column->is_null(row)) {
        cell = "<NULL>";
      } else {
        text::append_value(cell, *column, row, text::Style::kCast, zone);
      }
      cells.append(text_of(cell));
    }
    rows.append(nb::make_tuple(static_cast<int>(batch.kind(row)), nb::tuple(cells)));
  }
  return rows;
}

bool wait(ResultHandle& self, int64_t timeout_ms) {
  if (self.result.job == nullptr) {
    return true;
  }
  const bool done = wait_until(timeout_ms, [&](int64_t ms) {
    return self.ending.wait_for(*self.result.job, self.owner->process.get(), ms);
  });
  if (done) {
    check_failure(self);
  }
  return done;
}

void close(ResultHandle& self) {
  std::vector<std::shared_ptr<runtime::Job>> jobs;
  if (self.result.job != nullptr) {
    jobs.push_back(self.result.job);
  }
  JobsEnd end(std::move(jobs), self.owner->process);
  if (self.result.rows != nullptr) {
    const nb::gil_scoped_release release;
    self.result.rows->close();
  }
  end.run(kCloseMs);
}

std::optional<JobHandle> job(const ResultHandle& self) {
  if (self.result.job == nullptr) {
    return std::nullopt;
  }
  return JobHandle{self.result.job, self.owner->process, self.started_ms};
}

Schema schema_of(const ResultHandle& self) {
  if (self.result.kind == engine::Result::Kind::kOk) {
    return {{"result", DataType::string()}};
  }
  return self.result.schema;
}

std::string explain_silence(const ResultHandle& self) {
  return self.result.explain_silence ? self.result.explain_silence() : std::string();
}

}  // namespace

void bind_result(nb::module_& module) {
  using Kind = engine::Result::Kind;
  nb::class_<ResultHandle>(module, "Result")
      .def_prop_ro("has_rows",
                   [](const ResultHandle& self) { return self.result.kind != Kind::kOk; })
      .def_prop_ro("is_insert",
                   [](const ResultHandle& self) { return self.result.kind == Kind::kInsert; })
      .def_prop_ro("is_query",
                   [](const ResultHandle& self) { return self.result.kind == Kind::kQuery; })
      .def_prop_ro("is_text",
                   [](const ResultHandle& self) { return self.result.kind == Kind::kText; })
      .def_prop_ro("shows_row_kinds",
                   [](const ResultHandle& self) { return self.result.shows_row_kinds; })
      .def_prop_ro("job", &job)
      .def("columns", [](const ResultHandle& self) { return columns_of(schema_of(self)); })
      .def("next_text", &next_text, nb::arg("style"), nb::arg("timeout_ms") = -1)
      .def("next_rows",
           &next_rows,
           nb::arg("limit"),
           nb::arg("exact") = false,
           nb::arg("timeout_ms") = -1)
      .def_prop_ro("is_arrow", &is_arrow)
      .def("next_arrow", &next_arrow, nb::arg("timeout_ms") = -1)
      .def("next_texts", &next_texts, nb::arg("timeout_ms") = -1)
      .def("explain_silence", &explain_silence)
      .def("wait", &wait)
      .def("close", &close);
}

}  // namespace thalweg::binding
