#include "thalweg/catalog/alter_table_schema.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "thalweg/catalog/column_use.h"
#include "thalweg/catalog/table_definition.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::catalog {

namespace {

using Columns = std::vector<sql::ColumnDefinition>;

Columns::iterator find_column(Columns& columns, const std::string& name) {
  return std::find_if(columns.begin(), columns.end(), [&name](const sql::ColumnDefinition& column) {
    return column.name.text == name;
  });
}

/// Where `placement` puts a column; `otherwise` when it says nothing.
Columns::iterator placed_at(Columns& columns,
                            const sql::ColumnPlacement& placement,
                            Columns::iterator otherwise) {
  if (placement.first) {
    return columns.begin();
  }
  if (!placement.after) {
    return otherwise;
  }
  const auto reference = find_column(columns, placement.after->text);
  if (reference == columns.end()) {
    refuse_alteration(fmt::format("Referenced column `{}` by 'AFTER' does not exist in the table.",
                                  placement.after->text),
                      placement.after->position);
  }
  return reference + 1;
}

PrimaryKey key_of(const sql::TableConstraint& constraint) {
  if (constraint.unique) {
    throw Error(ErrorCode::kSqlUnsupported, "UNIQUE constraint is not supported yet")
        .at(constraint.position);
  }
  if (constraint.enforced) {
    refuse_alteration(
        "Flink doesn't support ENFORCED mode for PRIMARY KEY constraint. ENFORCED/NOT ENFORCED "
        "controls "
        "if the constraint checks are performed on the incoming/outgoing data. Flink does not own "
        "the "
        "data therefore the only supported mode is the NOT ENFORCED mode",
        constraint.position);
  }
  PrimaryKey key;
  for (const sql::Identifier& column : constraint.columns) {
    key.columns.push_back(column.text);
  }
  key.name =
      constraint.name ? constraint.name->text : fmt::format("PK_{}", fmt::join(key.columns, "_"));
  return key;
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + quote_identifier(name);
  }
  return text;
}

/// The key of the first constraint, or of a column marked PRIMARY KEY.
std::optional<PrimaryKey> new_key(const sql::AlterTableSchema& action) {
  if (!action.constraints.empty()) {
    return key_of(action.constraints[0]);
  }
  for (const sql::PlacedColumn& placed : action.columns) {
    if (placed.column.primary_key) {
      const std::string& name = placed.column.name.text;
      return PrimaryKey{.name = "PK_" + name, .columns = {name}};
    }
  }
  return std::nullopt;
}

void add_columns(CatalogTable& table, const std::vector<sql::PlacedColumn>& added) {
  for (const sql::PlacedColumn& placed : added) {
    const std::string& name = placed.column.name.text;
    if (find_column(table.columns, name) != table.columns.end()) {
      refuse_alteration(fmt::format("Column `{}` already exists in the table.", name),
                        placed.column.name.position);
    }
    table.columns.insert(placed_at(table.columns, placed.placement, table.columns.end()),
                         placed.column);
  }
}

void modify_column(CatalogTable& table, const sql::PlacedColumn& placed) {
  const std::string& name = placed.column.name.text;
  const auto old = find_column(table.columns, name);
  if (old == table.columns.end()) {
    refuse_alteration(fmt::format("Column `{}` does not exist in the table.", name),
                      placed.column.name.position);
  }
  sql::ColumnDefinition column = placed.column;
  if (!column.comment) {
    column.comment = old->comment;
  }
  const bool moves = placed.placement.first || placed.placement.after.has_value();
  if (!moves) {
    *old = std::move(column);
    return;
  }
  table.columns.erase(old);
  table.columns.insert(placed_at(table.columns, placed.placement, table.columns.end()),
                       std::move(column));
}

}  // namespace

void add_to_schema(CatalogTable& table, const sql::AlterTableSchema& action) {
  if (action.distribution) {
    if (table.distribution) {
      refuse_alteration(
          "The current table has already defined a distribution. You can modify it or drop it "
          "before "
          "adding a new one.");
    }
    table.distribution = action.distribution;
  }
  add_columns(table, action.columns);
  if (std::optional<PrimaryKey> key = new_key(action)) {
    if (table.primary_key) {
      refuse_alteration(fmt::format(
          "The current table has already defined the primary key constraint [{}]. You might want "
          "to drop it before adding a new one.",
          quoted_list(table.primary_key->columns)));
    }
    table.primary_key = std::move(key);
  }
  if (action.watermark) {
    if (table.watermark) {
      refuse_alteration(fmt::format(
          "The current table has already defined the watermark strategy {} AS {}. You might want "
          "to drop it before adding a new one.",
          sql::unparse(table.watermark->column),
          sql::unparse(*table.watermark->expr)));
    }
    table.watermark = action.watermark;
  }
  check_keys(table);
}

