#include "thalweg/connectors/filesystem/file_columns.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <sys/stat.h>

#include "thalweg/common/error.h"
#include "thalweg/connectors/filesystem/partition_path.h"

namespace thalweg::connectors {

namespace {

constexpr const char* kPath = "file.path";
constexpr const char* kName = "file.name";
constexpr const char* kSize = "file.size";
constexpr const char* kModified = "file.modification-time";

Value metadata_of(const std::string& file, const std::string& key) {
  if (key == kPath) {
    return Value(file);
  }
  if (key == kName) {
    return Value(file.substr(file.rfind('/') + 1));
  }
  struct stat status{};
  if (::stat(file.c_str(), &status) != 0) {
    throw Error(ErrorCode::kFileNotFound, fmt::format("File does not exist: {}", file));
  }
  if (key == kSize) {
    return Value(int64_t{status.st_size});
  }
  return Value(int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000);
}

}  // namespace

std::vector<stream::MetadataKey> file_metadata_keys() {
  return {{kPath, DataType::string().not_null()},
          {kName, DataType::string().not_null()},
          {kSize, DataType::big_int().not_null()},
          {kModified, DataType::timestamp_ltz(3).not_null()}};
}

FileColumns::FileColumns(const stream::TableContext& context, const FilesystemOptions& options)
    : base_(options.path.string()), default_partition_name_(options.default_partition_name) {
  std::vector<int32_t> position(context.columns.size(), -1);
  for (size_t i = 0; i < context.columns.size(); ++i) {
    const Field& column = context.columns[i];
    const auto& keys = context.partition_keys;
    if (std::find(keys.begin(), keys.end(), column.name) == keys.end()) {
      position[i] = static_cast<int32_t>(physical_.size());
      physical_.push_back(column);
    }
  }
  std::vector<int32_t> given(context.columns.size());
  std::iota(given.begin(), given.end(), 0);
  for (const int32_t i : context.projection.value_or(given)) {
    const Field& column = context.columns[static_cast<size_t>(i)];
    Output output{column.type, -1, column.name, false};
    if (const int32_t place = position[static_cast<size_t>(i)]; place >= 0) {
      output.decoded = static_cast<int32_t>(physical_projection_.size());
      physical_projection_.push_back(place);
    }
    outputs_.push_back(std::move(output));
  }
  const Schema produced = stream::produced_schema(context, file_metadata_keys());
  for (size_t i = produced.size() - context.metadata_keys.size(); i < produced.size(); ++i) {
    outputs_.push_back({produced[i].type, -1, produced[i].name, true});
  }
}

Schema FileColumns::decoded_schema() const {
  Schema schema;
  for (const int32_t index : physical_projection_) {
    schema.push_back(physical_[static_cast<size_t>(index)]);
  }
  return schema;
}

std::vector<Value> FileColumns::constants_of(const std::string& file) const {
  std::vector<Value> values;
  const PartitionTexts texts =
      parse_partition_path(std::string_view(file).substr(std::min(base_.size(), file.size())));
  for (const Output& output : outputs_) {
    if (output.decoded >= 0) {
      values.emplace_back();
    } else if (output.metadata) {
      values.push_back(metadata_of(file, output.name));
    } else {
      const auto found = texts.find(output.name);
      values.push_back(found == texts.end()
                           ? Value()
                           : parse_partition_value(
                                 output.name, found->second, output.type, default_partition_name_));
    }
  }
  return values;
}

std::vector<ColumnPtr> FileColumns::assemble(const std::vector<ColumnPtr>& decoded,
                                             const std::vector<Value>& constants,
                                             int32_t rows) const {
  std::vector<ColumnPtr> columns;
  columns.reserve(outputs_.size());
  for (size_t i = 0; i < outputs_.size(); ++i) {
    columns.push_back(outputs_[i].decoded >= 0
                          ? decoded[static_cast<size_t>(outputs_[i].decoded)]
                          : constant_column(outputs_[i].type, constants[i], rows));
  }
  return columns;
}

}  // namespace thalweg::connectors
