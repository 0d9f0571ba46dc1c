#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/common/time.h"
#include "thalweg/stream/changelog_mode.h"
#include "thalweg/stream/metrics.h"
#include "thalweg/types/batch.h"

namespace thalweg::stream {

/// A part of a source that one reader reads in order: a partition, a file. `position` is the
/// connector's own text or bytes; it is what a checkpoint keeps.
struct Split {
  std::string id;
  std::string position;
};

enum class Boundedness : uint8_t { kBounded, kUnbounded };

/// What a poll gave.
struct PollResult {
  enum class Kind : uint8_t {
    kBatch,
    /// Nothing now; more may come.
    kNothing,
    /// All splits are read and no more will be added.
    kEnd,
  };
  Kind kind = Kind::kNothing;
  Batch batch = {};
  /// Set with kBatch when the record after the batch's rows is bad: the task sends the rows, then
  /// fails with it.
  std::optional<Error> failure = std::nullopt;
  /// With kBatch: the split that the rows came from, by Split::id; null where splits don't matter.
  std::shared_ptr<const std::string> split = nullptr;
};

/// What a reader may ask of its task.
class ReaderContext {
 public:
  virtual ~ReaderContext() = default;
  virtual int32_t subtask() const = 0;
  virtual int32_t parallelism() const = 0;
  virtual ProcessingTime now() const = 0;
  virtual Counter& counter(const std::string& name) = 0;
  /// Wakes the task when data came in on another thread. Thread-safe.
  virtual void wake() = 0;

  /// Inside `poll` or `add_splits`: the split has no rows behind those that the call returns, so it
  /// holds back no watermark any more. A reader that never says so loses nothing but time.
  virtual void split_ended(const std::string& split) { static_cast<void>(split); }
};

/// Reads splits on a source task's thread. Positions move as batches are returned.
class SourceReader {
 public:
  virtual ~SourceReader() = default;

  virtual void open(ReaderContext& context) { static_cast<void>(context); }

  /// New or restored splits for this reader.
  virtual void add_splits(std::vector<Split> splits) = 0;
  /// No more splits will be added.
  virtual void no_more_splits() = 0;
  /// At most some thousand rows of one split; waits at most `max_wait_ms` for the first, on real
  /// time only.
  virtual PollResult poll(int64_t max_wait_ms) = 0;
  /// The splits that are not fully read, with their present positions.
  virtual std::vector<Split> snapshot() const = 0;

  /// A checkpoint with this snapshot's positions is complete (Kafka commits offsets to the group).
  virtual void on_checkpoint_complete(CheckpointId checkpoint) { static_cast<void>(checkpoint); }

  virtual void close() {}
};

/// What a source does by itself.
struct SourceAbilities {
  /// Watermarks are kept for each split apart and sent by the wall clock (Kafka), not as an
  /// operator behind the source.
  bool watermark_per_split = false;
  /// The watermarks travel in the batches already (test-stream).
  bool provides_watermarks = false;
  /// It can be made for ROW columns that lack some of their fields, which it then does not read.
  bool nested_projection = false;
};

/// One use of a table as a source in one job: immutable, shared by the subtasks.
class TableSource {
 public:
  virtual ~TableSource() = default;
  virtual Boundedness boundedness() const = 0;

  virtual ChangelogMode changelog_mode() const { return ChangelogMode::insert_only(); }

  virtual SourceAbilities abilities() const { return {}; }

  /// All splits that exist now, new ones included; called at the start and every
  /// discovery_interval_ms.
  virtual std::vector<Split> discover_splits() = 0;

  /// Any thread: the job is being cancelled. A discover_splits that waits for an answer throws
  /// kJobCancelled soon.
  virtual void cancel() {}

  /// The job goes on from a checkpoint: a split that the checkpoint does not know appeared since.
  /// Called before the first discover_splits.
  virtual void on_restored() {}

  /// 0: only once.
  virtual int64_t discovery_interval_ms() const { return 0; }

  /// Set when the source can't run at more (VALUES: 1).
  virtual std::optional<int32_t> fixed_parallelism() const { return std::nullopt; }

  virtual std::unique_ptr<SourceReader> create_reader() const = 0;
};

}  // namespace thalweg::stream
