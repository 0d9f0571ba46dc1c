#include "thalweg/connectors/kafka/partition_queue.h"

#include <chrono>

namespace thalweg::connectors::kafka {

void Arrivals::signal() {
  {
    const std::lock_guard lock(mutex_);
    signalled_ = true;
  }
  arrived_.notify_one();
}

bool Arrivals::wait(int64_t max_wait_ms) {
  std::unique_lock lock(mutex_);
  const bool arrived = arrived_.wait_for(
      lock, std::chrono::milliseconds(max_wait_ms), [this] { return signalled_; });
  signalled_ = false;
  return arrived;
}

void MessageBatch::clear() {
  for (rd_kafka_message_t* message : messages_) {
    rd_kafka_message_destroy(message);
  }
}

PartitionQueue::PartitionQueue(Client& client, KafkaSplit split, Arrivals& arrivals)
    : split_(std::move(split)),
      id_(std::make_shared<const std::string>(split_.to_split().id)),
      topic_(client.topic(split_.partition.topic)),
      queue_(rd_kafka_queue_new(client.get())) {
  rd_kafka_queue_cb_event_enable(
      queue_,
      [](rd_kafka_t*, void* opaque) { static_cast<Arrivals*>(opaque)->signal(); },
      &arrivals);
  const int64_t offset =
      split_.offset == kEarliestOffset ? RD_KAFKA_OFFSET_BEGINNING : split_.offset;
  if (rd_kafka_consume_start_queue(topic_.get(), split_.partition.partition, offset, queue_) != 0) {
    const auto code = rd_kafka_last_error();
    rd_kafka_queue_destroy(queue_);
    throw kafka_error(code, "Kafka partition '" + *id_ + "' can't be read");
  }
}

PartitionQueue::~PartitionQueue() {
  rd_kafka_queue_cb_event_enable(queue_, nullptr, nullptr);
  rd_kafka_consume_stop(topic_.get(), split_.partition.partition);
  rd_kafka_queue_destroy(queue_);
}

MessageBatch PartitionQueue::take(size_t limit, int64_t max_wait_ms) {
  std::vector<rd_kafka_message_t*> messages(limit);
  // librdkafka would wait the whole time for a full batch: wait for one message only, then take
  // what is there.
  ssize_t count = 0;
  if (max_wait_ms > 0) {
    count = rd_kafka_consume_batch_queue(queue_, static_cast<int>(max_wait_ms), messages.data(), 1);
    if (count < 1) {
      return {};
    }
  }
  const ssize_t more = rd_kafka_consume_batch_queue(
      queue_, 0, messages.data() + count, limit - static_cast<size_t>(count));
  messages.resize(static_cast<size_t>(count + (more < 0 ? 0 : more)));
  return MessageBatch(std::move(messages));
}

}  // namespace thalweg::connectors::kafka
