#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <unistd.h>

#include "thalweg/connectors/connector_registry.h"
#include "thalweg/formats/format_registry.h"
#include "thalweg/types/column_builder.h"
#include "thalweg/types/text.h"

/// Stand-ins for what the runtime gives to readers and writers.
namespace thalweg::connectors::testing {

class FakeReaderContext final : public stream::ReaderContext {
 public:
  int32_t subtask() const override { return 0; }

  int32_t parallelism() const override { return 1; }

  ProcessingTime now() const override { return {now_ms}; }

  stream::Counter& counter(const std::string& name) override { return counters[name]; }

  void wake() override {}

  int64_t now_ms = 1'700'000'000'000;
  std::map<std::string, stream::Counter> counters;
};

class FakeWriterContext final : public stream::WriterContext {
 public:
  explicit FakeWriterContext(int32_t tasks = 1) : tasks_(tasks) {}

  const JobId& job() const override { return job_; }

  int32_t subtask() const override { return 0; }

  int32_t parallelism() const override { return tasks_; }

  ProcessingTime now() const override { return {now_ms}; }

  EventTime current_watermark() const override { return kMinEventTime; }

  stream::Counter& counter(const std::string& name) override { return counters[name]; }

  bool is_checkpointed() const override { return false; }

  int64_t now_ms = 1'700'000'000'000;
  std::map<std::string, stream::Counter> counters;

 private:
  int32_t tasks_;
  JobId job_ = JobId::random();
};

/// A folder that goes with its test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "thalweg-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }

  ~ScratchFolder() { std::filesystem::remove_all(path_); }

  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

/// What all splits of a source give to one reader.
struct ReadRows {
  std::vector<std::string> rows;
  std::string failure;
};

inline void show(const Batch& batch, std::vector<std::string>& rows) {
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    std::string text;
    for (size_t i = 0; i < batch.columns().size(); ++i) {
      text += i == 0 ? "" : ", ";
      text::append_value(text, batch.column(i), row, text::Style::kPrint, TimeZone::utc());
    }
    rows.push_back(text);
  }
}

inline ReadRows read_all(stream::TableSource& source) {
  FakeReaderContext context;
  const auto reader = source.create_reader();
  reader->open(context);
  reader->add_splits(source.discover_splits());
  reader->no_more_splits();
  ReadRows result;
  for (;;) {
    stream::PollResult polled = reader->poll(0);
    if (polled.kind == stream::PollResult::Kind::kEnd) {
      return result;
    }
    if (polled.kind == stream::PollResult::Kind::kBatch) {
      show(polled.batch, result.rows);
    }
    if (polled.failure) {
      result.failure = polled.failure->message();
      return result;
    }
    context.now_ms += 100;
  }
}

}  // namespace thalweg::connectors::testing
