#include "thalweg/catalog/column_use.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/sql/expression_children.h"

namespace thalweg::catalog {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void refuse_if_referenced(const CatalogTable& table,
                          const std::string& name,
                          const std::vector<std::string>& leaving) {
  for (const sql::ColumnDefinition& column : table.columns) {
    if (column.kind == sql::ColumnKind::kComputed && !contains(leaving, column.name.text) &&
        contains(sql::referenced_columns(*column.expr), name)) {
      refuse_alteration(fmt::format(
          "The column `{}` is referenced by computed column `{}`.", name, column.name.text));
    }
  }
  if (table.watermark && (table.watermark->column.parts.front().text == name ||
                          contains(sql::referenced_columns(*table.watermark->expr), name))) {
    refuse_alteration(fmt::format("The column `{}` is referenced by watermark expression.", name));
  }
}

void refuse_alteration(std::string_view detail, SourcePosition position) {
  Error error(ErrorCode::kValidation,
              fmt::format("Failed to execute ALTER TABLE statement.\n{}", detail));
  if (position.line > 0) {
    throw std::move(error).at(position);
  }
  throw error;
}

}  // namespace thalweg::catalog
