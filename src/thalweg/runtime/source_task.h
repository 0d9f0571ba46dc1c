#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "thalweg/runtime/task.h"
#include "thalweg/stream/source.h"

namespace thalweg::runtime {

/// A task that reads splits. `post_*` may be called by any thread.
class SourceTask final : public Task, public stream::ReaderContext {
 public:
  SourceTask(TaskPlan plan, const TaskServices& services, Inbox& inbox);

  void post_splits(std::vector<stream::Split> splits, bool no_more);
  void post_barrier(const Barrier& barrier);

  /// Before the task runs.
  bool has_restored_splits() const { return !plan_.restored.splits.empty(); }

  // ReaderContext
  int32_t subtask() const override { return plan_.subtask; }

  int32_t parallelism() const override { return plan_.vertex->parallelism; }

  ProcessingTime now() const override { return services_.scheduler.now(); }

  stream::Counter& counter(const std::string& name) override {
    return plan_.probes.source->metrics.counter(name);
  }

  void wake() override { inbox_.wake(); }

  void split_ended(const std::string& split) override { ended_splits_.push_back(split); }

 protected:
  void open_input() override;
  void take_one() override;
  void close_input() override;
  void fill_input_snapshot(TaskSnapshot& snapshot) override;
  void on_checkpoint_complete(CheckpointId checkpoint) override;
  void on_checkpoint_aborted(CheckpointId checkpoint) override;

 private:
  void poll();
  stream::PollResult poll_reader();
  void on_batch(stream::PollResult result);
  void on_nothing();
  void on_end();
  void on_barrier(const Barrier& barrier);
  void add_splits(std::vector<stream::Split> splits);
  void end_splits();

  std::unique_ptr<stream::SourceReader> reader_;
  StepOutput output_;
  /// The last poll found nothing.
  bool quiet_ = false;
  /// The reader did not wait by itself.
  bool impatient_ = false;
  /// A stopping savepoint is under way: no more rows.
  std::optional<CheckpointId> held_;
  std::vector<Barrier> probes_;
  size_t splits_ = 0;
  /// Told of by the reader; the chain hears of them behind the rows that came along.
  std::vector<std::string> ended_splits_;
  bool opened_ = false;
};

}  // namespace thalweg::runtime
