#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/connectors/kafka/partitioner.h"
#include "thalweg/connectors/kafka/producer.h"
#include "thalweg/connectors/kafka/record_encoder.h"
#include "thalweg/connectors/kafka/table_options.h"
#include "thalweg/connectors/kafka/topic_pattern.h"
#include "thalweg/connectors/kafka/transaction.h"
#include "thalweg/stream/sink.h"

namespace thalweg::connectors::kafka {

struct WriterSettings {
  ClientProperties properties;
  TableOptions options;
  Warn warn;
};

/// Writes the rows of one sink subtask. Records go out at once, or with `exactly-once` are staged
/// until their checkpoint is complete (see TransactionCommitter).
class KafkaWriter final : public stream::SinkWriter {
 public:
  KafkaWriter(WriterSettings settings, std::unique_ptr<RecordEncoder> encoder);

  void open(stream::WriterContext& context) override;
  void write(const Batch& batch) override;
  std::vector<std::string> prepare_commit(CheckpointId checkpoint) override;
  void commit(CheckpointId checkpoint, const std::vector<std::string>& committables) override;
  void flush() override;
  void close() override;

 private:
  /// The topic of a row: the table's only one, or what the row says, checked against the table's.
  size_t topic_of(int32_t row);
  void check_allowed(std::string_view topic) const;
  Partitioner& partitioner(size_t topic);
  Client& client();
  RecordTarget& target();

  WriterSettings settings_;
  std::unique_ptr<RecordEncoder> encoder_;
  std::optional<TopicPattern> pattern_;
  stream::WriterContext* context_ = nullptr;
  int32_t subtask_ = 0;
  std::string job_;
  TopicDirectory directory_;
  std::vector<Partitioner> partitioners_;
  OutgoingRecord record_;

  // One of these, by the delivery guarantee.
  std::unique_ptr<Producer> producer_;
  std::unique_ptr<TransactionCommitter> committer_;
  std::optional<EpochBuilder> epoch_;
  EpochIdentity identity_;
};

}  // namespace thalweg::connectors::kafka
