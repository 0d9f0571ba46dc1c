#pragma once

#include <string>
#include <vector>

#include "thalweg/catalog/table.h"

namespace thalweg::catalog {

/// A row of DESCRIBE and SHOW COLUMNS.
struct DescribeRow {
  std::string name;
  std::string type;  // without NOT NULL
  bool nullable = true;
  std::string key;        // PRI(a, b)
  std::string extras;     // AS expr, METADATA FROM 'key' VIRTUAL
  std::string watermark;  // of the row-time column
  std::string comment;
};

struct Description {
  std::vector<DescribeRow> rows;
  /// The comment column is shown only when one column has a comment.
  bool has_comments = false;
};

Description describe(const TableEntry& entry);

/// SQL's LIKE (% and _, escape \) for the lists of SHOW.
bool matches_pattern(std::string_view text, std::string_view pattern, bool ignore_case);

}  // namespace thalweg::catalog
