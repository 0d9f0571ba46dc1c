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
    : client_(client),
      split_(std::move(split)),
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
  // librdkafka would wait the whole time for a full batch: take what is there, or wait for one
  // message only.
  ssize_t count = rd_kafka_consume_batch_queue(queue_, 0, messages.data(), limit);
  if (count < 1 && max_wait_ms > 0) {
    count = rd_kafka_consume_batch_queue(queue_, static_cast<int>(max_wait_ms), messages.data(), 1);
    if (count == 1) {
      const ssize_t more = rd_kafka_consume_batch_queue(queue_, 0, messages.data() + 1, limit - 1);
      count += more < 0 ? 0 : more;
    }
  }
  messages.resize(static_cast<size_t>(count < 0 ? 0 : count));
  keep_fetching();
  return MessageBatch(std::move(messages));
}

// Once a queue is full, librdkafka before 2.2 looks again only after a second, or when its thread
// for the broker has something else to do. So it gets something: a question whose answer nobody
// waits for.
void PartitionQueue::keep_fetching() {
  const bool is_full = rd_kafka_queue_length(queue_) >= kQueuedMessages / 2;
  if (was_full_ && !is_full) {
    const PartitionList list = make_partition_list();
    rd_kafka_topic_partition_list_add(
        list.get(), split_.partition.topic.c_str(), split_.partition.partition)
        ->offset = RD_KAFKA_OFFSET_END;
    rd_kafka_offsets_for_times(client_.get(), list.get(), 0);
  }
  was_full_ = is_full;
}

}  // namespace thalweg::connectors::kafka
