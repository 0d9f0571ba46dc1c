#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/connectors/kafka/partition_queue.h"
#include "thalweg/connectors/kafka/record_decoder.h"
#include "thalweg/stream/source.h"

namespace thalweg::connectors::kafka {

struct QueueDeleter {
  void operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
};

struct ReaderSettings {
  ClientProperties properties;
  /// Where to go on when a position is gone (retention): "earliest", "latest" or "none".
  std::string offset_reset;
  bool auto_commit = false;
  std::chrono::milliseconds auto_commit_interval{5000};
  bool bounded = false;
  Warn warn;
};

/// Reads the partitions of one source subtask, taking turns among them; every batch is of one
/// partition. It fails on bad records and refused access, and waits through lost brokers.
class KafkaReader final : public stream::SourceReader {
 public:
  KafkaReader(ReaderSettings settings, std::unique_ptr<RecordDecoder> decoder);
  ~KafkaReader() override;

  void open(stream::ReaderContext& context) override;
  void add_splits(std::vector<stream::Split> splits) override;

  void no_more_splits() override { more_splits_ = false; }

  stream::PollResult poll(int64_t max_wait_ms) override;
  std::vector<stream::Split> snapshot() const override;
  void on_checkpoint_complete(CheckpointId checkpoint) override;
  void close() override;

 private:
  using Queues = std::vector<std::unique_ptr<PartitionQueue>>;

  void learn_leaders(const std::vector<stream::Split>& splits);
  /// Takes from the next partition that has messages.
  stream::PollResult take_turns();
  stream::PollResult decode(PartitionQueue& queue, const MessageBatch& batch);

  /// The leading messages that are records to read, and why there are no more; moves the position.
  struct Readable {
    std::vector<const rd_kafka_message_t*> records;
    std::optional<Error> failure = std::nullopt;
  };

  Readable readable(PartitionQueue& queue, const MessageBatch& batch) const;
  void retire_finished();
  void finish(KafkaSplit split);
  /// Tells the group how far `splits` are; the answer comes to `commit_answer_`.
  void commit(const std::vector<KafkaSplit>& splits);
  void commit_by_time();
  std::vector<KafkaSplit> positions() const;

  ReaderSettings settings_;
  std::unique_ptr<RecordDecoder> decoder_;
  stream::ReaderContext* context_ = nullptr;
  stream::Counter* skipped_ = nullptr;
  std::unique_ptr<Client> client_;
  Arrivals arrivals_;
  /// Keep what the client knows of them.
  std::vector<TopicHandle> topics_;
  Queues queues_;
  size_t turn_ = 0;
  /// Read to their stops; kept because a restore must not read them again.
  std::vector<KafkaSplit> finished_;
  bool more_splits_ = true;
  /// What the latest snapshot held, committed to the group once its checkpoint is complete.
  mutable std::vector<KafkaSplit> snapshotted_;
  std::chrono::steady_clock::time_point next_commit_;
  std::unique_ptr<rd_kafka_queue_t, QueueDeleter> commit_answer_;
};

}  // namespace thalweg::connectors::kafka
