#include "thalweg/connectors/kafka/reader.h"

#include <algorithm>
#include <set>

#include "thalweg/stream/metrics.h"

namespace thalweg::connectors::kafka {
namespace {

/// Whether waiting can mend what a partition's queue reported.
bool is_final(rd_kafka_resp_err_t code) {
  switch (code) {
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
    case RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET:
    case RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE:
    case RD_KAFKA_RESP_ERR__BAD_MSG:
    case RD_KAFKA_RESP_ERR__BAD_COMPRESSION:
      return true;
    default:
      return false;
  }
}

std::string librdkafka_reset(const std::string& reset) {
  return reset == "latest" ? "latest" : reset == "earliest" ? "earliest" : "error";
}

/// The record's place, and its text where the format's message lacks it.
Error with_record(Error&& error,
                  const rd_kafka_message_t& message,
                  const TopicPartition& partition) {
  constexpr size_t kShownBytes = 200;
  std::string text = fmt::format("{} (topic '{}', partition {}, offset {})",
                                 error.message(),
                                 partition.topic,
                                 partition.partition,
                                 message.offset);
  const std::string_view record(static_cast<const char*>(message.payload), message.len);
  const bool printable = std::none_of(record.begin(), record.end(), [](unsigned char c) {
    return c < 0x20 && c != '\t' && c != '\n';
  });
  const std::string_view shown = record.substr(0, kShownBytes);
  if (printable && !shown.empty() && error.message().find(shown) == std::string::npos) {
    text += fmt::format(": '{}'{}", shown, record.size() > kShownBytes ? "..." : "");
  }
  Error result(error.code(), std::move(text));
  if (!error.hint_text().empty()) {
    static_cast<void>(std::move(result).hint(error.hint_text()));
  }
  return error.is_retryable() ? std::move(result).retryable() : std::move(result);
}

}  // namespace

KafkaReader::KafkaReader(ReaderSettings settings, std::unique_ptr<RecordDecoder> decoder)
    : settings_(std::move(settings)), decoder_(std::move(decoder)) {}

KafkaReader::~KafkaReader() {
  close();
}

void KafkaReader::open(stream::ReaderContext& context) {
  context_ = &context;
  skipped_ = &context.counter(stream::metric::kBadRecords);
  std::map<std::string, std::string> extra = {
      {"enable.auto.commit", "false"},
      {"queued.min.messages", std::to_string(kQueuedMessages)},
      {"auto.offset.reset", librdkafka_reset(settings_.offset_reset)},
      {"enable.partition.eof", settings_.bounded ? "true" : "false"},
  };
  if (settings_.bounded && !settings_.properties.settings.contains("fetch.wait.max.ms")) {
    extra["fetch.wait.max.ms"] = "50";  // the end of a partition is told by an empty fetch
  }
  if (!settings_.properties.client_id_prefix.empty()) {
    extra["client.id"] =
        settings_.properties.client_id_prefix + "-" + std::to_string(context.subtask());
  }
  client_ = std::make_unique<Client>(
      PropertyScope::kConsumer, settings_.properties, extra, settings_.warn);
  next_commit_ = std::chrono::steady_clock::now() + settings_.auto_commit_interval;
}

void KafkaReader::add_splits(std::vector<stream::Split> splits) {
  learn_leaders(splits);
  for (const stream::Split& split : splits) {
    KafkaSplit added = KafkaSplit::from_split(split);
    if (added.is_finished()) {
      finish(std::move(added));
    } else {
      queues_.push_back(std::make_unique<PartitionQueue>(*client_, std::move(added), arrivals_));
    }
  }
}

// librdkafka waits half a second for a leader that it does not know yet.
void KafkaReader::learn_leaders(const std::vector<stream::Split>& splits) {
  std::set<std::string> topics;
  for (const stream::Split& split : splits) {
    topics.insert(KafkaSplit::from_split(split).partition.topic);
  }
  for (const std::string& topic : topics) {
    TopicHandle handle = client_->topic(topic);
    const rd_kafka_metadata_t* answer = nullptr;
    constexpr int kWaitMs = 1000;
    if (rd_kafka_metadata(client_->get(), 0, handle.get(), &answer, kWaitMs) ==
        RD_KAFKA_RESP_ERR_NO_ERROR) {
      rd_kafka_metadata_destroy(answer);
    }
    topics_.push_back(std::move(handle));
  }
}

stream::PollResult KafkaReader::poll(int64_t max_wait_ms) {
  client_->serve();
  if (settings_.auto_commit) {
    commit_by_time();
  }
  if (queues_.empty() && !more_splits_) {
    return {.kind = stream::PollResult::Kind::kEnd};
  }
  stream::PollResult result;
  if (queues_.size() == 1) {
    result = decode(*queues_[0], queues_[0]->take(kTargetBatchRows, max_wait_ms));
  } else {
    result = take_turns();
    if (result.kind == stream::PollResult::Kind::kNothing && arrivals_.wait(max_wait_ms)) {
      result = take_turns();
    }
  }
  retire_finished();
  if (result.kind == stream::PollResult::Kind::kNothing && queues_.empty() && !more_splits_) {
    result.kind = stream::PollResult::Kind::kEnd;
  }
  return result;
}

stream::PollResult KafkaReader::take_turns() {
  for (size_t i = 0; i < queues_.size(); ++i) {
    turn_ = (turn_ + 1) % queues_.size();
    PartitionQueue& queue = *queues_[turn_];
    const MessageBatch batch = queue.take(kTargetBatchRows, 0);
    if (!batch.empty()) {
      stream::PollResult result = decode(queue, batch);
      if (result.kind != stream::PollResult::Kind::kNothing) {
        return result;
      }
    }
  }
  return {};
}

KafkaReader::Readable KafkaReader::readable(PartitionQueue& queue,
                                            const MessageBatch& batch) const {
  KafkaSplit& split = queue.split();
  Readable result;
  result.records.reserve(batch.messages().size());
  for (const rd_kafka_message_t* message : batch.messages()) {
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF ||
        message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      if (split.stop && message->offset >= *split.stop) {
        split.offset = *split.stop;
        break;
      }
      if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        result.records.push_back(message);
        split.offset = message->offset + 1;
      }
    } else if (is_final(message->err)) {
      const std::string reason(static_cast<const char*>(message->payload), message->len);
      result.failure =
          kafka_error(message->err,
                      fmt::format("Kafka partition '{}' can't be read at offset {}{}{}",
                                  *queue.id(),
                                  split.offset,
                                  reason.empty() ? "" : ": ",
                                  reason));
      break;
    }
  }
  return result;
}

