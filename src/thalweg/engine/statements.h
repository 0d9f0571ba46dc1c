#pragma once

#include <memory>
#include <string>
#include <vector>

#include "thalweg/engine/result.h"
#include "thalweg/engine/session_state.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/sql/ast_ddl.h"
#include "thalweg/sql/ast_statement.h"

/// The statements, by family. Each takes the session's state and gives what the statement gave; all
/// throw Error.
namespace thalweg::engine {

/// Finds the family.
Result execute_statement(SessionState& state, const sql::Statement& statement, bool client);

// job_statements.cc: statements that start jobs or show plans.
Result execute_query_plan(SessionState& state, const planner::LogicalPtr& plan);
Result execute_insert_plans(SessionState& state,
                            const std::vector<planner::LogicalPtr>& plans,
                            const std::string& name);
/// `collected` may be null.
Result execute_stream_plans(SessionState& state,
                            const std::vector<planner::LogicalPtr>& ends,
                            const planner::LogicalPtr& collected,
                            const std::string& name);
std::vector<planner::LogicalPtr> bind_for_explain(SessionState& state,
                                                  const sql::Statement& statement);
Result execute_explain(SessionState& state, const sql::Explain& explain);

// table_statements.cc
/// The object that a CREATE TABLE or CREATE VIEW defines.
catalog::CatalogObject define_object(SessionState& state, const sql::Statement& statement);
Result execute_create_table(SessionState& state, const sql::CreateTable& create);
Result execute_alter_table(SessionState& state, const sql::AlterTable& alter);
Result execute_create_view(SessionState& state, const sql::CreateView& create);
Result execute_alter_view(SessionState& state, const sql::AlterView& alter);

// catalog_statements.cc: databases, catalogs, functions, DROP, USE.
Result execute_create_database(SessionState& state, const sql::CreateDatabase& create);
Result execute_create_catalog(SessionState& state, const sql::CreateCatalog& create);
Result execute_create_function(SessionState& state, const sql::CreateFunction& create);
Result execute_drop(SessionState& state, const sql::Drop& drop);
Result execute_use(SessionState& state, const sql::Use& use);
Result execute_alter_function(SessionState& state, const sql::AlterFunction& alter);
/// Refused, but for the right reason: no connector here can empty its table.
Result execute_truncate(SessionState& state, const sql::Truncate& truncate);

// module_statements.cc
Result execute_load_module(SessionState& state, const sql::LoadModule& load);
Result execute_unload_module(SessionState& state, const sql::UnloadModule& unload);
Result execute_use_modules(SessionState& state, const sql::UseModules& use);
Result show_modules(const SessionState& state);
Result show_full_modules(const SessionState& state);

// show_statements.cc
Result execute_show(SessionState& state, const sql::Show& show);
Result execute_describe(SessionState& state, const sql::Describe& describe);

// client_statements.cc: what only Flink's SQL client takes.
Result execute_set(SessionState& state, const sql::Set& set);
Result execute_reset(SessionState& state, const sql::Reset& reset);
JobSummary listed(const runtime::Job& job);
Result execute_show_jobs(SessionState& state);
Result execute_stop_job(SessionState& state, const sql::StopJob& stop);

/// A listing of text columns.
Result text_listing(const std::vector<std::string>& columns,
                    const std::vector<std::vector<std::string>>& rows);

}  // namespace thalweg::engine
