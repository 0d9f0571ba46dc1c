#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/stream/connector.h"

namespace thalweg::connectors {

/// The checked options of one use of the connector.
struct FilesystemOptions {
  /// Absolute.
  std::filesystem::path path;
  std::string format;
  std::string default_partition_name;
  std::optional<int64_t> monitor_interval_ms;
  std::optional<std::string> path_pattern;
  int64_t rolling_file_size = 0;
  int64_t rollover_interval_ms = 0;
  std::optional<int32_t> sink_parallelism;
  /// How the names of part files begin and end.
  std::string part_prefix;
  std::string part_suffix;
  /// Directories of partitions are called "key=value", otherwise "value".
  bool partition_names = true;
  /// The name of the marker that a finished partition gets, when it gets one.
  std::optional<std::string> success_file;
};

std::vector<stream::OptionSpec> filesystem_option_specs();

/// Throws option errors. Options of the format that it does not have are only warned of, as Flink
/// lets them pass.
FilesystemOptions read_filesystem_options(const stream::TableContext& context);

}  // namespace thalweg::connectors