stream::PollResult KafkaReader::decode(PartitionQueue& queue, const MessageBatch& batch) {
  auto [records, failure] = readable(queue, batch);
  if (records.empty()) {
    if (failure) {
      throw std::move(*failure);
    }
    return {};
  }
  DecodedRecords decoded = decoder_->decode(queue.split().partition, records);
  skipped_->add(decoded.skipped);
  stream::PollResult result;
  if (decoded.failure) {
    const rd_kafka_message_t& failed = *records[decoded.taken];
    queue.split().offset = failed.offset;
    failure = with_record(std::move(*decoded.failure), failed, queue.split().partition);
  }
  if (decoded.batch.row_count() > 0 || failure) {
    result.kind = stream::PollResult::Kind::kBatch;
    // Skipped records and those of aborted transactions leave gaps, behind which offsets can't be
    // told from the first.
    const int64_t last = records.front()->offset + decoded.batch.row_count() - 1;
    const bool has_gaps =
        decoded.skipped > 0 || decoded.taken == 0 || records[decoded.taken - 1]->offset != last;
    decoded.batch.set_origin({queue.id(), has_gaps ? -1 : records.front()->offset});
    result.batch = std::move(decoded.batch);
    result.split = queue.id();
    result.failure = std::move(failure);
  }
  return result;
}

void KafkaReader::finish(KafkaSplit split) {
  context_->split_ended(split.to_split().id);
  finished_.push_back(std::move(split));
}

void KafkaReader::retire_finished() {
  for (size_t i = 0; i < queues_.size();) {
    if (queues_[i]->split().is_finished()) {
      finish(queues_[i]->split());
      queues_.erase(queues_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

std::vector<KafkaSplit> KafkaReader::positions() const {
  std::vector<KafkaSplit> result = finished_;
  for (const auto& queue : queues_) {
    result.push_back(queue->split());
  }
  return result;
}

std::vector<stream::Split> KafkaReader::snapshot() const {
  snapshotted_ = positions();
  std::vector<stream::Split> result;
  for (const KafkaSplit& split : snapshotted_) {
    result.push_back(split.to_split());
  }
  return result;
}

void KafkaReader::on_checkpoint_complete(CheckpointId checkpoint) {
  static_cast<void>(checkpoint);
  if (settings_.properties.commit_on_checkpoint) {
    commit(snapshotted_);
  }
}

void KafkaReader::commit_by_time() {
  const auto now = std::chrono::steady_clock::now();
  if (now >= next_commit_) {
    commit(positions());
    next_commit_ = now + settings_.auto_commit_interval;
  }
}

// A failure is no harm: the group's offsets only tell others how far the job is.
void KafkaReader::commit(const std::vector<KafkaSplit>& splits) {
  if (settings_.properties.group_id.empty()) {
    return;
  }
  const PartitionList list = make_partition_list(splits.size());
  for (const KafkaSplit& split : splits) {
    if (split.offset >= 0) {
      rd_kafka_topic_partition_list_add(
          list.get(), split.partition.topic.c_str(), split.partition.partition)
          ->offset = split.offset;
    }
  }
  if (list->cnt > 0) {
    commit_answer_.reset(rd_kafka_queue_new(client_->get()));
    rd_kafka_commit_queue(client_->get(), list.get(), commit_answer_.get(), nullptr, nullptr);
  }
}

void KafkaReader::close() {
  if (client_ == nullptr) {
    return;
  }
  if (settings_.auto_commit) {
    commit(positions());
  }
  if (commit_answer_ != nullptr) {
    constexpr int kLastCommitMs = 1000;
    if (rd_kafka_event_t* answer = rd_kafka_queue_poll(commit_answer_.get(), kLastCommitMs)) {
      rd_kafka_event_destroy(answer);
    }
    commit_answer_.reset();
  }
  queues_.clear();
  topics_.clear();
  client_.reset();
}

}  // namespace thalweg::connectors::kafka
