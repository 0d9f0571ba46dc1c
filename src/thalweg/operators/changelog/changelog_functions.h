#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/row_kind.h"

namespace thalweg::operators {

/// TO_CHANGELOG: every row becomes +I, with a code for what kind it was.
struct ToChangelogSpec {
  /// By kind; rows of a kind without a code are dropped.
  std::array<std::optional<std::string>, 4> codes;
  /// The input's columns in the order of the output.
  std::vector<ColumnIndex> columns;
  /// Where the code stands among them.
  size_t code_position = 0;
};

/// FROM_CHANGELOG: the kind of each row is told by a column, which goes.
struct FromChangelogSpec {
  std::map<std::string, RowKind> kinds;
  ColumnIndex code;
  /// The input's columns in the order of the output.
  std::vector<ColumnIndex> columns;
};

std::shared_ptr<const stream::OperatorFactory> make_to_changelog(ToChangelogSpec spec);
std::shared_ptr<const stream::OperatorFactory> make_from_changelog(FromChangelogSpec spec);

}  // namespace thalweg::operators
