#include "thalweg/connectors/filesystem/filesystem_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::connectors {

namespace {

/// "file:///a", "file:/a", "/a" and "a".
std::filesystem::path to_local_path(const std::string& text) {
  std::string_view rest = text;
  const size_t colon = rest.find(':');
  if (colon != std::string_view::npos && rest.find('/') > colon) {
    if (rest.substr(0, colon) != "file") {
      throw Error(ErrorCode::kNotSupported,
                  fmt::format("Could not find a file system implementation for scheme '{}': {}",
                              rest.substr(0, colon),
                              text))
          .hint("Only local files are read and written: write a path or a file:// address.");
    }
    rest.remove_prefix(colon + 1);
    if (rest.starts_with("//")) {
      rest.remove_prefix(2);
      if (rest.starts_with("localhost/")) {
        rest.remove_prefix(std::string_view("localhost").size());
      }
    }
  }
  return std::filesystem::absolute(std::filesystem::path(rest)).lexically_normal();
}

void warn_of_unknown_format_options(const stream::TableContext& context,
                                    const std::string& format) {
  if (!context.warn || context.formats == nullptr) {
    return;
  }
  std::vector<std::string> known;
  for (const stream::OptionSpec& spec : context.formats->format(format).option_specs()) {
    known.push_back(spec.key);
  }
  for (const auto& [key, value] : stream::format_options(context.options, "", format)) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      const auto near = stream::did_you_mean(key, known);
      context.warn(fmt::format("Option '{}.{}' of table {} is not known and has no effect.{}",
                               format,
                               key,
                               context.table_name,
                               near ? fmt::format(" Did you mean '{}.{}'?", format, *near) : ""));
    }
  }
}

/// Which marker a finished partition gets.
std::optional<std::string> read_success_file(const stream::Options& options) {
  const std::optional<std::string> policies =
      options.find_string("sink.partition-commit.policy.kind");
  if (!policies) {
    return std::nullopt;
  }
  if (*policies != "success-file") {
    throw Error(
        ErrorCode::kNotSupported,
        fmt::format("Unsupported value '{}' for 'sink.partition-commit.policy.kind'.", *policies))
        .hint("Write 'success-file'.");
  }
  if (options.get_string("sink.partition-commit.trigger") != "process-time" ||
      options.get_duration_ms("sink.partition-commit.delay") != 0) {
    throw Error(ErrorCode::kNotSupported,
                "Partitions are committed with the files in them: 'sink.partition-commit.trigger' "
                "can only be 'process-time', without 'sink.partition-commit.delay'.");
  }
  return options.get_string("sink.partition-commit.success-file.name");
}

std::vector<stream::OptionSpec> source_option_specs() {
  using stream::OptionType;
  return {
      {.key = "path",
       .required = true,
       .description = "A file, or a directory that is read with all below it. Files and "
                      "directories whose names start with '.' or '_' are passed over."},
      {.key = "format", .required = true, .description = "The format of the files."},
      {.key = "partition.default-name",
       .default_value = "__DEFAULT_PARTITION__",
       .description = "The directory name that stands for NULL or empty in a partition column."},
      {.key = "source.monitor-interval",
       .type = OptionType::kDuration,
       .description = "How often to look for new files. Without it, the files there at the start "
                      "are read and the source ends."},
      {.key = "source.path.regex-pattern",
       .description = "Only files whose whole absolute path matches are read."},
      {.key = "source.report-statistics",
       .type = OptionType::kEnum,
       .default_value = "ALL",
       .description = "Accepted for Flink's sake; the planner here needs no statistics.",
       .values = {"ALL", "NONE"}},
  };
}

