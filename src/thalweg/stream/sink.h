#pragma once

#include <cstdint>
#include <functional>
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

/// What a writer may ask of its task.
class WriterContext {
 public:
  virtual ~WriterContext() = default;
  virtual const JobId& job() const = 0;
  virtual int32_t subtask() const = 0;
  virtual int32_t parallelism() const = 0;
  virtual ProcessingTime now() const = 0;
  virtual EventTime current_watermark() const = 0;
  virtual Counter& counter(const std::string& name) = 0;
  /// True when checkpoints are on: what is pending is committed by them, otherwise at the end.
  virtual bool is_checkpointed() const = 0;

  /// A writer that waits outside the engine asks from time to time.
  virtual bool is_cancelled() const { return false; }

  /// Names a new file for bytes of a committable that are too many for memory. What prepare_commit
  /// returns next may name it: then the checkpoint takes the file along, and it goes with the
  /// commit. Empty: there is no place for such files, the bytes stay in memory.
  virtual std::string new_staged_file() { return {}; }

  /// Where a file lies that was named here, or by the writer whose committable is committed.
  virtual std::string staged_path(const std::string& name) const { return name; }
};

/// Writes rows on a task's thread. With checkpoints, what was written before a barrier becomes a
/// *committable*: bytes that any process can commit later, once or more often with one effect.
class SinkWriter {
 public:
  virtual ~SinkWriter() = default;

  virtual void open(WriterContext& context) { static_cast<void>(context); }

  virtual void write(const Batch& batch) = 0;

  /// At a barrier and at the end of input: makes everything written so far durable or committable,
  /// and returns the committables, which become part of the checkpoint.
  virtual std::vector<std::string> prepare_commit(CheckpointId checkpoint) {
    static_cast<void>(checkpoint);
    flush();
    return {};
  }

  /// Makes a committable visible: after its checkpoint is complete, and again after a restore from
  /// it.
  virtual void commit(CheckpointId checkpoint, const std::vector<std::string>& committables) {
    static_cast<void>(checkpoint);
    static_cast<void>(committables);
  }

  virtual void flush() {}

  virtual void close() {}
};

/// One use of a table as a sink in one job: immutable, shared by the subtasks.
class TableSink {
 public:
  virtual ~TableSink() = default;
  /// The kinds of rows it takes, given what the query would like to send.
  virtual ChangelogMode accepted(const ChangelogMode& requested) const = 0;

  virtual std::optional<int32_t> parallelism() const { return std::nullopt; }

  /// True when it heeds TableContext::is_overwrite.
  virtual bool supports_overwrite() const { return false; }

  virtual std::unique_ptr<SinkWriter> create_writer() const = 0;
};

}  // namespace thalweg::stream
