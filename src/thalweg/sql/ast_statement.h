#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "thalweg/sql/ast_query.h"

namespace thalweg::sql {

enum class StatementKind : uint8_t {
  kQuery,
  kInsert,
  kStatementSet,
  kUpdate,
  kDelete,
  kTruncate,
  kExplain,
  kCompilePlan,
  kExecutePlan,
  kCreateTable,
  kCreateView,
  kCreateDatabase,
  kCreateCatalog,
  kCreateFunction,
  kCreateModel,
  kCreateMaterializedTable,
  kDrop,
  kAlterTable,
  kAlterView,
  kAlterDatabase,
  kAlterCatalog,
  kAlterFunction,
  kAlterModel,
  kAlterMaterializedTable,
  kShow,
  kDescribe,
  kUse,
  kUseModules,
  kLoadModule,
  kUnloadModule,
  kSet,
  kReset,
  kJar,
  kStopJob,
  kAnalyzeTable,
  kCall,
  kBeginStatementSet,
  kEnd,
  kClientCommand,
};

struct Statement {
  const StatementKind kind;
  SourcePosition position = {};

  virtual ~Statement() = default;
  Statement(const Statement&) = default;
  Statement& operator=(const Statement&) = delete;

 protected:
  explicit Statement(StatementKind the_kind) : kind(the_kind) {}
};

using StatementPtr = std::shared_ptr<const Statement>;

template <StatementKind Kind>
struct StatementOf : Statement {
  static constexpr StatementKind kKind = Kind;

