#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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

/// A file of an epoch's records: its name in the committable, and where it lies.
struct EpochFile {
  std::string name;
  std::string path;
};

/// Makes a new one; its name is empty where there is no place for files.
using NewEpochFile = std::function<EpochFile()>;

/// Collects the records between two checkpoints as a committable: a header, then the records, or
/// when they are many the name of a file with them. docs/formats/kafka-epoch.md describes both.
class EpochBuilder final : public RecordTarget {
 public:
  struct Limits {
    /// Records of more bytes go to a file.
    size_t memory_bytes = size_t{8} << 20U;
    /// Throws kKafkaFailed when the epoch grows over it.
    size_t epoch_bytes = size_t{64} << 30U;
  };

  EpochBuilder(Limits limits, NewEpochFile new_file);
  ~EpochBuilder();
  EpochBuilder(const EpochBuilder&) = delete;
  EpochBuilder& operator=(const EpochBuilder&) = delete;

  void send(const OutgoingRecord& record) override;

  bool empty() const { return records_.empty() && !file_; }

  /// The committable; the builder is empty afterwards. `topics` are the names behind
  /// OutgoingRecord::topic.
  std::string finish(const EpochIdentity& identity, const std::vector<std::string>& topics);

 private:
  class OpenFile;

  void put(const OutgoingRecord& record);
  void spill();

  Limits limits_;
  NewEpochFile new_file_;
  std::string records_;
  std::unique_ptr<OpenFile> file_;
  /// False once there was no place for a file.
  bool may_spill_ = true;
};

/// Where a file lies that a committable names.
using EpochFilePath = std::function<std::string(const std::string& name)>;

/// Reads a committable, whose bytes outlive this. Throws kRestoreFailed when they are not one, or
/// its file is missing or damaged.
class EpochReader {
 public:
  EpochReader(std::string_view committable, const EpochFilePath& path_of);
  ~EpochReader();
  EpochReader(const EpochReader&) = delete;
  EpochReader& operator=(const EpochReader&) = delete;

  const EpochIdentity& identity() const { return identity_; }

  const std::vector<std::string>& topics() const { return topics_; }

  /// Of all records.
  size_t byte_size() const { return records_.size(); }

  /// False at the end.
  bool next(OutgoingRecord& record);

  void rewind() { rest_ = records_; }

 private:
  class MappedFile;

  void open_file(const EpochFilePath& path_of);
  uint64_t number();
  std::string_view text();
  std::string_view take(uint64_t size);

  EpochIdentity identity_;
  std::vector<std::string> topics_;
  std::unique_ptr<MappedFile> file_;
  std::string_view records_;
  std::string_view rest_;
};

}  // namespace thalweg::connectors::kafka
