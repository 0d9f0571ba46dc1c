#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "thalweg/runtime/inbox.h"
#include "thalweg/runtime/job_graph.h"
#include "thalweg/types/batch_gathering.h"

namespace thalweg::runtime {

/// How long and how large the pieces of an edge may grow before they leave.
struct EdgeLimits {
  /// -1: only full batches leave by themselves.
  int64_t buffer_timeout_ms = 100;
  int32_t batch_rows = kTargetBatchRows;
};

/// One end of a channel, as its sender sees it.
struct ChannelEnd {
  Inbox* inbox = nullptr;
  size_t channel = 0;
};

/// Sends the rows of one subtask over one edge: chooses the target subtask of each row, gathers
/// small pieces, and blocks while a channel is full. Task thread only.
class OutputEdge {
 public:
  OutputEdge(Scheduler& scheduler,
             const Edge& edge,
             int32_t subtask,
             std::vector<ChannelEnd> targets,
             EdgeLimits limits,
             const Inbox& own_inbox);

  void emit(Batch batch);
  void emit_watermark(EventTime watermark);
  void emit_idle(bool idle);
  void emit_barrier(const Barrier& barrier);
  void emit_end_of_data();
  /// Sends the pieces on.
  void flush();
  /// Never blocks or throws.
  void close(bool clean) noexcept;

  /// When pieces must leave, or never.
  ProcessingTime flush_deadline() const { return flush_deadline_; }

 private:
  struct Target {
    ChannelEnd end;
    /// What waits to be sent: whole batches, or rows of batches that are gathered when they leave.
    /// One of the two is empty.
    std::vector<Batch> pieces = {};
    std::vector<BatchPart> parts = {};
    /// In either.
    int32_t rows = 0;
    /// Rows of a batch that go there: the first `chosen_count` of `chosen`.
    std::vector<int32_t> chosen = {};
    size_t chosen_count = 0;
  };

  void emit_by_hash(const Batch& batch);
  void emit_by_number(const Batch& batch);
  void emit_in_turn(Batch batch);
  /// Sends each row to the target that `target_of` says.
  template <typename TargetOf>
  void emit_each(const Batch& batch, const TargetOf& target_of);
  void add_piece(Target& target, Batch batch);
  /// The chosen rows of a batch.
  void add_part(Target& target, const Batch& batch);
  /// Sends what waits if it is enough for a batch.
  void flush_if_full(Target& target);
  void flush(Target& target);
  void send(Target& target, Message message);
  void send_all(const Message& message);

  Scheduler& scheduler_;
  Partitioning partitioning_;
  std::vector<size_t> keys_;
  EdgeLimits limits_;
  const Inbox& own_inbox_;
  std::vector<Target> targets_;
  size_t next_target_;
  /// Seeded by the subtask: a run can be repeated.
  std::minstd_rand random_;
  ProcessingTime flush_deadline_ = kMaxProcessingTime;
  std::vector<ColumnPtr> key_columns_;
  std::vector<uint64_t> hashes_;
};

}  // namespace thalweg::runtime
