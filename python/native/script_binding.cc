#include <nanobind/stl/string.h>

#include "errors.h"
#include "expression_tree.h"
#include "handles.h"
#include "thalweg/sql/parser.h"
#include "thalweg/sql/script.h"
#include "thalweg/sql/unparser.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

nb::list split_statements(const std::string& script, bool shell) {
  const auto sets = shell ? sql::StatementSets::kSplit : sql::StatementSets::kWhole;
  nb::list result;
  for (const sql::ScriptStatement& statement : sql::split_script(script, sets)) {
    result.append(nb::make_tuple(statement.text, statement.offset, statement.line));
  }
  return result;
}

bool is_insert(const std::string& statement) {
  return with_statement(statement, [&] {
    return sql::parse_statement(statement)->kind == sql::StatementKind::kInsert;
  });
}

std::string unparse_tree(nb::handle tree) {
  SessionHandle none;
  return sql::unparse(*expression_from(tree, none));
}

}  // namespace

void bind_script(nb::module_& module) {
  module.def("split_statements", &split_statements, nb::arg("script"), nb::arg("shell") = false);
  module.def(
      "is_complete",
      [](const std::string& text) { return sql::is_complete(text); },
      nb::arg("text"));
  module.def("is_insert", &is_insert, nb::arg("statement"));
  module.def("unparse", &unparse_tree, nb::arg("expression"));
}

}  // namespace thalweg::binding
