#include "thalweg/connectors/kafka/cluster.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "thalweg/stream/option.h"

namespace thalweg::connectors::kafka {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Metadata = std::unique_ptr<const rd_kafka_metadata_t, decltype(&rd_kafka_metadata_destroy)>;

int ms_until(SteadyClock::time_point deadline) {
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
  return static_cast<int>(std::max<int64_t>(left, 0));
}

SteadyClock::time_point deadline_in(int64_t ms) {
  return SteadyClock::now() + std::chrono::milliseconds(ms);
}

bool no_broker_answered(rd_kafka_resp_err_t code) {
  return code == RD_KAFKA_RESP_ERR__TRANSPORT || code == RD_KAFKA_RESP_ERR__TIMED_OUT ||
         code == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN;
}

/// Metadata of all topics, or of one. Tries until the connect time-out; null topic: all.
Metadata fetch_metadata(Client& client, rd_kafka_topic_t* topic, SteadyClock::time_point deadline) {
  for (int tries = 0;; ++tries) {
    check_cancelled(client.properties());
    const rd_kafka_metadata_t* answer = nullptr;
    const auto code = rd_kafka_metadata(client.get(),
                                        topic == nullptr ? 1 : 0,
                                        topic,
                                        &answer,
                                        client.step_ms(ms_until(deadline), tries));
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) {
      return {answer, rd_kafka_metadata_destroy};
    }
    client.serve();
    if (!no_broker_answered(code)) {
      throw client.request_failed(code, "Kafka metadata could not be read");
    }
    if (ms_until(deadline) == 0) {
      throw client.unreachable();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

PartitionList to_list(const std::vector<TopicPartition>& partitions, int64_t offset) {
  PartitionList list = make_partition_list(partitions.size());
  for (const TopicPartition& each : partitions) {
    rd_kafka_topic_partition_list_add(list.get(), each.topic.c_str(), each.partition)->offset =
        offset;
  }
  return list;
}

const rd_kafka_topic_partition_t& element(const PartitionList& list, size_t index) {
  return list->elems[index];
}

std::string text_of(const TopicPartition& partition) {
  return "topic '" + partition.topic + "', partition " + std::to_string(partition.partition);
}

}  // namespace

Cluster::Cluster(const ClientProperties& properties)
    : client_(PropertyScope::kConsumer,
              properties,
              {{"allow.auto.create.topics", "false"}, {"enable.auto.commit", "false"}}) {}

std::vector<TopicInfo> Cluster::topics() {
  const Metadata metadata =
      fetch_metadata(client_, nullptr, deadline_in(client_.properties().connect_timeout_ms));
  std::vector<TopicInfo> result;
  for (int i = 0; i < metadata->topic_cnt; ++i) {
    result.push_back({metadata->topics[i].topic, metadata->topics[i].partition_cnt});
  }
  std::sort(result.begin(), result.end(), [](const TopicInfo& left, const TopicInfo& right) {
    return left.name < right.name;
  });
  return result;
}

int32_t Cluster::partition_count(const std::string& topic) {
  const TopicHandle handle = client_.topic(topic);
  const auto deadline = deadline_in(client_.properties().connect_timeout_ms);
  while (true) {
    const Metadata metadata = fetch_metadata(client_, handle.get(), deadline);
    const rd_kafka_metadata_topic_t& info = metadata->topics[0];
    if (info.err == RD_KAFKA_RESP_ERR_NO_ERROR && info.partition_cnt > 0) {
      return info.partition_cnt;
    }
    if (info.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) {
      std::vector<std::string> names;
      for (const TopicInfo& each : topics()) {
        names.push_back(each.name);
      }
      const auto near = stream::did_you_mean(topic, names);
      throw Error(
          ErrorCode::kTopicNotFound,
          "Kafka topic not found: '" + topic + "' at " + client_.properties().bootstrap_servers)
          .hint(near ? "did you mean '" + *near + "'?"
                     : "create it with `thalweg topic create " + topic + "`");
    }
    if (info.err != RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE || ms_until(deadline) == 0) {
      throw kafka_error(info.err, "Kafka topic '" + topic + "' can't be used");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// One request a leader, whatever the number of partitions. -1 and -2 in place of a time ask for the
// end and the beginning, which librdkafka passes on.
std::vector<int64_t> Cluster::list_offsets(const std::vector<TopicPartition>& partitions,
                                           int64_t timestamp_ms) {
  if (partitions.empty()) {
    return {};
  }
  const PartitionList list = to_list(partitions, timestamp_ms);
  const auto code = rd_kafka_offsets_for_times(client_.get(), list.get(), request_timeout());
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    throw client_.request_failed(code, "Kafka offsets could not be read");
  }
  std::vector<int64_t> result;
  for (size_t i = 0; i < partitions.size(); ++i) {
    const rd_kafka_topic_partition_t& answer = element(list, i);
    if (answer.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      throw kafka_error(answer.err, "Kafka offsets could not be read of " + text_of(partitions[i]));
    }
    result.push_back(answer.offset);
  }
  return result;
}

std::vector<int64_t> Cluster::earliest_offsets(const std::vector<TopicPartition>& partitions) {
  return list_offsets(partitions, RD_KAFKA_OFFSET_BEGINNING);
}

std::vector<int64_t> Cluster::latest_offsets(const std::vector<TopicPartition>& partitions) {
  return list_offsets(partitions, RD_KAFKA_OFFSET_END);
}

std::vector<int64_t> Cluster::offsets_for_time(const std::vector<TopicPartition>& partitions,
                                               int64_t timestamp_ms) {
  std::vector<int64_t> result = list_offsets(partitions, timestamp_ms);
  if (std::any_of(result.begin(), result.end(), [](int64_t offset) { return offset < 0; })) {
    const std::vector<int64_t> ends = latest_offsets(partitions);
    for (size_t i = 0; i < result.size(); ++i) {
      result[i] = result[i] < 0 ? ends[i] : result[i];
    }
  }
  return result;
}

std::vector<std::optional<int64_t>> Cluster::committed_offsets(
    const std::vector<TopicPartition>& partitions) {
  const PartitionList list = to_list(partitions, RD_KAFKA_OFFSET_INVALID);
  const auto code = rd_kafka_committed(client_.get(), list.get(), request_timeout());
  if (code == RD_KAFKA_RESP_ERR_GROUP_ID_NOT_FOUND) {
    return std::vector<std::optional<int64_t>>(partitions.size());
  }
  if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
    throw client_.request_failed(
        code, "Kafka offsets of group '" + client_.properties().group_id + "' could not be read");
  }
  std::vector<std::optional<int64_t>> result;
  for (size_t i = 0; i < partitions.size(); ++i) {
    const rd_kafka_topic_partition_t& answer = element(list, i);
    if (answer.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      throw kafka_error(answer.err,
                        "Kafka offsets of group '" + client_.properties().group_id +
                            "' could not be read of " + text_of(partitions[i]));
    }
    result.push_back(answer.offset < 0 ? std::nullopt : std::optional<int64_t>(answer.offset));
  }
  return result;
}

int32_t partition_count_for_producer(Client& producer, rd_kafka_topic_t* topic) {
  const auto deadline = deadline_in(producer.properties().connect_timeout_ms);
  while (true) {
    const Metadata metadata = fetch_metadata(producer, topic, deadline);
    const rd_kafka_metadata_topic_t& info = metadata->topics[0];
    if (info.err == RD_KAFKA_RESP_ERR_NO_ERROR && info.partition_cnt > 0) {
      return info.partition_cnt;
    }
    // Just created, or about to be.
    const bool may_come = info.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
                          info.err == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
    if (!may_come || ms_until(deadline) == 0) {
      const std::string name = rd_kafka_topic_name(topic);
      throw kafka_error(info.err, "Kafka topic '" + name + "' can't be written")
          .hint("create it with `thalweg topic create " + name + "`");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

bool is_internal_topic(const std::string& name) {
  return name == "__consumer_offsets" || name == "__transaction_state" ||
         name == "__share_group_state";
}

}  // namespace thalweg::connectors::kafka
