#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>

#include "thalweg/connectors/kafka/epoch.h"
#include "thalweg/connectors/kafka/producer.h"

namespace thalweg::connectors::kafka {

/// Sends epochs, each in one transaction and with one effect, however often it is asked to.
///
/// The transaction also commits a marker: an offset, the epoch's sequence, for a consumer group of
/// the epoch's writer. When it is not sure whether an epoch was sent (after a restore, or when a
/// commit got no answer), it first takes over the transactional id, which ends any transaction that
/// is open under it, then looks at the marker. Owned by a writer, used on its thread.
class TransactionCommitter {
 public:
  TransactionCommitter(ClientProperties properties, std::string transactional_id, Warn warn);

  /// Takes over the writer's transactional id: fails fast on unreachable brokers and refused
  /// time-outs.
  void open();

  /// The producer of the writer's own id, for questions about topics.
  Client& client() { return own_->client(); }

  /// `own`: staged by this run of this writer, and so not sent yet.
  void commit(EpochReader& epoch, bool own);

 private:
  /// What came of a step of a transaction.
  enum class Outcome : uint8_t { kDone, kRetry, kAbort, kStartOver };

  std::unique_ptr<Producer> make_producer(const std::string& transactional_id) const;
  bool is_sent(const EpochReader& epoch);
  Outcome attempt(Producer& producer, EpochReader& epoch);
  /// Sorts an error of librdkafka into what to do; takes it over. Null is kDone.
  Outcome judge(rd_kafka_error_t* error);
  template <typename Step>
  Outcome until_decided(Step&& step);

  ClientProperties properties_;
  std::string transactional_id_;
  Warn warn_;
  std::unique_ptr<Producer> own_;
  std::string last_failure_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace thalweg::connectors::kafka
