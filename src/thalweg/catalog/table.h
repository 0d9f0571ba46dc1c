#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "thalweg/catalog/object_path.h"
#include "thalweg/sql/ast_ddl.h"
#include "thalweg/types/data_type.h"

namespace thalweg::catalog {

/// WITH options; SHOW CREATE TABLE prints them in this order too.
using OptionMap = std::map<std::string, std::string>;

OptionMap option_map(const sql::Options& options);

struct PrimaryKey {
  /// As written after CONSTRAINT, or PK_a_b.
  std::string name;
  std::vector<std::string> columns;

  bool operator==(const PrimaryKey&) const = default;
};

/// The columns of a table with their types settled. The planner fills it in; the catalog only keeps
/// it.
struct ResolvedColumns {
  /// In declared order; computed columns have the types of their expressions, time attributes are
  /// marked.
  Schema columns;
  /// Flink's canonical text of each computed column's expression; empty for other columns.
  std::vector<std::string> expression_texts;
  std::optional<std::string> watermark_text;
  std::optional<DataType> watermark_type;
};

/// A table as it was defined. Immutable once it is in a catalog: ALTER TABLE puts a new one in its
/// place.
struct CatalogTable {
  /// In order; those merged from LIKE included. Columns of the primary key are NOT NULL.
  std::vector<sql::ColumnDefinition> columns;
  std::optional<sql::WatermarkDefinition> watermark;
  std::optional<PrimaryKey> primary_key;
  std::optional<sql::Distribution> distribution;
  std::vector<std::string> partition_keys;
  OptionMap options;
  std::optional<std::string> comment;
  ResolvedColumns resolved;
};

using CatalogTablePtr = std::shared_ptr<const CatalogTable>;

/// A logical plan that stands for a view without a text (the Table API's); the planner derives its
/// own.
struct InlineQuery {
  virtual ~InlineQuery() = default;
  InlineQuery() = default;
  InlineQuery(const InlineQuery&) = delete;
  InlineQuery& operator=(const InlineQuery&) = delete;
};

struct CatalogView {
  /// The query as typed, and with all names written out (SHOW CREATE VIEW shows it).
  std::string original_text;
  std::string expanded_text;
  /// The query as parsed; null for an inline view.
  sql::QueryPtr query;
  std::shared_ptr<const InlineQuery> inline_query;
  /// Where the names in `query` start: the current catalog and database when the view was made.
  std::string catalog;
  std::string database;
  Schema schema;
  std::optional<std::string> comment;
};

using CatalogViewPtr = std::shared_ptr<const CatalogView>;

/// What a name in FROM or INTO stands for.
struct TableEntry {
  ObjectPath path;
  bool temporary = false;
  std::variant<CatalogTablePtr, CatalogViewPtr> object;

  bool is_view() const { return std::holds_alternative<CatalogViewPtr>(object); }

  /// Null for a view.
  CatalogTablePtr table() const;
  /// Null for a table.
  CatalogViewPtr view() const;
  /// The resolved columns of either.
  const Schema& schema() const;
};

}  // namespace thalweg::catalog
