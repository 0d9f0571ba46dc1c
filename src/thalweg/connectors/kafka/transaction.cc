#include "thalweg/connectors/kafka/transaction.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>

#include "thalweg/connectors/kafka/cluster.h"

namespace thalweg::connectors::kafka {
namespace {

/// How long an epoch is tried; a broker's restart fits in, and the sending of a large epoch.
constexpr std::chrono::seconds kCommitTimeout{180};
constexpr size_t kSlowestBytesPerSecond = 4'000'000;
/// One call of librdkafka, which goes on where it was when it is called again; cancelling is heard
/// between calls.
constexpr int kStepTimeoutMs = 1'000;
/// Begins anew with each call.
constexpr int kOffsetsTimeoutMs = 10'000;

struct DestroyGroupMetadata {
  void operator()(rd_kafka_consumer_group_metadata_t* group) const {
    rd_kafka_consumer_group_metadata_destroy(group);
  }
};

using GroupMetadata = std::unique_ptr<rd_kafka_consumer_group_metadata_t, DestroyGroupMetadata>;

std::string marker_group(const EpochIdentity& identity) {
  return identity.transactional_id + "-" + identity.writer_id;
}

[[noreturn]] void throw_init_failure(Producer& producer,
                                     rd_kafka_error_t* error,
                                     const std::string& transactional_id) {
  const auto code = rd_kafka_error_code(error);
  const std::string text = rd_kafka_error_string(error);
  rd_kafka_error_destroy(error);
  if (code == RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT) {
    throw Error(ErrorCode::kInvalidOption,
                fmt::format("Kafka refuses a transaction time-out of {} ms",
                            producer.client().properties().transaction_timeout_ms))
        .hint(
            "set 'properties.transaction.timeout.ms' to at most the broker's "
            "transaction.max.timeout.ms (900000 unless changed)");
  }
  if (code == RD_KAFKA_RESP_ERR__TIMED_OUT) {
    throw producer.client().unreachable();
  }
  throw Error(
      ErrorCode::kKafkaFailed,
      fmt::format("Kafka transactions can't be used with id '{}': {}", transactional_id, text))
      .retryable();
}

PartitionList marker_list(const EpochReader& epoch) {
  PartitionList list = make_partition_list();
  rd_kafka_topic_partition_t* marker =
      rd_kafka_topic_partition_list_add(list.get(), epoch.topics().front().c_str(), 0);
  marker->offset = epoch.identity().sequence;
  const std::string& text = epoch.identity().description;
  marker->metadata = std::malloc(text.size());  // librdkafka frees it with the list
  std::memcpy(marker->metadata, text.data(), text.size());
  marker->metadata_size = text.size();
  return list;
}

}  // namespace

TransactionCommitter::TransactionCommitter(ClientProperties properties,
                                           std::string transactional_id,
                                           Warn warn)
    : properties_(std::move(properties)),
      transactional_id_(std::move(transactional_id)),
      warn_(std::move(warn)) {}

void TransactionCommitter::open() {
  own_ = make_producer(transactional_id_);
}

std::unique_ptr<Producer> TransactionCommitter::make_producer(
    const std::string& transactional_id) const {
  // A record must not be tried longer than its transaction lives.
  int64_t delivery_ms = properties_.transaction_timeout_ms;
  if (const auto given = properties_.settings.find("delivery.timeout.ms");
      given != properties_.settings.end()) {
    delivery_ms = std::min<int64_t>(delivery_ms, std::stoll(given->second));
  }
  const std::map<std::string, std::string> extra = {
      {"transactional.id", transactional_id},
      {"transaction.timeout.ms", std::to_string(properties_.transaction_timeout_ms)},
      {"delivery.timeout.ms", std::to_string(delivery_ms)},
      {"enable.idempotence", "true"},
      {"acks", "all"},
  };
  auto producer = std::make_unique<Producer>(properties_, extra, warn_);
  const auto timeout = static_cast<int>(properties_.connect_timeout_ms);
  // Without a connection librdkafka looks for the coordinator only half a second later.
  const Client& client = producer->client();
  const rd_kafka_metadata_t* answer = nullptr;
  if (rd_kafka_metadata(client.get(), 0, nullptr, &answer, client.step_ms(timeout, 0)) ==
      RD_KAFKA_RESP_ERR_NO_ERROR) {
    rd_kafka_metadata_destroy(answer);
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout);
  while (rd_kafka_error_t* error = rd_kafka_init_transactions(client.get(), kStepTimeoutMs)) {
    if (rd_kafka_error_is_retriable(error) == 0 || std::chrono::steady_clock::now() >= deadline) {
      throw_init_failure(*producer, error, transactional_id);
    }
    rd_kafka_error_destroy(error);
    check_cancelled(properties_);
  }
  return producer;
}

bool TransactionCommitter::is_sent(const EpochReader& epoch) {
  ClientProperties reader = properties_;
  reader.group_id = marker_group(epoch.identity());
  reader.settings["group.id"] = reader.group_id;
  reader.settings["isolation.level"] = "read_committed";
  Cluster cluster(reader);
  const auto sent = cluster.committed_offsets({{epoch.topics().front(), 0}})[0];
  return sent && *sent >= epoch.identity().sequence;
}

void TransactionCommitter::commit(EpochReader& epoch, bool own) {
  const std::string& id = epoch.identity().transactional_id;
  std::unique_ptr<Producer> other;
  std::unique_ptr<Producer>& producer = id == transactional_id_ ? own_ : other;
  deadline_ = std::chrono::steady_clock::now() + kCommitTimeout +
              std::chrono::seconds(epoch.byte_size() / kSlowestBytesPerSecond);
  bool sure = own;
  while (true) {
    if (producer == nullptr) {
      producer = make_producer(id);
    }
    if (!sure && is_sent(epoch)) {
      return;
    }
    const Outcome outcome = attempt(*producer, epoch);
    if (outcome == Outcome::kDone) {
      return;
    }
    if (outcome == Outcome::kStartOver) {
      producer.reset();
      sure = false;
    }
    if (std::chrono::steady_clock::now() >= deadline_) {
      throw Error(ErrorCode::kKafkaFailed,
                  fmt::format("Kafka transaction '{}' of {} could not be committed: {}",
                              id,
                              epoch.identity().description,
                              last_failure_))
          .retryable();
    }
    check_cancelled(properties_);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

TransactionCommitter::Outcome TransactionCommitter::attempt(Producer& producer,
                                                            EpochReader& epoch) {
  rd_kafka_t* handle = producer.client().get();
  if (judge(rd_kafka_begin_transaction(handle)) != Outcome::kDone) {
    return Outcome::kStartOver;
  }
  producer.set_topics(epoch.topics());
  epoch.rewind();
  Outcome outcome = Outcome::kDone;
  try {
    OutgoingRecord record;
    while (epoch.next(record)) {
      producer.send(record);
    }
  } catch (const Error& error) {
    last_failure_ = error.message();
    outcome = Outcome::kAbort;
  }
  const PartitionList marker = marker_list(epoch);
  if (outcome == Outcome::kDone) {
    const GroupMetadata group(
        rd_kafka_consumer_group_metadata_new(marker_group(epoch.identity()).c_str()));
    outcome = until_decided([&] {
      return rd_kafka_send_offsets_to_transaction(
          handle, marker.get(), group.get(), kOffsetsTimeoutMs);
    });
  }
  if (outcome == Outcome::kDone) {
    outcome = until_decided([&] { return rd_kafka_commit_transaction(handle, kStepTimeoutMs); });
  }
  if (outcome == Outcome::kAbort) {
    producer.client().events().take_delivery_error();
    if (until_decided([&] { return rd_kafka_abort_transaction(handle, kStepTimeoutMs); }) !=
        Outcome::kDone) {
      outcome = Outcome::kStartOver;
    }
  }
  return outcome;
}

template <typename Step>
TransactionCommitter::Outcome TransactionCommitter::until_decided(Step&& step) {
  while (true) {
    check_cancelled(properties_);
    const Outcome outcome = judge(step());
    if (outcome != Outcome::kRetry) {
      return outcome;
    }
    if (std::chrono::steady_clock::now() >= deadline_) {
      return Outcome::kStartOver;
    }
  }
}

TransactionCommitter::Outcome TransactionCommitter::judge(rd_kafka_error_t* error) {
  if (error == nullptr) {
    return Outcome::kDone;
  }
  Outcome outcome = Outcome::kStartOver;
  if (rd_kafka_error_is_retriable(error) != 0) {
    outcome = Outcome::kRetry;
  } else if (rd_kafka_error_txn_requires_abort(error) != 0) {
    outcome = Outcome::kAbort;
  }
  last_failure_ = rd_kafka_error_string(error);
  const auto code = rd_kafka_error_code(error);
  rd_kafka_error_destroy(error);
  if (code == RD_KAFKA_RESP_ERR__FENCED || code == RD_KAFKA_RESP_ERR_PRODUCER_FENCED ||
      code == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH) {
    throw Error(ErrorCode::kKafkaFailed,
                "Kafka transactional id '" + transactional_id_ +
                    "' was taken over, or its transaction timed out")
        .hint("no two running jobs or sinks may share a 'sink.transactional-id-prefix'")
        .retryable();
  }
  return outcome;
}

}  // namespace thalweg::connectors::kafka
