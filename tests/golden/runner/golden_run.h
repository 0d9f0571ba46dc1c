#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "golden_file.h"
#include "thalweg/connectors/test_stream/test_stream.h"
#include "thalweg/engine/session.h"

namespace thalweg::golden {

/// One way of running a golden file; all ways must agree.
struct Settings {
  int32_t parallelism = 1;
  /// Rows in a fed batch, and in the batches between tasks.
  size_t batch_rows = 1024;
  /// Take a checkpoint and start every job anew from it before each feed.
  bool restarts_between_feeds = false;

  std::string to_string() const;
};

/// Runs the commands of one file under one setting.
class GoldenRun {
 public:
  GoldenRun(const GoldenFile& file, Settings settings);
  ~GoldenRun();

  /// What did not come out as the file says, "path:line: ..." each; empty when all agreed.
  std::vector<std::string> run();

 private:
  struct RunningJob;

  void execute(const StatementCommand& command);
  void execute(const JobCommand& command);
  void execute(const FeedCommand& command);
  void execute(const ExpectCommand& command);
  void execute(const FailureCommand& command);
  void execute(const EndCommand& command);
  void execute(const CheckpointCommand& command);
  void execute(const RestartCommand& command);
  void execute(const ClockCommand& command);
  void execute(const SetCommand& command);

  void start(RunningJob& job, const std::string& restore_path);
  void settle(RunningJob& job);
  void read_rows(RunningJob& job);
  std::vector<std::string> take_printed();
  std::string with_folder(std::string sql) const;
  void restart_all(const std::string& checkpoint);
  std::string take_checkpoint(const std::string& name);
  std::string watermark_line(RunningJob& job) const;
  std::vector<std::string> compare(const ExpectCommand& command,
                                   std::vector<std::string> came) const;
  void fail(const std::string& what);

  const GoldenFile& file_;
  Settings settings_;
  std::filesystem::path folder_;
  std::shared_ptr<ManualClock> clock_;
  std::shared_ptr<connectors::TestFeeds> feeds_;
  std::shared_ptr<engine::Process> process_;
  std::unique_ptr<engine::Session> session_;
  std::map<std::string, std::unique_ptr<RunningJob>> jobs_;
  std::mutex printed_mutex_;
  std::vector<std::string> printed_;
  int32_t line_ = 0;
  int32_t automatic_checkpoints_ = 0;
  std::vector<std::string> failures_;
};

}  // namespace thalweg::golden
