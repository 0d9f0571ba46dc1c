#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "thalweg/connectors/kafka/client.h"
#include "thalweg/connectors/kafka/outgoing_record.h"

namespace thalweg::connectors::kafka {

/// The topics that a writer has written to, by index, with their numbers of partitions.
class TopicDirectory {
 public:
  /// The index of `topic`; a new one is asked for at `client`, which creates it where the cluster
  /// allows that.
  size_t index_of(std::string_view topic, Client& client);
  /// Looks again once the number is older than `max_age_ms`; a broker that doesn't answer leaves it
  /// as it is.
  int32_t partition_count(size_t index, Client& client);

  const std::vector<std::string>& names() const { return names_; }

 private:
  struct Known {
    int32_t partition_count = 0;
    int64_t asked_at_ms = 0;
  };

  std::map<std::string, size_t, std::less<>> indices_;
  std::vector<std::string> names_;
  std::vector<Known> known_;
};

/// Hands records to a librdkafka producer and waits where its buffer is full. Owned by a writer or
/// committer, used on its thread. A record that can't be delivered in time makes a later call
/// throw.
class Producer final : public RecordTarget {
 public:
  Producer(const ClientProperties& properties,
           const std::map<std::string, std::string>& extra,
           Warn warn);

  /// `topics` are the names behind OutgoingRecord::topic; they may grow, and outlive the next
  /// `send`.
  void set_topics(const std::vector<std::string>& topics);

  void send(const OutgoingRecord& record) override;

  /// Waits until every record is acknowledged.
  void flush();
  /// As `flush`, for at most `timeout_ms`; how many records are not acknowledged then.
  int32_t flush(int32_t timeout_ms);

  Client& client() { return client_; }

 private:
  rd_kafka_topic_t* topic(size_t index);
  rd_kafka_resp_err_t produce(rd_kafka_topic_t* topic, const OutgoingRecord& record);
  void throw_undelivered();

  Client client_;
  const std::vector<std::string>* topic_names_ = nullptr;
  std::vector<TopicHandle> topics_;
};

}  // namespace thalweg::connectors::kafka
