#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <librdkafka/rdkafka.h>

#include "thalweg/connectors/kafka/client.h"
#include "thalweg/connectors/kafka/split.h"

namespace thalweg::connectors::kafka {

/// Lets one thread sleep until any of several partitions has messages. Signalled from librdkafka's
/// threads.
class Arrivals {
 public:
  void signal();
  /// False when nothing arrived in time. Clears the sign.
  bool wait(int64_t max_wait_ms);

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  bool signalled_ = false;
};

/// Messages on loan from librdkafka; their bytes live as long as this.
class MessageBatch {
 public:
  MessageBatch() = default;

  explicit MessageBatch(std::vector<rd_kafka_message_t*> messages)
      : messages_(std::move(messages)) {}

  ~MessageBatch() { clear(); }

  MessageBatch(MessageBatch&& other) noexcept : messages_(std::move(other.messages_)) {
    other.messages_.clear();
  }

  MessageBatch& operator=(MessageBatch&& other) noexcept {
    messages_.swap(other.messages_);
    return *this;
  }

  bool empty() const { return messages_.empty(); }

  std::span<rd_kafka_message_t* const> messages() const { return messages_; }

 private:
  void clear();

  std::vector<rd_kafka_message_t*> messages_;
};

/// librdkafka fetches more of a partition while fewer messages are queued.
inline constexpr size_t kQueuedMessages = 20'000;

/// One partition being fetched, with a queue of its own. Owned by a reader, used on its thread;
/// stops fetching when it goes. `arrivals` outlives it.
class PartitionQueue {
 public:
  PartitionQueue(Client& client, KafkaSplit split, Arrivals& arrivals);
  ~PartitionQueue();
  PartitionQueue(const PartitionQueue&) = delete;
  PartitionQueue& operator=(const PartitionQueue&) = delete;

  KafkaSplit& split() { return split_; }

  const KafkaSplit& split() const { return split_; }

  const std::shared_ptr<const std::string>& id() const { return id_; }

  /// What is there now, at most `limit`; waits up to `max_wait_ms` for the first.
  MessageBatch take(size_t limit, int64_t max_wait_ms);

 private:
  void keep_fetching();

  Client& client_;
  KafkaSplit split_;
  std::shared_ptr<const std::string> id_;
  TopicHandle topic_;
  rd_kafka_queue_t* queue_;
  /// The queue has been so full that fetching may have stopped.
  bool was_full_ = false;
};

}  // namespace thalweg::connectors::kafka
