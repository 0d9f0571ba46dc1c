#include "thalweg/catalog/table_definition.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "thalweg/catalog/like_merge.h"

namespace thalweg::catalog {

namespace {

std::vector<std::string> texts(const std::vector<sql::Identifier>& names) {
  std::vector<std::string> result;
  for (const sql::Identifier& name : names) {
    result.push_back(name.text);
  }
  return result;
}

sql::ColumnDefinition* find_column(CatalogTable& table, const std::string& name) {
  const auto found = std::find_if(table.columns.begin(),
                                  table.columns.end(),
                                  [&name](const auto& column) { return column.name.text == name; });
  return found == table.columns.end() ? nullptr : &*found;
}

std::string_view kind_text(sql::ColumnKind kind) {
  switch (kind) {
    case sql::ColumnKind::kPhysical:
      return "regular Column";
    case sql::ColumnKind::kComputed:
      return "generated column";
    case sql::ColumnKind::kMetadata:
      return "metadata column";
  }
  return {};
}

void check_unique_columns(const std::vector<sql::ColumnDefinition>& columns) {
  std::set<std::string> seen;
  for (const sql::ColumnDefinition& column : columns) {
    if (!seen.insert(column.name.text).second) {
      throw Error(ErrorCode::kInvalidTable,
                  fmt::format("A {} named '{}' already exists in the table.",
                              kind_text(column.kind),
                              column.name.text))
          .at(column.name.position);
    }
  }
}

PrimaryKey primary_key_of(const sql::TableConstraint& constraint) {
  if (constraint.unique) {
    throw Error(ErrorCode::kSqlUnsupported, "UNIQUE constraint is not supported yet")
        .at(constraint.position);
  }
  if (constraint.enforced) {
    throw Error(ErrorCode::kInvalidTable,
                "Flink doesn't support ENFORCED mode for PRIMARY KEY constraint. ENFORCED/NOT "
                "ENFORCED controls if "
                "the constraint checks are performed on the incoming/outgoing data. Flink does not "
                "own the data "
                "therefore the only supported mode is the NOT ENFORCED mode")
        .at(constraint.position)
        .hint("write PRIMARY KEY (...) NOT ENFORCED");
  }
  PrimaryKey key;
  key.columns = texts(constraint.columns);
  key.name =
      constraint.name ? constraint.name->text : fmt::format("PK_{}", fmt::join(key.columns, "_"));
  return key;
}

void refuse_second_key(const std::optional<PrimaryKey>& key, SourcePosition position) {
  if (key) {
    throw Error(ErrorCode::kInvalidTable, "Duplicate primary key definition").at(position);
  }
}

std::optional<PrimaryKey> find_primary_key(const sql::CreateTable& statement) {
  std::optional<PrimaryKey> key;
  for (const sql::ColumnDefinition& column : statement.columns) {
    if (column.primary_key) {
      refuse_second_key(key, column.position);
      key = PrimaryKey{.name = "PK_" + column.name.text, .columns = {column.name.text}};
    }
  }
  for (const sql::TableConstraint& constraint : statement.constraints) {
    PrimaryKey found = primary_key_of(constraint);
    refuse_second_key(key, constraint.position);
    key = std::move(found);
  }
  return key;
}

CatalogTable define_alone(const sql::CreateTable& statement) {
  CatalogTable table;
  check_unique_columns(statement.columns);
  table.columns = statement.columns;
  table.watermark = statement.watermark;
  table.primary_key = find_primary_key(statement);
  table.distribution = statement.distribution;
  table.partition_keys = texts(statement.partitioned_by);
  table.options = option_map(statement.options);
  table.comment = statement.comment;
  return table;
}

CatalogTablePtr like_source(const sql::TableLike& like, const CatalogManager& catalogs) {
  const SourcePosition at = like.source.position();
  const std::optional<TableEntry> entry = catalogs.find(like.source);
  if (!entry) {
    throw Error(
        ErrorCode::kTableNotFound,
        fmt::format(
            "Source table '{}' of the LIKE clause not found in the catalog, at line {}, column {}",
            catalogs.qualify(like.source).quoted(),
            at.line,
            at.column))
        .at(at);
  }
  if (entry->is_view()) {
    throw Error(
        ErrorCode::kInvalidTable,
        fmt::format("Source table '{}' of the LIKE clause can not be a VIEW, at line {}, column {}",
                    entry->path.quoted(),
                    at.line,
                    at.column))
        .at(at);
  }
  return entry->table();
}

sql::ColumnDefinition physical_column(const Field& field) {
  sql::ColumnDefinition column;
  column.name = sql::Identifier(field.name);
  column.type = field.type;
  return column;
}

std::vector<sql::ColumnDefinition> ordered_columns(const sql::CreateTable& statement,
                                                   const Schema& schema) {
  std::vector<sql::ColumnDefinition> columns;
  if (statement.column_order.size() != schema.size()) {
    throw Error(ErrorCode::kInvalidTable,
                "The number of columns in the column list must match the number of columns in the "
                "source schema.")
        .at(statement.column_order[0].position);
  }
  for (const sql::Identifier& name : statement.column_order) {
    const auto field = std::find_if(
        schema.begin(), schema.end(), [&name](const Field& one) { return one.name == name.text; });
    if (field == schema.end()) {
      throw Error(ErrorCode::kColumnNotFound,
                  fmt::format("Column '{}' not found in the source schema.", name.text))
          .at(name.position);
    }
    columns.push_back(physical_column(*field));
  }
  return columns;
}

}  // namespace

static void check_bucket_keys(CatalogTable& table) {
  if (!table.distribution) {
    return;
  }
  for (const sql::Identifier& key : table.distribution->columns) {
    const sql::ColumnDefinition* column = find_column(table, key.text);
    if (column != nullptr && column->kind == sql::ColumnKind::kPhysical) {
      continue;
    }
    std::vector<std::string> known;
    for (const sql::ColumnDefinition& physical : table.columns) {
      if (physical.kind == sql::ColumnKind::kPhysical) {
        known.push_back(physical.name.text);
      }
    }
    throw Error(
        ErrorCode::kInvalidTable,
        fmt::format("Invalid bucket key '{}'. A bucket key for a distribution must "
                    "reference a physical column in the schema. Available columns are: [{}]",
                    key.text,
                    fmt::join(known, ", ")))
        .at(key.position);
  }
}

void check_keys(CatalogTable& table) {
  if (table.primary_key) {
    for (const std::string& name : table.primary_key->columns) {
      sql::ColumnDefinition* column = find_column(table, name);
      if (column == nullptr) {
        throw Error(ErrorCode::kInvalidTable,
                    fmt::format("Primary key column '{}' is not defined in the schema", name));
      }
      if (column->kind != sql::ColumnKind::kPhysical) {
        throw Error(ErrorCode::kInvalidTable,
                    fmt::format("Could not create a PRIMARY KEY with column '{}'.\nA PRIMARY KEY "
                                "constraint must be "
                                "declared on physical columns.",
                                name))
            .at(column->position);
      }
      column->type = column->type.not_null();
    }
  }
  check_bucket_keys(table);
  for (const std::string& name : table.partition_keys) {
    if (find_column(table, name) == nullptr) {
      std::vector<std::string> known;
      for (const sql::ColumnDefinition& column : table.columns) {
        known.push_back("'" + column.name.text + "'");
      }
      throw Error(
          ErrorCode::kInvalidTable,
          fmt::format(
              "Partition column '{}' not defined in the table schema. Available columns: [{}]",
              name,
              fmt::join(known, ", ")));
    }
  }
}

CatalogTable define_table(const sql::CreateTable& statement, const CatalogManager& catalogs) {
  CatalogTable table = define_alone(statement);
  if (statement.like) {
    table = merge_like(*like_source(*statement.like, catalogs), std::move(table), *statement.like);
  }
  if (!statement.as_query) {
    check_keys(table);
  }
  return table;
}

void add_query_columns(CatalogTable& table,
                       const sql::CreateTable& statement,
                       const Schema& query_schema) {
  std::vector<sql::ColumnDefinition> columns;
  if (!statement.column_order.empty()) {
    columns = ordered_columns(statement, query_schema);
  } else {
    // The statement's own columns come first; a physical one replaces the query's of the same name.
    columns = table.columns;
    for (const Field& field : query_schema) {
      const sql::ColumnDefinition* own = find_column(table, field.name);
      if (own == nullptr) {
        columns.push_back(physical_column(field));
      } else if (own->kind == sql::ColumnKind::kComputed) {
        throw Error(
            ErrorCode::kInvalidTable,
            fmt::format(
                "A column named '{}' already exists in the source schema. Computed columns cannot "
                "overwrite columns from source.",
                field.name))
            .at(own->position);
      }
    }
  }
  table.columns = std::move(columns);
  check_keys(table);
}

}  // namespace thalweg::catalog
