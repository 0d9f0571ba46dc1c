#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/stream/connector.h"
#include "thalweg/types/batch.h"

namespace thalweg::connectors::kafka_test {

/// An embedded broker (build/broker/thalweg-broker) that lives as long as this object. Tests that
/// need one are passed over, with a notice, where it is not built.
class EmbeddedBroker {
 public:
  EmbeddedBroker();

  /// A broker that runs elsewhere.
  explicit EmbeddedBroker(std::string address) : address_(std::move(address)) {}

  ~EmbeddedBroker();
  EmbeddedBroker(const EmbeddedBroker&) = delete;
  EmbeddedBroker& operator=(const EmbeddedBroker&) = delete;

  /// The one of this test program, or null when it is not built.
  static EmbeddedBroker* shared();

  const std::string& address() const { return address_; }

  void stop();
  /// On the same port, with the same data.
  void start();

 private:
  std::string address_;
  int port_ = 0;
  std::string data_dir_;
  int pid_ = -1;
};

/// A name that no other test uses.
std::string fresh_topic();

/// Formats of the test: "line" has one STRING column, and fails on the record "bad"; "number" has
/// one INT column as text.
class TestFormats final : public stream::FormatLookup {
 public:
  TestFormats();
  const stream::FormatFactory& format(const std::string& name) const override;

 private:
  std::vector<std::unique_ptr<stream::FormatFactory>> formats_;
};

/// A table of a STRING column `line`, read and written through the connector as the engine would.
class TestTable {
 public:
  explicit TestTable(stream::OptionMap options, std::vector<std::string> metadata = {});

  stream::TableContext& context() { return context_; }

  const std::vector<std::string>& warnings() const { return *warnings_; }

  std::shared_ptr<stream::TableSource> source() const;
  std::shared_ptr<stream::TableSink> sink() const;

  /// Writes lines with a writer of its own, and flushes.
  void write(const std::vector<std::string>& lines) const;
  /// The lines of a bounded table, in order of arrival.
  std::vector<std::string> read() const;
  /// Polls until the end, or until there are `enough` rows.
  std::vector<Batch> read_batches(stream::TableSource& source, int enough = 1 << 30) const;

 private:
  TestFormats formats_;
  stream::TableContext context_;
  std::shared_ptr<std::vector<std::string>> warnings_ =
      std::make_shared<std::vector<std::string>>();
};

/// The options that every test table has.
stream::OptionMap table_options(const std::string& address,
                                const std::string& topic,
                                stream::OptionMap more = {});

Batch lines_batch(const std::vector<std::string>& lines);
std::vector<std::string> texts(const Batch& batch, size_t column = 0);

/// A task's side of readers and writers.
class TestReaderContext final : public stream::ReaderContext {
 public:
  int32_t subtask() const override { return 0; }

  int32_t parallelism() const override { return 1; }

  ProcessingTime now() const override { return {}; }

  stream::Counter& counter(const std::string&) override { return counter_; }

  void wake() override {}

 private:
  stream::Counter counter_;
};

class TestWriterContext final : public stream::WriterContext {
 public:
  explicit TestWriterContext(int32_t subtask = 0) : subtask_(subtask) {}

  const JobId& job() const override { return job_; }

  int32_t subtask() const override { return subtask_; }

  int32_t parallelism() const override { return 1; }

  ProcessingTime now() const override { return {}; }

  EventTime current_watermark() const override { return kMinEventTime; }

  stream::Counter& counter(const std::string&) override { return counter_; }

  bool is_checkpointed() const override { return true; }

  bool is_cancelled() const override { return cancelled; }

  std::atomic<bool> cancelled{false};

 private:
  int32_t subtask_;
  JobId job_{1, 2};
  stream::Counter counter_;
};

}  // namespace thalweg::connectors::kafka_test
