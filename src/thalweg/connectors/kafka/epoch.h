#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/connectors/kafka/outgoing_record.h"

namespace thalweg::connectors::kafka {

/// Who staged an epoch: enough for any process to send it once.
struct EpochIdentity {
  /// Unique for each run of each writer; a part of the marker group's name.
  std::string writer_id;
  /// The transactional id to send with, so that a writer that is not quite dead is fenced.
  std::string transactional_id;
  /// Counts the writer's epochs from 1.
  int64_t sequence = 0;
  /// Job and checkpoint, for people who look at the marker.
  std::string description;
};

/// Collects the records between two checkpoints as the bytes of a committable: a header, then the
/// records. docs/formats/kafka-epoch.md describes them.
class EpochBuilder final : public RecordTarget {
 public:
  /// Throws kKafkaFailed when the epoch grows over `max_bytes`.
  explicit EpochBuilder(size_t max_bytes) : max_bytes_(max_bytes) {}

  void send(const OutgoingRecord& record) override;

  bool empty() const { return records_.empty(); }

  size_t size() const { return records_.size(); }

  /// The committable; the builder is empty afterwards. `topics` are the names behind
  /// OutgoingRecord::topic.
  std::string finish(const EpochIdentity& identity, const std::vector<std::string>& topics);

 private:
  size_t max_bytes_;
  std::string records_;
};

/// Reads a committable, whose bytes outlive this. Throws kRestoreFailed when they are not one.
class EpochReader {
 public:
  explicit EpochReader(std::string_view committable);

  const EpochIdentity& identity() const { return identity_; }

  const std::vector<std::string>& topics() const { return topics_; }

  /// False at the end.
  bool next(OutgoingRecord& record);

  void rewind() { rest_ = records_; }

 private:
  uint64_t number();
  std::string_view text();
  std::string_view take(uint64_t size);

  EpochIdentity identity_;
  std::vector<std::string> topics_;
  std::string_view records_;
  std::string_view rest_;
};

}  // namespace thalweg::connectors::kafka
