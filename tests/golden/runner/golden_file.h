#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace thalweg::golden {

// `${FOLDER}` in SQL stands for a folder of the run's own.

/// `statement ok` or `statement error [text]`: SQL up to the next blank line. An INSERT is waited
/// for.
struct StatementCommand {
  std::string sql;
  bool expects_error = false;
  std::string error_text;
};

/// `job NAME`: starts a SELECT whose changes are looked at by `expect NAME`. Of an INSERT or a
/// statement set one sees the lines of its print tables.
struct JobCommand {
  std::string name;
  std::string sql;
};

/// `feed TABLE`: rows "+I a | b", one a line.
struct FeedCommand {
  std::string table;
  std::vector<std::string> rows;
};

/// `expect JOB [order=any|exact] [metrics=name:n,...]`: what came since the last expect; by default
/// in order for each key.
struct ExpectCommand {
  std::string job;
  std::vector<std::string> lines;
  std::string order = "key";
  std::map<std::string, int64_t> metrics;
};

/// `failure JOB [text]`: the job has failed, with this in its error. What it sent before is there
/// for `expect`.
struct FailureCommand {
  std::string job;
  std::string text;
};

/// `end TABLE`: no more rows will be fed.
struct EndCommand {
  std::string table;
};

/// `checkpoint N` of all jobs; `restart from=N [parallelism=P]`.
struct CheckpointCommand {
  int64_t number = 0;
};

struct RestartCommand {
  int64_t from = 0;
  int32_t parallelism = 0;
};

/// `clock 12:00:30`: moves the hand-driven clock.
struct ClockCommand {
  std::string time;
};

/// `set KEY = VALUE`.
struct SetCommand {
  std::string key;
  std::string value;
};

using CommandBody = std::variant<StatementCommand,
                                 JobCommand,
                                 FeedCommand,
                                 ExpectCommand,
                                 FailureCommand,
                                 EndCommand,
                                 CheckpointCommand,
                                 RestartCommand,
                                 ClockCommand,
                                 SetCommand>;

struct Command {
  int32_t line = 0;
  CommandBody body;
};

/// A golden file: the header comments and the commands in order.
struct GoldenFile {
  std::filesystem::path path;
  /// `# name:`, `# about:`; with `# restarts:` the file is not run with restarts of its own between
  /// feeds, because of what stands there.
  std::map<std::string, std::string> header;
  std::vector<Command> commands;
};

/// Throws std::runtime_error with file and line for what it can't read.
GoldenFile read_golden_file(const std::filesystem::path& path);

}  // namespace thalweg::golden
