#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/catalog/function.h"
#include "thalweg/engine/configuration.h"
#include "thalweg/engine/process.h"
#include "thalweg/engine/result.h"
#include "thalweg/planner/relation.h"

namespace thalweg::engine {

struct SessionState;

/// What a session may be given by whoever hosts it.
struct SessionOptions {
  stream::OptionMap config;
  /// Where the print connector's lines go; empty: the process's standard output.
  stream::LineConsumer print_line;
  /// Notices for the user; empty: the process's standard error.
  std::function<void(const std::string&)> warn;
  /// host:port as written in DDL -> host:port to use (--alias).
  std::map<std::string, std::string> address_aliases;
  /// Null: the system's.
  std::shared_ptr<const Clock> clock;
  /// Loads functions written in Python; empty: there are none.
  std::function<std::shared_ptr<const catalog::InlineFunction>(const catalog::CatalogFunction&)>
      load_function;
  /// Batches of a query's result that wait for their reader before the job is held back.
  size_t result_capacity = 64;
  /// Rows at which gathered pieces leave as one batch; tests make it small.
  int32_t batch_rows = kTargetBatchRows;
};

/// One INSERT of a statement set: a statement, or a relation and the table it goes to.
struct TableInsert {
  std::string path;
  planner::Relation relation;
  bool is_overwrite = false;
};

using Insert = std::variant<std::string, TableInsert>;

/// One catalog, configuration and set of jobs: what a TableEnvironment or a shell holds. Used by
/// one thread at a time; the jobs it starts live on in the process.
class Session {
 public:
  Session(std::shared_ptr<Process> process, SessionOptions options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Configuration& config();

  /// Any one statement. `client`: SET, RESET, SHOW JOBS, STOP JOB and what else only Flink's SQL
  /// client takes.
  Result execute(std::string_view statement, bool client = false);
  Result execute_query(const planner::Relation& relation);
  /// One job for all of them.
  Result execute_inserts(const std::vector<Insert>& inserts, const std::string& name = {});
  /// details: upper-case words, "CHANGELOG_MODE", ...
  std::string explain(const std::vector<Insert>& inserts, const std::vector<std::string>& details);
  std::string explain(const planner::Relation& relation, const std::vector<std::string>& details);

  planner::Relation query(std::string_view statement);
  planner::Relation from_path(std::string_view path);
  planner::Relation from_rows(Schema schema, std::vector<std::vector<Value>> rows);

  // The steps of a DataStream program: relations too, so that tables and streams mix.
  planner::Relation stream_source(planner::CustomSourceSpec spec, Schema schema);
  planner::Relation stream_operator(planner::CustomOperatorSpec spec,
                                    const std::vector<planner::Relation>& inputs,
                                    Schema schema);
  planner::Relation stream_sink(planner::CustomSinkSpec spec, const planner::Relation& input);
  /// A connector's source or sink without a table of the catalog; `table` has the name for
  /// messages, columns and options.
  std::shared_ptr<stream::TableSource> connector_source(stream::TableContext table);
  std::shared_ptr<stream::TableSink> connector_sink(stream::TableContext table);
  /// The INSERTs as the ends of streams.
  std::vector<planner::Relation> stream_inserts(const std::vector<Insert>& inserts);
  /// One job of all steps that lead to `ends`. With `collected`, the result has its rows.
  Result execute_streams(const std::vector<planner::Relation>& ends,
                         const planner::Relation* collected,
                         const std::string& name);

  void create_view(std::string_view path,
                   const planner::Relation& relation,
                   bool temporary,
                   bool ignore_if_exists);
  /// Registers code that is at hand; `path` is a name for temporary system functions. Whether it
  /// was made: not when it was there and `ignore_if_exists`.
  bool create_function(std::string_view path,
                       std::shared_ptr<const catalog::InlineFunction> code,
                       bool temporary,
                       bool system,
                       bool ignore_if_exists);
  /// kind: "TABLE", "VIEW", "FUNCTION", "SYSTEM FUNCTION". Whether there was one.
  bool drop(std::string_view kind, std::string_view path, bool temporary);
  /// kind: "catalogs", "databases", "tables", "views", "temporary_tables", "temporary_views",
  /// "functions", "user_functions", "modules". Sorted.
  std::vector<std::string> list(std::string_view kind);
  /// Catalog and database.
  std::pair<std::string, std::string> current() const;
  /// What the session's catalogs hold.
  catalog::CatalogManager& catalogs();
  /// The object that a CREATE TABLE or CREATE VIEW defines, with its types settled, in no catalog.
  catalog::CatalogObject define(std::string_view statement);

  std::vector<std::shared_ptr<runtime::Job>> jobs() const;

 private:
  std::unique_ptr<SessionState> state_;
};

}  // namespace thalweg::engine