void modify_schema(CatalogTable& table, const sql::AlterTableSchema& action) {
  if (action.distribution) {
    if (!table.distribution) {
      refuse_alteration(
          "The current table does not define any distribution. You might want to add a new one.");
    }
    table.distribution = action.distribution;
  }
  for (const sql::PlacedColumn& placed : action.columns) {
    modify_column(table, placed);
  }
  if (std::optional<PrimaryKey> key = new_key(action)) {
    if (!table.primary_key) {
      refuse_alteration(
          "The current table does not define any primary key constraint. You might want to add a "
          "new "
          "one.");
    }
    table.primary_key = std::move(key);
  }
  if (action.watermark) {
    if (!table.watermark) {
      refuse_alteration(
          "The current table does not define any watermark. You might want to add a new one.");
    }
    table.watermark = action.watermark;
  }
  check_keys(table);
}

namespace {

void refuse_if_key(const CatalogTable& table, const std::string& name) {
  const auto& partitions = table.partition_keys;
  if (std::find(partitions.begin(), partitions.end(), name) != partitions.end()) {
    refuse_alteration(fmt::format("The column `{}` is used as the partition keys.", name));
  }
  if (table.primary_key) {
    const auto& key = table.primary_key->columns;
    if (std::find(key.begin(), key.end(), name) != key.end()) {
      refuse_alteration(fmt::format("The column `{}` is used as the primary key.", name));
    }
  }
}

void refuse_missing_column(CatalogTable& table, const sql::ObjectName& name) {
  if (name.parts.size() > 1) {
    throw Error(ErrorCode::kNotSupported,
                "ALTER TABLE of a field inside a row is not supported yet.")
        .at(name.position());
  }
  if (find_column(table.columns, name.last()) == table.columns.end()) {
    refuse_alteration(fmt::format("The column `{}` does not exist in the base table.", name.last()),
                      name.position());
  }
}

}  // namespace

void drop_columns(CatalogTable& table, const sql::AlterTableDropColumns& action) {
  std::vector<std::string> leaving;
  for (const sql::ObjectName& name : action.columns) {
    refuse_missing_column(table, name);
    if (std::find(leaving.begin(), leaving.end(), name.last()) != leaving.end()) {
      refuse_alteration(fmt::format("Duplicate column `{}`.", name.last()), name.position());
    }
    leaving.push_back(name.last());
  }
  for (const std::string& name : leaving) {
    refuse_if_referenced(table, name, leaving);
    refuse_if_key(table, name);
  }
  for (const std::string& name : leaving) {
    table.columns.erase(find_column(table.columns, name));
  }
}

void drop_part(CatalogTable& table, const sql::AlterTableDropPart& action, const ObjectPath& path) {
  switch (action.part) {
    case sql::DropPart::kPrimaryKey:
    case sql::DropPart::kConstraint:
      if (!table.primary_key) {
        refuse_alteration("The current table does not define any primary key.");
      }
      if (action.part == sql::DropPart::kConstraint &&
          action.constraint.text != table.primary_key->name) {
        refuse_alteration(
            fmt::format(
                "The current table does not define a primary key constraint named '{}'. Available "
                "constraint name: ['{}'].",
                action.constraint.text,
                table.primary_key->name),
            action.constraint.position);
      }
      table.primary_key.reset();
      return;
    case sql::DropPart::kWatermark:
      if (!table.watermark) {
        refuse_alteration("The current table does not define any watermark strategy.");
      }
      table.watermark.reset();
      return;
    case sql::DropPart::kDistribution:
      if (!table.distribution) {
        refuse_alteration(
            fmt::format("Table {} does not have a distribution to drop.", path.quoted()));
      }
      table.distribution.reset();
      return;
  }
}

void rename_column(CatalogTable& table, const sql::AlterTableRenameColumn& action) {
  refuse_missing_column(table, action.column);
  const std::string& old_name = action.column.last();
  const std::string& new_name = action.new_name.text;
  if (find_column(table.columns, new_name) != table.columns.end()) {
    refuse_alteration(fmt::format("The column `{}` already existed in table schema.", new_name),
                      action.new_name.position);
  }
  const auto& partitions = table.partition_keys;
  if (std::find(partitions.begin(), partitions.end(), old_name) != partitions.end()) {
    refuse_if_referenced(table, old_name, {});
    refuse_alteration(fmt::format("The column `{}` is used as the partition keys.", old_name));
  }
  refuse_if_referenced(table, old_name, {});
  find_column(table.columns, old_name)->name = action.new_name;
  if (table.primary_key) {
    std::replace(
        table.primary_key->columns.begin(), table.primary_key->columns.end(), old_name, new_name);
  }
}

}  // namespace thalweg::catalog
