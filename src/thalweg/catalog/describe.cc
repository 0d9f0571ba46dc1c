#include "thalweg/catalog/describe.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "thalweg/sql/unparser.h"

namespace thalweg::catalog {

namespace {

char folded(char c, bool ignore_case) {
  return ignore_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string extras_of(const CatalogTable& table, size_t index) {
  const sql::ColumnDefinition& column = table.columns[index];
  switch (column.kind) {
    case sql::ColumnKind::kPhysical:
      return {};
    case sql::ColumnKind::kComputed: {
      const auto& texts = table.resolved.expression_texts;
      return "AS " + (index < texts.size() && !texts[index].empty() ? texts[index]
                                                                    : sql::unparse(*column.expr));
    }
    case sql::ColumnKind::kMetadata:
      return fmt::format(
          "METADATA{}{}",
          column.metadata_key ? " FROM " + sql::quote_string(*column.metadata_key) : "",
          column.is_virtual ? " VIRTUAL" : "");
  }
  return {};
}

void add_table_details(const CatalogTable& table, std::vector<DescribeRow>& rows) {
  for (size_t i = 0; i < table.columns.size() && i < rows.size(); ++i) {
    DescribeRow& row = rows[i];
    row.extras = extras_of(table, i);
    row.comment = table.columns[i].comment.value_or("");
    if (table.primary_key) {
      const auto& key = table.primary_key->columns;
      row.key = std::find(key.begin(), key.end(), row.name) == key.end()
                    ? ""
                    : fmt::format("PRI({})", fmt::join(key, ", "));
    }
    if (table.watermark && table.watermark->column.dotted() == row.name) {
      row.watermark = table.resolved.watermark_text ? *table.resolved.watermark_text
                                                    : sql::unparse(*table.watermark->expr);
    }
  }
}

/// How many characters of the pattern the first character of the text uses up; 0 when they differ.
size_t matched_length(std::string_view text, std::string_view pattern, bool ignore_case) {
  if (text.empty() || pattern.empty()) {
    return 0;
  }
  if (pattern[0] == '_') {
    return 1;
  }
  const size_t length = pattern[0] == '\\' && pattern.size() > 1 ? 2 : 1;
  const bool equal = folded(text[0], ignore_case) == folded(pattern[length - 1], ignore_case);
  return equal ? length : 0;
}

}  // namespace

Description describe(const TableEntry& entry) {
  Description description;
  for (const Field& field : entry.schema()) {
    description.rows.push_back({.name = field.name,
                                .type = field.type.as_nullable().to_string(),
                                .nullable = field.type.is_nullable(),
                                .key = {},
                                .extras = {},
                                .watermark = {},
                                .comment = field.description});
  }
  if (const CatalogTablePtr table = entry.table()) {
    add_table_details(*table, description.rows);
  }
  description.has_comments =
      std::any_of(description.rows.begin(), description.rows.end(), [](const DescribeRow& row) {
        return !row.comment.empty();
      });
  return description;
}

bool matches_pattern(std::string_view text, std::string_view pattern, bool ignore_case) {
  size_t at = 0;
  size_t next = 0;
  size_t retry_at = 0;
  size_t retry_next = std::string_view::npos;  // behind the last %, where matching may start again
  while (at < text.size() || next < pattern.size()) {
    if (next < pattern.size() && pattern[next] == '%') {
      retry_next = ++next;
      retry_at = at;
      continue;
    }
    const size_t length = matched_length(text.substr(at), pattern.substr(next), ignore_case);
    if (length > 0) {
      ++at;
      next += length;
      continue;
    }
    if (retry_next == std::string_view::npos || retry_at >= text.size()) {
      return false;
    }
    at = ++retry_at;
    next = retry_next;
  }
  return true;
}

}  // namespace thalweg::catalog
