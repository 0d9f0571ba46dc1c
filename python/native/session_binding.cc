#include <cstdlib>
#include <exception>
#include <limits>
#include <thread>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include "ctrl_c_watch.h"
#include "engine_values.h"
#include "errors.h"
#include "expression_tree.h"
#include "handles.h"
#include "session_parts.h"
#include "thalweg/sql/parser.h"
#include "thalweg/sql/unparser.h"

namespace nb = nanobind;

namespace thalweg::binding {

using StringMap = std::map<std::string, std::string>;

std::shared_ptr<engine::Process> LazyProcess::get() {
  if (process_ == nullptr) {
    process_ = std::make_shared<engine::Process>();
    watch_ctrl_c();
  }
  return process_;
}

std::shared_ptr<engine::Process> LazyProcess::make_for(const TestBench& bench) {
  auto process = std::make_shared<engine::Process>();
  process->connectors.add(connectors::make_test_stream_connector(bench.feeds));
  std::erase_if(of_benches_, [](const auto& known) { return known.expired(); });
  of_benches_.push_back(process);
  return process;
}

namespace {

/// How long Ctrl-C waits for its job.
constexpr int64_t kEndMs = 5'000;
/// How long the end of the program waits for a job, unless it waits in a function.
constexpr int64_t kCloseMs = 10'000;

/// The interpreter's end would unwind threads that were left behind, destructors and all, once they
/// want the GIL.
void park_functions() {
  try {
    nb::module_::import_("thalweg.table.function_runtime").attr("park_functions")();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("parking Python functions");
  }
}

}  // namespace

void LazyProcess::close() {
  std::vector<std::shared_ptr<engine::Process>> processes = {process_};
  for (const auto& known : of_benches_) {
    processes.push_back(known.lock());
  }
  std::erase(processes, nullptr);
  for (const auto& process : processes) {
    if (!JobsEnd(process->runtime->jobs(), process).run(kCloseMs)) {
      park_functions();
    }
  }
}

Schema schema_from(const nb::sequence& columns) {
  Schema schema;
  for (const nb::handle column : columns) {
    schema.push_back(
        {nb::cast<std::string>(column[0]), sql::parse_data_type(nb::cast<std::string>(column[1]))});
  }
  return schema;
}

nb::list columns_of(const Schema& schema) {
  nb::list columns;
  for (const Field& field : schema) {
    columns.append(nb::make_tuple(field.name, field.type.to_string()));
  }
  return columns;
}

namespace {

/// The print connector writes to the process's standard output; what Python holds back goes first.
void flush_python_output() {
  const nb::object out = nb::module_::import_("sys").attr("stdout");
  if (!out.is_none()) {
    out.attr("flush")();
  }
}

std::shared_ptr<const catalog::InlineFunction> callable_of(const SessionHandle& session,
                                                           nb::handle function) {
  return make_callable(nb::cast<const FunctionHandle&>(function), session.function_settings);
}

/// The function that CREATE FUNCTION ... LANGUAGE PYTHON names, imported once a session.
std::shared_ptr<const catalog::InlineFunction> load_function(
    SessionHandle& session, const catalog::CatalogFunction& function) {
  auto& loaded = session.loaded[function.identifier];
  if (loaded == nullptr) {
    const nb::gil_scoped_acquire gil;
    try {
      const nb::object found =
          nb::module_::import_("thalweg.table.udf").attr("load_function")(function.identifier);
      loaded = callable_of(session, found);
    } catch (const nb::python_error& error) {
      throw Error(
          ErrorCode::kPythonFunctionFailed,
          fmt::format(
              "The Python function '{}' can't be imported: {}", function.identifier, error.what()));
    }
  }
  return loaded;
}

SessionPtr make_session(LazyProcess& process,
                        StringMap config,
                        StringMap aliases,
                        bool hand_driven) {
  auto handle = std::make_shared<SessionHandle>();
  engine::SessionOptions options;
  options.config = std::move(config);
  options.address_aliases = std::move(aliases);
  options.load_function = [session = handle.get()](const catalog::CatalogFunction& function) {
    return load_function(*session, function);
  };
  if (hand_driven) {
    handle->bench = std::make_unique<TestBench>();
    options.clock = handle->bench->clock;
    options.result_capacity = std::numeric_limits<size_t>::max();
    handle->process = process.make_for(*handle->bench);
  } else {
    handle->process = process.get();
  }
  handle->session = std::make_unique<engine::Session>(handle->process, std::move(options));
  handle->function_settings =
      std::make_shared<FunctionSettings>([engine = handle->session.get(), hand_driven] {
        FunctionConfig values = engine->config().values();
        if (hand_driven) {
          values[kHandDriven] = "true";
        }
        return values;
      });
  return handle;
}

ResultHandle execute(const SessionPtr& self, const std::string& statement, bool client) {
  flush_python_output();
  self->function_settings->refresh();
  return with_statement(statement, [&] {
    const nb::gil_scoped_release release;
    return ResultHandle{self, self->session->execute(statement, client), statement};
  });
}

}  // namespace

std::vector<engine::Insert> inserts_from(const nb::sequence& inserts) {
  std::vector<engine::Insert> result;
  for (const nb::handle insert : inserts) {
    if (nb::cast<std::string>(insert[0]) == "sql") {
      result.emplace_back(nb::cast<std::string>(insert[1]));
      continue;
    }
    const nb::handle target = insert[1];
    const auto& relation = nb::cast<const RelationHandle&>(target[1]);
    result.emplace_back(engine::TableInsert{
        nb::cast<std::string>(target[0]), relation.relation, nb::cast<bool>(target[2])});
  }
  return result;
}

namespace {

/// The one statement's text, for the caret.
std::string only_statement(const std::vector<engine::Insert>& inserts) {
  const auto* text = inserts.size() == 1 ? std::get_if<std::string>(inserts.data()) : nullptr;
  return text == nullptr ? std::string() : *text;
}

ResultHandle execute_inserts(const SessionPtr& self,
                             const nb::sequence& inserts,
                             const std::optional<std::string>& name) {
  flush_python_output();
  self->function_settings->refresh();
  const std::vector<engine::Insert> list = inserts_from(inserts);
  const std::string statement = only_statement(list);
  return with_statement(statement, [&] {
    const nb::gil_scoped_release release;
    return ResultHandle{self, self->session->execute_inserts(list, name.value_or("")), statement};
  });
}

std::string explain(const SessionPtr& self,
                    const nb::sequence& inserts,
                    const std::vector<std::string>& details) {
  const nb::handle first = inserts[0];
  if (nb::cast<std::string>(first[0]) == "query") {
    return self->session->explain(nb::cast<const RelationHandle&>(first[1]).relation, details);
  }
  const std::vector<engine::Insert> list = inserts_from(inserts);
  return with_statement(only_statement(list),
                        [&] { return self->session->explain(list, details); });
}

RelationHandle from_rows(const SessionPtr& self,
                         const nb::sequence& columns,
                         const nb::sequence& rows) {
  Schema schema = schema_from(columns);
  std::vector<std::vector<Value>> values;
  values.reserve(nb::len(rows));
  for (const nb::handle row : rows) {
    std::vector<Value>& line = values.emplace_back();
    line.reserve(schema.size());
    size_t index = 0;
    for (const nb::handle value : row) {
      const Field& field = schema.at(index++);
      line.push_back(engine_value(value, field.type, field.name));
    }
  }
  return {self, self->session->from_rows(std::move(schema), std::move(values))};
}

/// VALUES of expressions, through their SQL text.
RelationHandle values(const SessionPtr& self,
                      const nb::sequence& rows,
                      const std::vector<std::string>& columns) {
  std::vector<std::string> lines;
  for (const nb::handle row : rows) {
    std::vector<std::string> cells;
    for (const sql::ExprPtr& expr : expressions_from(row, *self)) {
      cells.push_back(sql::unparse(*expr));
    }
    lines.push_back(fmt::format("({})", fmt::join(cells, ", ")));
  }
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    names.push_back(quote_identifier(column));
  }
  const std::string text = fmt::format(
      "SELECT * FROM (VALUES {}) AS `values`({})", fmt::join(lines, ", "), fmt::join(names, ", "));
  return {self, self->session->query(text)};
}

RelationHandle query(const SessionPtr& self, const std::string& statement) {
  return with_statement(statement,
                        [&] { return RelationHandle{self, self->session->query(statement)}; });
}

void create_view(const SessionPtr& self,
                 const std::string& path,
                 const RelationHandle& relation,
                 bool temporary,
                 bool ignore_if_exists) {
  self->session->create_view(path, relation.relation, temporary, ignore_if_exists);
}

nb::list jobs(const SessionPtr& self) {
  nb::list result;
  for (const auto& job : self->session->jobs()) {
    result.append(JobHandle{job, self->process});
  }
  return result;
}

bool create_function(const SessionPtr& self,
                     const std::string& path,
                     nb::handle function,
                     bool temporary,
                     bool system,
                     bool ignore_if_exists) {
  return self->session->create_function(
      path, callable_of(*self, function), temporary, system, ignore_if_exists);
}

void close(const SessionPtr& self) {
  for (const auto& job : self->session->jobs()) {
    job->cancel();
  }
}

}  // namespace

