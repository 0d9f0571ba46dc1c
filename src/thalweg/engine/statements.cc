#include "thalweg/engine/statements.h"

#include "thalweg/planner/planner.h"
#include "thalweg/types/column_builder.h"

namespace thalweg::engine {

namespace {

/// Statements that start jobs, or null.
std::optional<Result> try_job_statement(SessionState& state, const sql::Statement& statement) {
  switch (statement.kind) {
    case sql::StatementKind::kQuery:
      return execute_query_plan(
          state,
          planner::bind_query(*sql::as<sql::QueryStatement>(statement).query, state.planner));
    case sql::StatementKind::kInsert:
    case sql::StatementKind::kStatementSet:
      return execute_insert_plans(state, bind_for_explain(state, statement), {});
    case sql::StatementKind::kExplain:
      return execute_explain(state, sql::as<sql::Explain>(statement));
    default:
      return std::nullopt;
  }
}

std::optional<Result> try_catalog_statement(SessionState& state, const sql::Statement& statement) {
  switch (statement.kind) {
    case sql::StatementKind::kCreateTable:
      return execute_create_table(state, sql::as<sql::CreateTable>(statement));
    case sql::StatementKind::kAlterTable:
      return execute_alter_table(state, sql::as<sql::AlterTable>(statement));
    case sql::StatementKind::kCreateView:
      return execute_create_view(state, sql::as<sql::CreateView>(statement));
    case sql::StatementKind::kAlterView:
      return execute_alter_view(state, sql::as<sql::AlterView>(statement));
    case sql::StatementKind::kCreateDatabase:
      return execute_create_database(state, sql::as<sql::CreateDatabase>(statement));
    case sql::StatementKind::kCreateCatalog:
      return execute_create_catalog(state, sql::as<sql::CreateCatalog>(statement));
    case sql::StatementKind::kCreateFunction:
      return execute_create_function(state, sql::as<sql::CreateFunction>(statement));
    case sql::StatementKind::kAlterDatabase: {
      const auto& alter = sql::as<sql::AlterDatabase>(statement);
      state.catalogs.alter_database(alter.name, catalog::option_map(alter.options));
      return Result{};
    }
    case sql::StatementKind::kAlterCatalog:
      state.catalogs.alter_catalog(sql::as<sql::AlterCatalog>(statement));
      return Result{};
    case sql::StatementKind::kAlterFunction:
      return execute_alter_function(state, sql::as<sql::AlterFunction>(statement));
    case sql::StatementKind::kTruncate:
      return execute_truncate(state, sql::as<sql::Truncate>(statement));
    case sql::StatementKind::kLoadModule:
      return execute_load_module(state, sql::as<sql::LoadModule>(statement));
    case sql::StatementKind::kUnloadModule:
      return execute_unload_module(state, sql::as<sql::UnloadModule>(statement));
    case sql::StatementKind::kUseModules:
      return execute_use_modules(state, sql::as<sql::UseModules>(statement));
    case sql::StatementKind::kDrop:
      return execute_drop(state, sql::as<sql::Drop>(statement));
    case sql::StatementKind::kUse:
      return execute_use(state, sql::as<sql::Use>(statement));
    case sql::StatementKind::kDescribe:
      return execute_describe(state, sql::as<sql::Describe>(statement));
    case sql::StatementKind::kShow:
      return execute_show(state, sql::as<sql::Show>(statement));
    default:
      return std::nullopt;
  }
}

std::optional<Result> try_client_statement(SessionState& state, const sql::Statement& statement) {
  switch (statement.kind) {
    case sql::StatementKind::kSet:
      return execute_set(state, sql::as<sql::Set>(statement));
    case sql::StatementKind::kReset:
      return execute_reset(state, sql::as<sql::Reset>(statement));
    case sql::StatementKind::kStopJob:
      return execute_stop_job(state, sql::as<sql::StopJob>(statement));
    default:
      return std::nullopt;
  }
}

/// The words by which a statement that is parsed but not run here is known; empty for the others.
std::string_view name_of(sql::StatementKind kind) {
  switch (kind) {
    case sql::StatementKind::kUpdate:
      return "UPDATE";
    case sql::StatementKind::kDelete:
      return "DELETE";
    case sql::StatementKind::kCompilePlan:
      return "COMPILE PLAN";
    case sql::StatementKind::kExecutePlan:
      return "EXECUTE PLAN";
    case sql::StatementKind::kCreateModel:
      return "CREATE MODEL";
    case sql::StatementKind::kAlterModel:
      return "ALTER MODEL";
    case sql::StatementKind::kCreateMaterializedTable:
    case sql::StatementKind::kAlterMaterializedTable:
      return "MATERIALIZED TABLE";
    case sql::StatementKind::kAnalyzeTable:
      return "ANALYZE TABLE";
    case sql::StatementKind::kCall:
      return "CALL";
    default:
      return {};
  }
}

[[noreturn]] void refuse(const sql::Statement& statement, bool client) {
  const std::string_view name = name_of(statement.kind);
  if (!name.empty()) {
    throw Error(ErrorCode::kSqlUnsupported,
                fmt::format("Unsupported SQL statement: {} is not supported", name))
        .at(statement.position)
        .hint(name.ends_with("MODEL") ? "No provider runs models here; call the model from a "
                                        "Python function."
                                      : "");
  }
  const bool sets =
      statement.kind == sql::StatementKind::kSet || statement.kind == sql::StatementKind::kReset;
  throw Error(ErrorCode::kSqlUnsupported,
              client ? "Unsupported SQL statement"
                     : "Unsupported SQL query! execute_sql() takes a single statement that "
                       "queries, inserts, explains, or "
                       "changes or shows the catalog; SET and RESET belong to the SQL client")
      .hint(sets ? "Set options by 'TableEnvironment.get_config().set(key, value)'." : "");
}

}  // namespace

Result execute_statement(SessionState& state, const sql::Statement& statement, bool client) {
  if (auto result = try_job_statement(state, statement)) {
    return std::move(*result);
  }
  if (auto result = try_catalog_statement(state, statement)) {
    return std::move(*result);
  }
  if (client) {
    if (auto result = try_client_statement(state, statement)) {
      return std::move(*result);
    }
  }
  if (statement.kind == sql::StatementKind::kJar) {
    return {};  // there is no JVM to load it
  }
  refuse(statement, client);
}

Result text_listing(const std::vector<std::string>& columns,
                    const std::vector<std::vector<std::string>>& rows) {
  Result result{.kind = Result::Kind::kListing};
  for (const std::string& column : columns) {
    result.schema.push_back({column, DataType::string()});
  }
  std::vector<ColumnBuilder> builders = make_builders(result.schema);
  for (const std::vector<std::string>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      builders[i].append_string(row[i]);
    }
  }
  result.rows = make_static_rows(finish_batch(builders));
  return result;
}

}  // namespace thalweg::engine
