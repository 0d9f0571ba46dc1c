#pragma once

#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/sql/ast_name.h"
#include "thalweg/types/data_type.h"

namespace thalweg::planner {

/// The tables that a FROM clause brings into view, by alias, and where their columns lie in its
/// row. A value; belongs to the binding of one SELECT.
class Scope {
 public:
  /// What a compound name means: a column, and how many of the name's parts it took; the rest are
  /// fields of nested rows.
  struct Match {
    ColumnIndex column;
    DataType type;
    size_t parts = 0;
  };

  struct Table {
    /// Empty when the table has no name to be called by.
    std::string alias;
    /// The full path of a catalog table used without an alias: `db`.`t`.column works then.
    std::vector<std::string> path;
    Schema schema;
    int32_t first_column = 0;
    /// Columns that `*` and unqualified names leave out: merged away by USING or NATURAL.
    std::vector<bool> hidden = {};
  };

  void add(std::string alias, std::vector<std::string> path, Schema schema);

  /// Throws kColumnNotFound with the nearest name, or Flink's words for an unknown table or an
  /// ambiguous column.
  Match resolve(const sql::ObjectName& name) const;
  /// The table that `qualifier`.* means.
  const Table& resolve_table(const sql::ObjectName& qualifier) const;
  const Table* find_table(const std::string& alias) const;
  /// Throws when two columns of the table share a name, so that `*` cannot stand for them.
  static void require_distinct_names(const Table& table, SourcePosition position);

  const std::vector<Table>& tables() const { return tables_; }

  std::vector<Table>& mutable_tables() { return tables_; }

  int32_t column_count() const { return column_count_; }

 private:
  std::optional<Match> resolve_unqualified(const sql::ObjectName& name) const;
  std::optional<Match> resolve_qualified(const sql::ObjectName& name) const;
  [[noreturn]] void column_not_found(const sql::Identifier& name, const Table* table) const;

  std::vector<Table> tables_;
  int32_t column_count_ = 0;
};

}  // namespace thalweg::planner
