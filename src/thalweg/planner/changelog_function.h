#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/types/row_kind.h"

namespace thalweg::planner {

/// TO_CHANGELOG gives each change of a table as a row with a code; FROM_CHANGELOG makes a table of
/// such rows. A value.
struct ChangelogFunctionSpec {
  /// FROM_CHANGELOG.
  bool makes_table = false;
  /// TO_CHANGELOG: by kind; changes of a kind without a code are left out.
  std::array<std::optional<std::string>, 4> codes;
  /// FROM_CHANGELOG: by code.
  std::map<std::string, RowKind> kinds;
  /// FROM_CHANGELOG: the input's column with the code.
  ColumnIndex code{-1};
  /// The input's columns in the order of the output, the code left out.
  std::vector<ColumnIndex> columns;
  /// TO_CHANGELOG: where the code stands in the output.
  size_t code_position = 0;
  std::vector<ColumnIndex> partition_keys;

  std::string_view name() const { return makes_table ? "FROM_CHANGELOG" : "TO_CHANGELOG"; }
};

}  // namespace thalweg::planner
