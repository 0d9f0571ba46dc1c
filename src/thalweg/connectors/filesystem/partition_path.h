#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/types/data_type.h"
#include "thalweg/types/value.h"

/// Directories named after partition columns: "day=2024-01-02/hour=7".
namespace thalweg::connectors {

/// Partition columns of a directory, as text.
using PartitionTexts = std::map<std::string, std::string>;

/// Characters that a directory's name can't hold become %XX.
std::string escape_partition_text(std::string_view text);
std::string unescape_partition_text(std::string_view text);

/// The "key=value" parts of a path.
PartitionTexts parse_partition_path(std::string_view relative_path);

/// "key=value/key=value" for the row, or without names "value/value", whose values may be paths
/// themselves; NULL and empty texts get `default_name`.
std::string partition_path_of(const std::vector<std::string>& keys,
                              const std::vector<ColumnPtr>& columns,
                              int32_t row,
                              const std::string& default_name,
                              bool with_names);

/// A directory's text as a value of the column's type. Throws kBadRecord when it is none.
Value parse_partition_value(const std::string& key,
                            const std::string& text,
                            const DataType& type,
                            const std::string& default_name);

}  // namespace thalweg::connectors
