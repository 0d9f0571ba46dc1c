#include "thalweg/connectors/kafka/source.h"

namespace thalweg::connectors::kafka {
namespace {

using Kind = ReadPoint::Kind;

Error needs_group(const std::string& mode) {
  return Error(ErrorCode::kMissingOption,
               "'" + mode + "' = 'group-offsets' needs option 'properties.group.id'")
      .hint("add 'properties.group.id', or set '" + mode + "' to another mode");
}

}  // namespace

KafkaSource::KafkaSource(SourceSettings settings) : settings_(std::move(settings)) {
  if (settings_.options.topic_pattern) {
    pattern_.emplace(*settings_.options.topic_pattern);
  }
  if (settings_.properties.group_id.empty()) {
    if (settings_.options.start.kind == Kind::kGroup) {
      throw needs_group("scan.startup.mode")
          .hint("add 'scan.startup.mode' = 'earliest-offset', or 'properties.group.id'");
    }
    if (settings_.options.stop.kind == Kind::kGroup) {
      throw needs_group("scan.bounded.mode");
    }
  }
}

stream::Boundedness KafkaSource::boundedness() const {
  return settings_.options.stop.kind == Kind::kNever ? stream::Boundedness::kUnbounded
                                                     : stream::Boundedness::kBounded;
}

int64_t KafkaSource::discovery_interval_ms() const {
  return boundedness() == stream::Boundedness::kBounded ? 0
                                                        : settings_.options.discovery_interval_ms;
}

std::string KafkaSource::offset_reset() const {
  switch (settings_.options.start.kind) {
    case Kind::kLatest:
    case Kind::kTimestamp:
      return "latest";
    case Kind::kGroup:
      return settings_.properties.auto_offset_reset.empty()
                 ? "none"
                 : settings_.properties.auto_offset_reset;
    default:
      return "earliest";
  }
}

std::vector<stream::Split> KafkaSource::discover_splits() {
  try {
    ClientProperties properties = settings_.properties;
    properties.is_cancelled = [this] { return cancelled_.load(); };
    Cluster cluster(properties);
    add_new(cluster);
  } catch (const Error& error) {
    if (!found_once_ || cancelled_) {
      throw;
    }
    // A running job survives a broker's restart; the next look may succeed.
    if (settings_.warn) {
      settings_.warn("New Kafka partitions could not be looked for: " + error.message());
    }
  }
  found_once_ = true;
  reads_new_from_start_ = true;
  std::vector<stream::Split> result;
  for (const auto& [partition, split] : known_) {
    result.push_back(split.to_split());
  }
  return result;
}

void KafkaSource::add_new(Cluster& cluster) {
  std::vector<TopicPartition> added;
  for (const TopicPartition& partition : find_partitions(cluster)) {
    if (!known_.contains(partition)) {
      added.push_back(partition);
    }
  }
  if (added.empty()) {
    return;
  }
  const ReadPoint start =
      reads_new_from_start_ ? ReadPoint{.kind = Kind::kEarliest} : settings_.options.start;
  const std::vector<int64_t> starts = resolve(cluster, start, End::kStart, added);
  const bool bounded = boundedness() == stream::Boundedness::kBounded;
  const std::vector<int64_t> stops =
      bounded ? resolve(cluster, settings_.options.stop, End::kStop, added)
              : std::vector<int64_t>{};
  for (size_t i = 0; i < added.size(); ++i) {
    KafkaSplit split{added[i], starts[i]};
    if (bounded) {
      split.stop = stops[i];
    }
    known_.emplace(added[i], std::move(split));
  }
}

std::vector<TopicPartition> KafkaSource::find_partitions(Cluster& cluster) const {
  std::vector<TopicInfo> topics;
  for (const std::string& topic : settings_.options.topics) {
    topics.push_back({topic, cluster.partition_count(topic)});
  }
  if (pattern_) {
    for (TopicInfo& topic : cluster.topics()) {
      if (pattern_->matches(topic.name) &&
          !(settings_.properties.exclude_internal_topics && is_internal_topic(topic.name))) {
        topics.push_back(std::move(topic));
      }
    }
    if (topics.empty() && settings_.warn) {
      settings_.warn("No Kafka topic matches 'topic-pattern' = '" +
                     *settings_.options.topic_pattern + "' yet.");
    }
  }
  std::vector<TopicPartition> result;
  for (const TopicInfo& topic : topics) {
    for (int32_t partition = 0; partition < topic.partition_count; ++partition) {
      result.push_back({topic.name, partition});
    }
  }
  return result;
}

std::vector<int64_t> KafkaSource::resolve(Cluster& cluster,
                                          const ReadPoint& point,
                                          End end,
                                          const std::vector<TopicPartition>& partitions) const {
  switch (point.kind) {
    case Kind::kLatest:
      return cluster.latest_offsets(partitions);
    case Kind::kTimestamp:
      return cluster.offsets_for_time(partitions, point.timestamp_ms);
    case Kind::kGroup:
      return resolve_group(cluster, end, partitions);
    case Kind::kSpecific:
      return resolve_specific(cluster, point, end, partitions);
    case Kind::kEarliest:
    case Kind::kNever:
      break;
  }
  return cluster.earliest_offsets(partitions);
}

std::vector<int64_t> KafkaSource::resolve_group(
    Cluster& cluster, End end, const std::vector<TopicPartition>& partitions) const {
  const std::string reset = end == End::kStart ? offset_reset() : "none";
  const auto committed = cluster.committed_offsets(partitions);
  std::vector<int64_t> result;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (committed[i]) {
      result.push_back(*committed[i]);
    } else if (reset == "earliest") {
      result.push_back(kEarliestOffset);
    } else if (reset == "latest") {
      result.push_back(cluster.latest_offsets({partitions[i]})[0]);
    } else {
      throw Error(
          ErrorCode::kKafkaFailed,
          fmt::format(
              "Undefined offset with no reset policy: group '{}' has no committed offset for topic "
              "'{}', partition {}",
              settings_.properties.group_id,
              partitions[i].topic,
              partitions[i].partition))
          .hint(
              "set 'scan.startup.mode' = 'earliest-offset', or 'properties.auto.offset.reset' = "
              "'earliest'");
    }
  }
  return result;
}

