#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "thalweg/sql/ast_statement.h"
#include "thalweg/sql/ast_table.h"

namespace thalweg::sql {

struct CreateTable : StatementOf<StatementKind::kCreateTable> {
  ObjectName name;
  bool or_replace = false;
  bool temporary = false;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns;
  /// `CREATE TABLE t (a, b) AS SELECT`: names only, which reorder the query's columns.
  std::vector<Identifier> column_order;
  std::vector<TableConstraint> constraints;
  std::optional<WatermarkDefinition> watermark;
  std::optional<std::string> comment;
  std::optional<Distribution> distribution;
  std::vector<Identifier> partitioned_by;
  Options options;
  std::optional<TableLike> like;
  QueryPtr as_query;
};

struct CreateView : StatementOf<StatementKind::kCreateView> {
  ObjectName name;
  bool or_replace = false;
  bool temporary = false;
  bool if_not_exists = false;
  std::vector<Identifier> columns;
  std::optional<std::string> comment;
  QueryPtr query;
  /// The query exactly as typed.
  std::string query_text;
};

struct CreateDatabase : StatementOf<StatementKind::kCreateDatabase> {
  ObjectName name;
  bool if_not_exists = false;
  std::optional<std::string> comment;
  Options options;
};

struct CreateCatalog : StatementOf<StatementKind::kCreateCatalog> {
  Identifier name;
  bool if_not_exists = false;
  std::optional<std::string> comment;
  Options options;
};

struct FunctionResource {
  std::string kind;  // JAR, FILE or ARCHIVE
  std::string path;
};

struct CreateFunction : StatementOf<StatementKind::kCreateFunction> {
  ObjectName name;
  bool temporary = false;
  bool system = false;
  bool if_not_exists = false;
  std::string identifier;         // the text after AS
  std::string language = "JAVA";  // JAVA, SCALA, PYTHON
  std::vector<FunctionResource> using_resources;
  Options options;
};

struct CreateModel : StatementOf<StatementKind::kCreateModel> {
  ObjectName name;
  bool temporary = false;
  bool if_not_exists = false;
  std::vector<ColumnDefinition> input;
  std::vector<ColumnDefinition> output;
  std::optional<std::string> comment;
  Options options;
};

struct CreateMaterializedTable : StatementOf<StatementKind::kCreateMaterializedTable> {
  ObjectName name;
  bool if_not_exists = false;
  bool or_alter = false;
  std::vector<ColumnDefinition> columns;
  std::vector<Identifier> column_order;
  std::vector<TableConstraint> constraints;
  std::optional<WatermarkDefinition> watermark;
  std::optional<std::string> comment;
  std::optional<Distribution> distribution;
  std::vector<Identifier> partitioned_by;
  Options options;
  ExprPtr freshness;         // an interval literal
  std::string refresh_mode;  // CONTINUOUS, FULL or empty
  QueryPtr query;
  std::string query_text;
};

// ---------------------------------------------------------------------------------------------------------------
// DROP

enum class ObjectKind : uint8_t {
  kTable,
  kView,
  kDatabase,
  kCatalog,
  kFunction,
  kModel,
  kMaterializedTable,
};

struct Drop : StatementOf<StatementKind::kDrop> {
  ObjectKind object = ObjectKind::kTable;
  ObjectName name;
  bool temporary = false;
  bool system = false;  // DROP TEMPORARY SYSTEM FUNCTION
  bool if_exists = false;
  bool cascade = false;
};

// ---------------------------------------------------------------------------------------------------------------
// ALTER TABLE

/// Where ADD or MODIFY puts a column; neither: at the end, or where it was.
struct ColumnPlacement {
  bool first = false;
  std::optional<Identifier> after;
};

struct PlacedColumn {
  ColumnDefinition column;
  ColumnPlacement placement;
};

/// ADD (...) and MODIFY (...): columns, constraint, watermark, distribution.
struct AlterTableSchema {
  bool modify = false;  // otherwise ADD
  std::vector<PlacedColumn> columns;
  std::vector<TableConstraint> constraints;
  std::optional<WatermarkDefinition> watermark;
  std::optional<Distribution> distribution;
};

struct AlterTableDropColumns {
  std::vector<ObjectName> columns;
};

enum class DropPart : uint8_t { kPrimaryKey, kConstraint, kWatermark, kDistribution };

struct AlterTableDropPart {
  DropPart part = DropPart::kPrimaryKey;
  Identifier constraint;
};

struct AlterTableRename {
  ObjectName new_name;
};

struct AlterTableRenameColumn {
  ObjectName column;
  Identifier new_name;
};

struct AlterTableSet {
  PartitionSpec partition;
  Options options;
};

struct AlterTableReset {
  std::vector<std::string> keys;
};

struct AddedPartition {
  PartitionSpec spec;
  Options options;
};

struct AlterTableAddPartitions {
  bool if_not_exists = false;
  std::vector<AddedPartition> partitions;
};

struct AlterTableDropPartitions {
  bool if_exists = false;
  std::vector<PartitionSpec> partitions;
};

struct AlterTableCompact {
  PartitionSpec partition;
};

using AlterTableAction = std::variant<AlterTableSchema,
                                      AlterTableDropColumns,
                                      AlterTableDropPart,
                                      AlterTableRename,
                                      AlterTableRenameColumn,
                                      AlterTableSet,
                                      AlterTableReset,
                                      AlterTableAddPartitions,
                                      AlterTableDropPartitions,
                                      AlterTableCompact>;

struct AlterTable : StatementOf<StatementKind::kAlterTable> {
  ObjectName name;
  bool if_exists = false;
  AlterTableAction action;
};

// ---------------------------------------------------------------------------------------------------------------
// ALTER of other objects

/// RENAME TO (`new_name` set) or AS query.
struct AlterView : StatementOf<StatementKind::kAlterView> {
  ObjectName name;
  std::optional<ObjectName> new_name;
  QueryPtr query;
  std::string query_text;
};

struct AlterDatabase : StatementOf<StatementKind::kAlterDatabase> {
  ObjectName name;
  Options options;
};

/// SET (options), RESET (keys) or COMMENT 'text'.
struct AlterCatalog : StatementOf<StatementKind::kAlterCatalog> {
  Identifier name;
  Options options;
  std::vector<std::string> reset_keys;
  std::optional<std::string> comment;
};

struct AlterFunction : StatementOf<StatementKind::kAlterFunction> {
  ObjectName name;
  bool temporary = false;
  bool system = false;
  bool if_exists = false;
  std::string identifier;
  std::string language = "JAVA";
};

/// SET (options), RESET (keys) or RENAME TO.
struct AlterModel : StatementOf<StatementKind::kAlterModel> {
  ObjectName name;
  bool if_exists = false;
  Options options;
  std::vector<std::string> reset_keys;
  std::optional<ObjectName> new_name;
};

enum class MaterializedTableAction : uint8_t { kSuspend, kResume, kRefresh, kAs };

struct AlterMaterializedTable : StatementOf<StatementKind::kAlterMaterializedTable> {
  ObjectName name;
  MaterializedTableAction action = MaterializedTableAction::kSuspend;
  Options options;
  PartitionSpec partition;
  QueryPtr query;
  std::string query_text;
};

}  // namespace thalweg::sql
