#include "thalweg/connectors/kafka/writer.h"

#include <algorithm>

namespace thalweg::connectors::kafka {
KafkaWriter::KafkaWriter(WriterSettings settings, std::unique_ptr<RecordEncoder> encoder)
    : settings_(std::move(settings)), encoder_(std::move(encoder)) {
  if (settings_.options.topic_pattern) {
    pattern_.emplace(*settings_.options.topic_pattern);
  }
}

void KafkaWriter::open(stream::WriterContext& context) {
  context_ = &context;
  subtask_ = context.subtask();
  job_ = context.job().to_string();
  settings_.properties.is_cancelled = [&context] { return context.is_cancelled(); };
  if (settings_.options.guarantee == DeliveryGuarantee::kExactlyOnce) {
    identity_.writer_id = JobId::random().to_string();
    identity_.transactional_id =
        fmt::format("{}-{}", settings_.options.transactional_id_prefix, subtask_);
    committer_ = std::make_unique<TransactionCommitter>(
        settings_.properties, identity_.transactional_id, settings_.warn);
    committer_->open();
    epoch_.emplace(EpochBuilder::Limits{}, [&context] {
      const std::string name = context.new_staged_file();
      return EpochFile{name, name.empty() ? "" : context.staged_path(name)};
    });
  } else {
    producer_ = std::make_unique<Producer>(
        settings_.properties, std::map<std::string, std::string>{}, settings_.warn);
    producer_->set_topics(directory_.names());
  }
  if (settings_.options.topics.size() == 1) {
    directory_.index_of(settings_.options.topics[0], client());
  }
}

Client& KafkaWriter::client() {
  return producer_ != nullptr ? producer_->client() : committer_->client();
}

RecordTarget& KafkaWriter::target() {
  return producer_ != nullptr ? static_cast<RecordTarget&>(*producer_) : *epoch_;
}

void KafkaWriter::write(const Batch& batch) {
  encoder_->encode(batch);
  RecordTarget& out = target();
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    if (!encoder_->is_sent(row)) {
      continue;
    }
    encoder_->fill(row, record_);
    record_.topic = topic_of(row);
    const size_t size =
        (record_.key ? record_.key->size() : 0) + (record_.value ? record_.value->size() : 0);
    record_.partition =
        partitioner(record_.topic)
            .choose(record_.key, size, directory_.partition_count(record_.topic, client()));
    out.send(record_);
  }
  client().serve();
}

size_t KafkaWriter::topic_of(int32_t row) {
  const auto named = encoder_->topic(row);
  if (settings_.options.topics.size() == 1) {
    if (named && *named != settings_.options.topics[0]) {
      check_allowed(*named);
    }
    return 0;
  }
  if (!named) {
    throw Error(ErrorCode::kKafkaFailed, "A row for Kafka names no topic")
        .hint("with several topics in option 'topic', the metadata column 'topic' must be written");
  }
  check_allowed(*named);
  return directory_.index_of(*named, client());
}

void KafkaWriter::check_allowed(std::string_view topic) const {
  const auto& topics = settings_.options.topics;
  const bool allowed = pattern_ ? pattern_->matches(std::string(topic))
                                : std::find(topics.begin(), topics.end(), topic) != topics.end();
  if (!allowed) {
    throw Error(
        ErrorCode::kKafkaFailed,
        fmt::format("A row for Kafka names topic '{}', which the table does not have", topic))
        .hint("add it to option 'topic'");
  }
}

Partitioner& KafkaWriter::partitioner(size_t topic) {
  while (partitioners_.size() <= topic) {
    partitioners_.emplace_back(
        settings_.options.partitioner, settings_.properties.ignore_keys, subtask_);
  }
  return partitioners_[topic];
}

std::vector<std::string> KafkaWriter::prepare_commit(CheckpointId checkpoint) {
  if (!epoch_) {
    if (settings_.options.guarantee == DeliveryGuarantee::kAtLeastOnce) {
      producer_->flush();
    }
    return {};
  }
  if (epoch_->empty()) {
    return {};
  }
  ++identity_.sequence;
  identity_.description = fmt::format("job {} checkpoint {}", job_, checkpoint.value);
  return {epoch_->finish(identity_, directory_.names())};
}

void KafkaWriter::commit(CheckpointId checkpoint, const std::vector<std::string>& committables) {
  static_cast<void>(checkpoint);
  for (const std::string& committable : committables) {
    EpochReader epoch(committable,
                      [this](const std::string& name) { return context_->staged_path(name); });
    committer_->commit(epoch, epoch.identity().writer_id == identity_.writer_id);
  }
}

void KafkaWriter::flush() {
  if (producer_ != nullptr) {
    producer_->flush();
  }
}

void KafkaWriter::close() {
  producer_.reset();
  committer_.reset();
}

}  // namespace thalweg::connectors::kafka