 protected:
  StatementOf() : Statement(Kind) {}
};

template <typename T>
const T* if_a(const Statement& statement) {
  return statement.kind == T::kKind ? static_cast<const T*>(&statement) : nullptr;
}

template <typename T>
const T& as(const Statement& statement) {
  check(statement.kind == T::kKind, "statement of another kind");
  return static_cast<const T&>(statement);
}

/// One `'key' = 'value'` of WITH (...), in the order written.
struct Option {
  std::string key;
  std::string value;
  SourcePosition key_position = {};
  SourcePosition value_position = {};
};

using Options = std::vector<Option>;

// ---------------------------------------------------------------------------------------------------------------
// Queries and changes of data

struct QueryStatement : StatementOf<StatementKind::kQuery> {
  QueryPtr query;
};

/// `PARTITION (a = 1, b)`: value is null when only the name is written.
struct PartitionSpecItem {
  Identifier name;
  ExprPtr value;
};

using PartitionSpec = std::vector<PartitionSpecItem>;

struct Insert : StatementOf<StatementKind::kInsert> {
  ObjectName table;
  std::vector<Hint> hints;
  bool overwrite = false;
  PartitionSpec partition;
  /// A name may be compound (`row_column.field`) for partial inserts.
  std::vector<ObjectName> columns;
  QueryPtr query;
  enum class OnConflict : uint8_t { kUnset, kError, kNothing, kDeduplicate };
  OnConflict on_conflict = OnConflict::kUnset;
};

using InsertPtr = std::shared_ptr<const Insert>;

/// EXECUTE STATEMENT SET BEGIN ...; END, and the whole of BEGIN STATEMENT SET; ...; END;
struct StatementSet : StatementOf<StatementKind::kStatementSet> {
  std::vector<InsertPtr> inserts;
};

struct Assignment {
  ObjectName column;
  ExprPtr value;
};

struct Update : StatementOf<StatementKind::kUpdate> {
  ObjectName table;
  std::optional<Identifier> alias;
  std::vector<Assignment> assignments;
  ExprPtr where;
};

struct Delete : StatementOf<StatementKind::kDelete> {
  ObjectName table;
  std::optional<Identifier> alias;
  ExprPtr where;
};

struct Truncate : StatementOf<StatementKind::kTruncate> {
  ObjectName table;
};

/// EXPLAIN [ESTIMATED_COST, ...] statement, EXPLAIN PLAN FOR statement, EXPLAIN STATEMENT SET BEGIN
/// ... END.
struct Explain : StatementOf<StatementKind::kExplain> {
  std::vector<std::string>
      details;  // upper case: ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN, PLAN_ADVICE
  StatementPtr statement;
};

/// COMPILE PLAN 'path' [IF NOT EXISTS] FOR statement; COMPILE AND EXECUTE PLAN 'path' FOR
/// statement.
struct CompilePlan : StatementOf<StatementKind::kCompilePlan> {
  std::string path;
  bool if_not_exists = false;
  bool execute = false;
  StatementPtr statement;
};

struct ExecutePlan : StatementOf<StatementKind::kExecutePlan> {
  std::string path;
};

/// CALL procedure(args).
struct Call : StatementOf<StatementKind::kCall> {
  ExprPtr call;  // a FunctionCall
};

// ---------------------------------------------------------------------------------------------------------------
// The session

struct Use : StatementOf<StatementKind::kUse> {
  ObjectName name;
  bool catalog = false;  // USE CATALOG name; otherwise USE [catalog.]database
};

struct UseModules : StatementOf<StatementKind::kUseModules> {
  std::vector<Identifier> modules;
};

struct LoadModule : StatementOf<StatementKind::kLoadModule> {
  Identifier name;
  Options options;
};

struct UnloadModule : StatementOf<StatementKind::kUnloadModule> {
  Identifier name;
};

/// SET lists all settings when `key` is empty.
struct Set : StatementOf<StatementKind::kSet> {
  std::string key;
  std::string value;
};

/// RESET restores all settings when `key` is empty.
struct Reset : StatementOf<StatementKind::kReset> {
  std::string key;
};

struct Jar : StatementOf<StatementKind::kJar> {
  bool remove = false;  // otherwise ADD
  std::string path;
};

struct StopJob : StatementOf<StatementKind::kStopJob> {
  std::string job_id;
  bool with_savepoint = false;
  bool with_drain = false;
};

struct AnalyzeTable : StatementOf<StatementKind::kAnalyzeTable> {
  ObjectName table;
  PartitionSpec partition;
  bool all_columns = false;
  std::vector<Identifier> columns;
};

/// BEGIN STATEMENT SET, alone in a shell that reads statement by statement.
struct BeginStatementSet : StatementOf<StatementKind::kBeginStatementSet> {};

/// END, which closes a BEGIN STATEMENT SET.
struct End : StatementOf<StatementKind::kEnd> {};

/// QUIT, EXIT, CLEAR, HELP, SOURCE: only the SQL shell takes them.
struct ClientCommand : StatementOf<StatementKind::kClientCommand> {
  std::string word;  // upper case
  std::string argument;
};

// ---------------------------------------------------------------------------------------------------------------
// Looking at the catalog

enum class ShowKind : uint8_t {
  kCatalogs,
  kCurrentCatalog,
  kDatabases,
  kCurrentDatabase,
  kTables,
  kViews,
  kMaterializedTables,
  kColumns,
  kFunctions,
  kUserFunctions,
  kProcedures,
  kModules,
  kFullModules,
  kModels,
  kPartitions,
  kCreateTable,
  kCreateView,
  kCreateCatalog,
  kCreateDatabase,
  kCreateModel,
  kCreateMaterializedTable,
  kJars,
  kJobs,
};

struct Show : StatementOf<StatementKind::kShow> {
  ShowKind show_kind = ShowKind::kTables;
  /// The object of SHOW CREATE/COLUMNS/PARTITIONS, or the catalog or database after FROM/IN.
  ObjectName name;
  std::optional<std::string> like;
  bool not_like = false;
  bool ilike = false;
  PartitionSpec partition;
};

enum class DescribeKind : uint8_t { kTable, kCatalog, kDatabase, kFunction, kModel, kJob };

struct Describe : StatementOf<StatementKind::kDescribe> {
  DescribeKind describe_kind = DescribeKind::kTable;
  bool extended = false;
  ObjectName name;
  std::string job_id;
};

}  // namespace thalweg::sql
