#include "thalweg/engine/session.h"

#include <cstdio>

#include <unistd.h>

#include "thalweg/common/line_output.h"
#include "thalweg/engine/session_state.h"
#include "thalweg/engine/statements.h"
#include "thalweg/planner/inline_plan.h"
#include "thalweg/planner/planner.h"
#include "thalweg/sql/parser.h"

namespace thalweg::engine {

namespace {

SessionOptions with_defaults(SessionOptions options) {
  if (options.print_line == nullptr) {
    options.print_line = [](std::string_view line) { write_line(stdout, line); };
  }
  if (options.warn == nullptr) {
    options.warn = [](const std::string& warning) {
      std::fprintf(stderr, "WARN %s\n", warning.c_str());
    };
  }
  return options;
}

}  // namespace

SessionState::SessionState(std::shared_ptr<Process> the_process, SessionOptions the_options)
    : process(std::move(the_process)),
      options(with_defaults(std::move(the_options))),
      config(options.config),
      tables(*process, config, {options.print_line, options.warn, options.address_aliases}),
      planner{catalogs, process->functions, tables, config.values(), options.load_function} {}

Session::Session(std::shared_ptr<Process> process, SessionOptions options)
    : state_(std::make_unique<SessionState>(std::move(process), std::move(options))) {}

Session::~Session() = default;

Configuration& Session::config() {
  return state_->config;
}

Result Session::execute(std::string_view statement, bool client) {
  return execute_statement(*state_, *sql::parse_statement(statement), client);
}

Result Session::execute_query(const planner::Relation& relation) {
  return execute_query_plan(*state_, relation.plan());
}

namespace {

std::vector<planner::LogicalPtr> bind_inserts(SessionState& state,
                                              const std::vector<Insert>& inserts) {
  std::vector<planner::LogicalPtr> plans;
  for (const Insert& insert : inserts) {
    if (const auto* text = std::get_if<std::string>(&insert)) {
      const auto bound = bind_for_explain(state, *sql::parse_statement(*text));
      plans.insert(plans.end(), bound.begin(), bound.end());
    } else {
      const auto& table = std::get<TableInsert>(insert);
      plans.push_back(planner::bind_insert(sql::parse_object_name(table.path),
                                           table.relation.plan(),
                                           table.is_overwrite,
                                           state.planner));
    }
  }
  return plans;
}

}  // namespace

std::vector<planner::Relation> Session::stream_inserts(const std::vector<Insert>& inserts) {
  std::vector<planner::Relation> ends;
  for (planner::LogicalPtr& plan : bind_inserts(*state_, inserts)) {
    ends.push_back(planner::Relation::of_plan(std::move(plan), state_->planner));
  }
  return ends;
}

Result Session::execute_inserts(const std::vector<Insert>& inserts, const std::string& name) {
  if (inserts.empty()) {
    throw Error(ErrorCode::kValidation, "There is no INSERT to execute");
  }
  return execute_insert_plans(*state_, bind_inserts(*state_, inserts), name);
}

std::string Session::explain(const std::vector<Insert>& inserts,
                             const std::vector<std::string>& details) {
  return planner::explain(
      bind_inserts(*state_, inserts), planner::ExplainDetails::parse(details), state_->planner);
}

std::string Session::explain(const planner::Relation& relation,
                             const std::vector<std::string>& details) {
  return planner::explain(
      {relation.plan()}, planner::ExplainDetails::parse(details), state_->planner);
}

planner::Relation Session::query(std::string_view statement) {
  return planner::Relation::of_query(*sql::parse_query(statement), state_->planner);
}

planner::Relation Session::from_path(std::string_view path) {
  return planner::Relation::of_path(sql::parse_object_name(path), state_->planner);
}

planner::Relation Session::from_rows(Schema schema, std::vector<std::vector<Value>> rows) {
  return planner::Relation::of_rows(std::move(schema), std::move(rows), state_->planner);
}

void Session::create_view(std::string_view path,
                          const planner::Relation& relation,
                          bool temporary,
                          bool ignore_if_exists) {
  auto view = std::make_shared<catalog::CatalogView>();
  view->inline_query = std::make_shared<planner::InlinePlan>(relation.plan());
  view->catalog = state_->catalogs.current_catalog();
  view->database = state_->catalogs.current_database();
  view->schema = relation.schema();
  state_->catalogs.create_view(state_->catalogs.qualify(sql::parse_object_name(path)),
                               std::move(view),
                               {temporary, ignore_if_exists, false});
}

bool Session::create_function(std::string_view path,
                              std::shared_ptr<const catalog::InlineFunction> code,
                              bool temporary,
                              bool system,
                              bool ignore_if_exists) {
  auto function = std::make_shared<catalog::CatalogFunction>();
  function->language = "PYTHON";
  function->inline_function = std::move(code);
  catalog::CatalogManager& catalogs = state_->catalogs;
  if (system) {
    return catalogs.create_temporary_system_function(
        std::string(path), std::move(function), ignore_if_exists);
  }
  const sql::ObjectName name = sql::parse_object_name(path);
  return catalogs.create_function(
      catalogs.qualify(name), std::move(function), temporary, ignore_if_exists);
}

bool Session::drop(std::string_view kind, std::string_view path, bool temporary) {
  catalog::CatalogManager& catalogs = state_->catalogs;
  if (kind == "SYSTEM FUNCTION") {
    return catalogs.drop_temporary_system_function(std::string(path), true);
  }
  const sql::ObjectName name = sql::parse_object_name(path);
  if (kind == "TABLE") {
    return catalogs.drop_table(catalogs.qualify(name), temporary, true);
  }
  if (kind == "VIEW") {
    return catalogs.drop_view(catalogs.qualify(name), temporary, true);
  }
  return catalogs.drop_function(catalogs.qualify(name), temporary, true);
}

std::vector<std::string> Session::list(std::string_view kind) {
  const catalog::CatalogManager& catalogs = state_->catalogs;
  const auto [catalog, database] = current();
  if (kind == "catalogs") {
    return catalogs.catalogs();
  }
  if (kind == "databases") {
    return catalogs.databases(catalog);
  }
  if (kind == "tables") {
    return catalogs.tables(catalog, database);
  }
  if (kind == "views") {
    return catalogs.views(catalog, database);
  }
  if (kind == "temporary_tables") {
    return catalogs.temporary_tables();
  }
  if (kind == "temporary_views") {
    return catalogs.temporary_views();
  }
  if (kind == "user_functions") {
    return catalogs.user_functions(catalog, database);
  }
  if (kind == "functions") {
    std::vector<std::string> names = state_->process->functions.names();
    for (const std::string& name : catalogs.user_functions(catalog, database)) {
      names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  check(kind == "modules", "kind of a list");
  return {"core"};
}

std::pair<std::string, std::string> Session::current() const {
  return {state_->catalogs.current_catalog(), state_->catalogs.current_database()};
}

catalog::CatalogManager& Session::catalogs() {
  return state_->catalogs;
}

catalog::CatalogObject Session::define(std::string_view statement) {
  return define_object(*state_, *sql::parse_statement(statement));
}

std::vector<std::shared_ptr<runtime::Job>> Session::jobs() const {
  return state_->jobs;
}

}  // namespace thalweg::engine