std::vector<stream::OptionSpec> sink_option_specs() {
  using stream::OptionType;
  return {
      {.key = "sink.rolling-policy.file-size",
       .type = OptionType::kMemory,
       .default_value = "128mb",
       .description = "A part file that has grown to this size is closed and the next one begun."},
      {.key = "sink.rolling-policy.rollover-interval",
       .type = OptionType::kDuration,
       .default_value = "30 min",
       .description = "The longest time that a part file stays open. Each checkpoint closes it "
                      "too."},
      {.key = "sink.rolling-policy.inactivity-interval",
       .type = OptionType::kDuration,
       .default_value = "30 min",
       .description = "Accepted for Flink's sake; open files are closed by the next checkpoint."},
      {.key = "sink.rolling-policy.check-interval",
       .type = OptionType::kDuration,
       .default_value = "1 min",
       .description = "Accepted for Flink's sake; intervals are checked with each batch."},
      {.key = "sink.part-file.prefix",
       .default_value = "part",
       .description = "How the names of part files begin."},
      {.key = "sink.part-file.suffix",
       .default_value = "",
       .description = "How the names of part files end: '.json', for example."},
      {.key = "sink.partition-names",
       .type = OptionType::kBoolean,
       .default_value = "true",
       .description = "Whether the directories of partitions are called key=value, or only value."},
      {.key = "sink.shuffle-by-partition.enable",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Accepted for Flink's sake; each writer keeps a file for each partition."},
      {.key = "sink.partition-commit.trigger",
       .type = OptionType::kEnum,
       .default_value = "process-time",
       .description = "When a partition is finished.",
       .values = {"process-time", "partition-time"}},
      {.key = "sink.partition-commit.delay",
       .type = OptionType::kDuration,
       .default_value = "0 s",
       .description = "How long after the trigger a partition is finished."},
      {.key = "sink.partition-commit.policy.kind",
       .description = "What marks a finished partition: 'success-file'."},
      {.key = "sink.partition-commit.success-file.name",
       .default_value = "_SUCCESS",
       .description = "The name of the file that marks a finished partition."},
      {.key = "sink.partition-commit.watermark-time-zone",
       .default_value = "UTC",
       .description = "Accepted for Flink's sake; watermarks finish no partitions."},
      {.key = "sink.parallelism",
       .type = OptionType::kInt,
       .description = "The number of parallel writers; by default that of the input."},
      {.key = "auto-compaction",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Not supported: small files are not merged."},
  };
}

}  // namespace

std::vector<stream::OptionSpec> filesystem_option_specs() {
  std::vector<stream::OptionSpec> specs = source_option_specs();
  for (stream::OptionSpec& spec : sink_option_specs()) {
    specs.push_back(std::move(spec));
  }
  return specs;
}

FilesystemOptions read_filesystem_options(const stream::TableContext& context) {
  const stream::Options options("filesystem", filesystem_option_specs(), context.options);
  const std::string format = options.find_string("format").value_or("");
  options.validate({format + ".", "partition.time-extractor."});
  if (options.get_bool("auto-compaction")) {
    throw Error(ErrorCode::kNotSupported, "'auto-compaction' is not supported.");
  }
  warn_of_unknown_format_options(context, format);
  FilesystemOptions result;
  result.path = to_local_path(options.get_string("path"));
  result.format = format;
  result.default_partition_name = options.get_string("partition.default-name");
  result.monitor_interval_ms = options.find_duration_ms("source.monitor-interval");
  result.path_pattern = options.find_string("source.path.regex-pattern");
  result.rolling_file_size = options.get_memory_bytes("sink.rolling-policy.file-size");
  result.rollover_interval_ms = options.get_duration_ms("sink.rolling-policy.rollover-interval");
  if (options.has("sink.parallelism")) {
    result.sink_parallelism = static_cast<int32_t>(options.get_int("sink.parallelism"));
  }
  result.success_file = read_success_file(options);
  result.part_prefix = options.get_string("sink.part-file.prefix");
  result.part_suffix = options.get_string("sink.part-file.suffix");
  result.partition_names = options.get_bool("sink.partition-names");
  return result;
}

}  // namespace thalweg::connectors