std::vector<int64_t> KafkaSource::resolve_specific(
    Cluster& cluster,
    const ReadPoint& point,
    End end,
    const std::vector<TopicPartition>& partitions) const {
  std::vector<int64_t> result;
  for (const TopicPartition& partition : partitions) {
    const auto given = point.offsets.find(partition.partition);
    if (given != point.offsets.end()) {
      result.push_back(given->second);
    } else if (end == End::kStop) {
      result.push_back(0);  // a partition without a stop is not read
    } else if (settings_.properties.group_id.empty()) {
      result.push_back(kEarliestOffset);
    } else {
      result.push_back(cluster.committed_offsets({partition})[0].value_or(kEarliestOffset));
    }
  }
  return result;
}

std::unique_ptr<stream::SourceReader> KafkaSource::create_reader() const {
  ReaderSettings settings{
      .properties = settings_.properties,
      .offset_reset = offset_reset(),
      .auto_commit = settings_.auto_commit,
      .auto_commit_interval = std::chrono::milliseconds(settings_.auto_commit_interval_ms),
      .bounded = boundedness() == stream::Boundedness::kBounded,
      .warn = settings_.warn,
  };
  std::unique_ptr<stream::Decoder> key;
  if (settings_.key.factory != nullptr) {
    key = settings_.key.factory->create_decoder(settings_.key.context);
  }
  auto decoder = std::make_unique<RecordDecoder>(
      settings_.layout,
      std::move(key),
      settings_.value.factory->create_decoder(settings_.value.context),
      !settings_.value.factory->changelog_mode().is_insert_only());
  return std::make_unique<KafkaReader>(std::move(settings), std::move(decoder));
}

}  // namespace thalweg::connectors::kafka
