#include "thalweg/catalog/show_create.h"

#include <utility>

#include <fmt/format.h>

#include "thalweg/sql/unparser.h"

namespace thalweg::catalog {

namespace {

std::string comment_text(const std::optional<std::string>& comment) {
  return comment && !comment->empty() ? " COMMENT " + sql::quote_string(*comment) : std::string();
}

/// The canonical text that the planner gave, or else that of the tree.
std::string expression_text(const CatalogTable& table, size_t column) {
  const auto& texts = table.resolved.expression_texts;
  return column < texts.size() && !texts[column].empty()
             ? texts[column]
             : sql::unparse(*table.columns[column].expr);
}

std::string column_text(const CatalogTable& table, size_t index) {
  const sql::ColumnDefinition& column = table.columns[index];
  std::string text = "  " + quote_identifier(column.name.text);
  if (column.kind == sql::ColumnKind::kComputed) {
    text += " AS " + expression_text(table, index);
  } else {
    text += " " + column.type.to_serializable_string();
  }
  if (column.kind == sql::ColumnKind::kMetadata) {
    text += " METADATA";
    text += column.metadata_key ? " FROM " + sql::quote_string(*column.metadata_key) : "";
    text += column.is_virtual ? " VIRTUAL" : "";
  }
  return text + comment_text(column.comment);
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + quote_identifier(name);
  }
  return text;
}

std::string watermark_text(const CatalogTable& table) {
  return fmt::format("  WATERMARK FOR {} AS {}",
                     sql::unparse(table.watermark->column),
                     table.resolved.watermark_text ? *table.resolved.watermark_text
                                                   : sql::unparse(*table.watermark->expr));
}

std::string distribution_text(const sql::Distribution& distribution) {
  constexpr std::string_view kKinds[] = {"", "HASH", "RANGE"};
  std::string text = "DISTRIBUTED";
  if (!distribution.columns.empty()) {
    std::vector<std::string> names;
    for (const sql::Identifier& column : distribution.columns) {
      names.push_back(column.text);
    }
    text += fmt::format(
        " BY {}({})", kKinds[static_cast<size_t>(distribution.kind)], joined_names(names));
  }
  if (distribution.buckets) {
    text += fmt::format(" INTO {} BUCKETS", *distribution.buckets);
  }
  return text + "\n";
}

std::string options_text(const OptionMap& options) {
  std::string text;
  for (const auto& [key, value] : options) {
    text += fmt::format(
        "{}  {} = {}", text.empty() ? "" : ",\n", sql::quote_string(key), sql::quote_string(value));
  }
  return "WITH (\n" + text + "\n)\n";
}

}  // namespace

std::string show_create_table(const TableEntry& entry) {
  const CatalogTablePtr table = entry.table();
  if (table == nullptr) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("SHOW CREATE TABLE is only supported for tables, but {} is a view. "
                            "Please use SHOW CREATE "
                            "VIEW instead.",
                            entry.path.quoted()));
  }
  std::string text = fmt::format(
      "CREATE {}TABLE {} (\n", entry.temporary ? "TEMPORARY " : "", entry.path.quoted());
  for (size_t i = 0; i < table->columns.size(); ++i) {
    text += (i == 0 ? "" : ",\n") + column_text(*table, i);
  }
  if (table->watermark) {
    text += ",\n" + watermark_text(*table);
  }
  if (table->primary_key) {
    text += fmt::format(",\n  CONSTRAINT {} PRIMARY KEY ({}) NOT ENFORCED",
                        quote_identifier(table->primary_key->name),
                        joined_names(table->primary_key->columns));
  }
  text += "\n)\n";
  if (table->comment && !table->comment->empty()) {
    text += "COMMENT " + sql::quote_string(*table->comment) + "\n";
  }
  if (table->distribution) {
    text += distribution_text(*table->distribution);
  }
  if (!table->partition_keys.empty()) {
    text += fmt::format("PARTITIONED BY ({})\n", joined_names(table->partition_keys));
  }
  return table->options.empty() ? text : text + options_text(table->options);
}

std::string show_create_view(const TableEntry& entry) {
  const CatalogViewPtr view = entry.view();
  if (view == nullptr) {
    throw Error(ErrorCode::kNotSupported,
                fmt::format("SHOW CREATE VIEW is only supported for views, but {} is a table. "
                            "Please use SHOW CREATE "
                            "TABLE instead.",
                            entry.path.quoted()));
  }
  if (view->expanded_text.empty()) {
    throw Error(ErrorCode::kNotSupported,
                "SHOW CREATE VIEW is not supported for views registered by Table API.");
  }
  std::string text =
      fmt::format("CREATE {}VIEW {} (\n", entry.temporary ? "TEMPORARY " : "", entry.path.quoted());
  for (const Field& field : view->schema) {
    text += (&field == view->schema.data() ? "  " : ",\n  ") + quote_identifier(field.name);
  }
  text += "\n)\n";
  if (view->comment && !view->comment->empty()) {
    text += "COMMENT " + sql::quote_string(*view->comment) + "\n";
  }
  return text + "AS " + view->expanded_text + "\n";
}

std::string show_create_catalog(const std::string& name, const CatalogManager::CatalogInfo& info) {
  std::string text = fmt::format("CREATE CATALOG {}\n", quote_identifier(name));
  if (info.comment && !info.comment->empty()) {
    text += "COMMENT " + sql::quote_string(*info.comment) + "\n";
  }
  return info.options.empty() ? text : text + options_text(info.options);
}

}  // namespace thalweg::catalog