const std::string& SessionHandle::inline_name(nb::handle function) {
  auto& [name, kept] = inline_names[function.ptr()];
  if (name.empty()) {
    const auto& handle = nb::cast<const FunctionHandle&>(function);
    kept = nb::borrow(function);
    name = fmt::format("*{}${}*", handle.name, inline_names.size());
    session->create_function(name, callable_of(*this, function), true, true, false);
  }
  return name;
}

void bind_session(nb::module_& module, const std::shared_ptr<LazyProcess>& process) {
  nb::class_<SessionHandle> session(module, "Session");
  bind_session_catalogs(session);
  bind_session_frames(session);
  bind_session_bench(module, session, process);
  session
      .def(nb::new_([process](StringMap config, StringMap aliases, bool hand_driven) {
             return make_session(*process, std::move(config), std::move(aliases), hand_driven);
           }),
           nb::arg("config"),
           nb::arg("aliases") = StringMap(),
           nb::arg("hand_driven") = false)
      .def("set",
           [](const SessionPtr& self, const std::string& key, const std::string& value) {
             self->session->config().set(key, value);
           })
      .def("get",
           [](const SessionPtr& self, const std::string& key) {
             return self->session->config().find(key);
           })
      .def(
          "reset",
          [](const SessionPtr& self, const std::optional<std::string>& key) {
            if (key) {
              self->session->config().reset(*key);
            } else {
              self->session->config().reset_all();
            }
          },
          nb::arg("key").none() = nb::none())
      .def("config", [](const SessionPtr& self) { return self->session->config().values(); })
      .def("execute", &execute, nb::arg("statement"), nb::arg("client") = false)
      .def("explain", &explain)
      .def("execute_inserts",
           &execute_inserts,
           nb::arg("inserts"),
           nb::arg("name").none() = nb::none())
      .def("query", &query)
      .def("from_path",
           [](const SessionPtr& self, const std::string& path) {
             return RelationHandle{self, self->session->from_path(path)};
           })
      .def("from_rows", &from_rows)
      .def("values", &values)
      .def("create_view", &create_view)
      .def("create_function",
           &create_function,
           nb::arg("path"),
           nb::arg("function"),
           nb::arg("temporary"),
           nb::arg("system"),
           nb::arg("ignore_if_exists") = false)
      .def("drop",
           [](const SessionPtr& self,
              const std::string& kind,
              const std::string& path,
              bool temporary) { return self->session->drop(kind, path, temporary); })
      .def(
          "list",
          [](const SessionPtr& self, const std::string& kind) { return self->session->list(kind); })
      .def("current", [](const SessionPtr& self) { return self->session->current(); })
      .def("jobs", &jobs)
      .def("end_job",
           [](const SessionPtr& self, const JobHandle& job) {
             JobsEnd({job.job}, self->process).run(kEndMs);
           })
      .def("close", &close);
}

}  // namespace thalweg::binding
