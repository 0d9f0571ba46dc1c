#pragma once

#include <string>
#include <vector>

#include "thalweg/connectors/filesystem/filesystem_options.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/value.h"

namespace thalweg::connectors {

/// What the connector can tell of a file besides its rows.
std::vector<stream::MetadataKey> file_metadata_keys();

/// Where the columns of a table come from: the files' records, their directories' names, or what
/// the system says of them. Immutable, shared by the readers of a source.
class FileColumns {
 public:
  FileColumns(const stream::TableContext& context, const FilesystemOptions& options);

  /// The columns that the files hold.
  const Schema& physical() const { return physical_; }

  /// Those of them that are wanted.
  const std::vector<int32_t>& physical_projection() const { return physical_projection_; }

  Schema decoded_schema() const;

  /// The values of the columns that are the same for a whole file.
  std::vector<Value> constants_of(const std::string& file) const;

  /// All columns that the source gives, in their order.
  std::vector<ColumnPtr> assemble(const std::vector<ColumnPtr>& decoded,
                                  const std::vector<Value>& constants,
                                  int32_t rows) const;

 private:
  struct Output {
    DataType type;
    /// Of the decoded columns; -1: a constant.
    int32_t decoded = -1;
    /// The partition column or metadata key that a constant stands for.
    std::string name;
    bool metadata = false;
  };

  std::string base_;
  std::string default_partition_name_;
  Schema physical_;
  std::vector<int32_t> physical_projection_;
  std::vector<Output> outputs_;
};

}  // namespace thalweg::connectors
