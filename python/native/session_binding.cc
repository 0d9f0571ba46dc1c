#include <algorithm>
#include <cctype>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "engine_values.h"
#include "errors.h"
#include "expression_tree.h"
#include "handles.h"
#include "thalweg/sql/parser.h"
#include "thalweg/sql/unparser.h"

namespace nb = nanobind;

namespace thalweg::binding {

using StringMap = std::map<std::string, std::string>;

std::shared_ptr<engine::Process> LazyProcess::get() {
  if (process_ == nullptr) {
    process_ = std::make_shared<engine::Process>();
  }
  return process_;
}

void LazyProcess::close() {
  if (process_ == nullptr) {
    return;
  }
  const nb::gil_scoped_release release;
  for (const auto& job : process_->runtime->jobs()) {
    job->cancel();
  }
  for (const auto& job : process_->runtime->jobs()) {
    job->wait_for(10'000);
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

SessionPtr make_session(LazyProcess& process, StringMap config, StringMap aliases) {
  engine::SessionOptions options;
  options.config = std::move(config);
  options.address_aliases = std::move(aliases);
  auto handle = std::make_shared<SessionHandle>();
  handle->process = process.get();
  handle->functions = process.functions();
  handle->session = std::make_unique<engine::Session>(handle->process, std::move(options));
  return handle;
}

ResultHandle execute(const SessionPtr& self, const std::string& statement, bool client) {
  flush_python_output();
  return with_statement(statement, [&] {
    const nb::gil_scoped_release release;
    return ResultHandle{self, self->session->execute(statement, client), statement};
  });
}

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

/// The one statement's text, for the caret.
std::string only_statement(const std::vector<engine::Insert>& inserts) {
  const auto* text = inserts.size() == 1 ? std::get_if<std::string>(inserts.data()) : nullptr;
  return text == nullptr ? std::string() : *text;
}

ResultHandle execute_inserts(const SessionPtr& self,
                             const nb::sequence& inserts,
                             const std::optional<std::string>& name) {
  flush_python_output();
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

nb::list jobs(const SessionPtr& self) {
  nb::list result;
  for (const auto& job : self->session->jobs()) {
    result.append(JobHandle{job});
  }
  return result;
}

/// The last part of a dotted name: Python functions are known by it in every catalog.
std::string simple_name(const std::string& path) {
  return sql::parse_object_name(path).last();
}

void create_function(const SessionPtr& self,
                     const std::string& path,
                     const FunctionHandle& function,
                     bool temporary,
                     bool system) {
  static_cast<void>(temporary);
  static_cast<void>(system);
  self->functions->add(simple_name(path), function, self->process->functions);
}

bool drop(const SessionPtr& self,
          const std::string& kind,
          const std::string& path,
          bool temporary) {
  if (kind.ends_with("FUNCTION") && self->functions->remove(simple_name(path))) {
    return true;
  }
  return self->session->drop(kind, path, temporary);
}

std::vector<std::string> list(const SessionPtr& self, const std::string& kind) {
  std::vector<std::string> names = self->session->list(kind);
  if (kind == "user_functions") {
    for (std::string& name : self->functions->names()) {
      std::transform(
          name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
  }
  return names;
}

void close(const SessionPtr& self) {
  for (const auto& job : self->session->jobs()) {
    job->cancel();
  }
}

}  // namespace

void bind_session(nb::module_& module, const std::shared_ptr<LazyProcess>& process) {
  nb::class_<SessionHandle>(module, "Session")
      .def(nb::new_([process](StringMap config, StringMap aliases) {
             return make_session(*process, std::move(config), std::move(aliases));
           }),
           nb::arg("config"),
           nb::arg("aliases") = StringMap())
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
      .def("create_view",
           [](const SessionPtr& self,
              const std::string& path,
              const RelationHandle& relation,
              bool temporary,
              bool ignore_if_exists) {
             self->session->create_view(path, relation.relation, temporary, ignore_if_exists);
           })
      .def("create_function", &create_function)
      .def("drop", &drop)
      .def("list", &list)
      .def("current", [](const SessionPtr& self) { return self->session->current(); })
      .def("jobs", &jobs)
      .def("close", &close);
}

}  // namespace thalweg::binding
