// How long a snapshot keeps a task from its rows: a table of a million keys with a timer each is
// frozen and written by another thread while batches of rows go on changing it.
//
// usage: snapshot_stall DIRECTORY [KEYS]    prints, between tabs: milliseconds of the freeze, of
// the longest batch while the snapshot is written, and of the longest batch otherwise. Times are
// those of the task's thread, so other work on the machine does not count.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>

#include "thalweg/state/operator_snapshot.h"
#include "thalweg/state/operator_state.h"
#include "thalweg/state/state_file.h"
#include "thalweg/types/batch.h"

namespace thalweg {

namespace {

constexpr int64_t kTimerMs = 30'000;

double thread_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// The table of a windowed sum, and batches that add to it.
class Task {
 public:
  explicit Task(int64_t keys) : keys_(keys) {
    state::StateContext context;
    context.operator_name = "snapshot_stall";
    context.budget = &budget_;
    state_ = std::make_unique<state::OperatorState>(std::move(context));
    table_ = &state_->keyed_table({.name = "windows",
                                   .key = {{"key", DataType::big_int()}},
                                   .has_namespace = true,
                                   .value = {{"sum", DataType::big_int().not_null()}}});
    timers_ = &state_->timers(*table_, state::TimerKind::kEventTime);
    offset_ = table_->layout().offset(0);
  }

  /// Adds a batch of rows of any keys, or of the next ones; the milliseconds it took.
  double add_batch(bool is_new) {
    const auto rows = static_cast<size_t>(kTargetBatchRows);
    auto column = Column::make(DataType::big_int(), kTargetBatchRows);
    for (int64_t& key : column->mutable_values<int64_t>()) {
      random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
      key = is_new ? next_key_++ % keys_
                   : static_cast<int64_t>((random_ >> 33U) % static_cast<uint64_t>(keys_));
    }
    const ColumnPtr columns[] = {column};
    namespaces_.assign(rows, kTimerMs);
    slots_.resize(rows);
    records_.resize(rows);
    inserted_.resize(rows);
    const double start = thread_ms();
    table_->find_or_insert(
        {.columns = columns, .namespaces = namespaces_}, slots_, records_, inserted_);
    for (size_t i = 0; i < rows; ++i) {
      ++*reinterpret_cast<int64_t*>(records_[i] + offset_);
      if (inserted_[i] != 0) {
        timers_->add(kTimerMs, slots_[i]);
      }
    }
    return thread_ms() - start;
  }

  std::unique_ptr<state::OperatorSnapshot> freeze() { return state_->begin_snapshot(); }

 private:
  MemoryBudget budget_{"snapshot_stall"};
  std::unique_ptr<state::OperatorState> state_;
  stream::KeyedTable* table_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  size_t offset_ = 0;
  int64_t keys_;
  int64_t next_key_ = 0;
  uint64_t random_ = 42;
  std::vector<int64_t> namespaces_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
};

void measure(const std::string& directory, int64_t keys) {
  Task task(keys);
  for (int64_t added = 0; added < keys; added += kTargetBatchRows) {
    task.add_batch(true);
  }
  double longest_before = 0;
  for (int i = 0; i < 200; ++i) {
    longest_before = std::max(longest_before, task.add_batch(false));
  }
  const double start = thread_ms();
  auto snapshot = task.freeze();
  const double freeze_ms = thread_ms() - start;
  std::atomic<bool> is_written = false;
  std::thread writing([&] {
    state::StateFileWriter writer(directory + "/stall.state");
    snapshot->write(writer);
    writer.finish();
    is_written = true;
  });
  double longest_during = 0;
  while (!is_written) {
    longest_during = std::max(longest_during, task.add_batch(false));
  }
  writing.join();
  std::printf("%.3f\t%.3f\t%.3f\n", freeze_ms, longest_during, longest_before);
}

}  // namespace

}  // namespace thalweg

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: snapshot_stall DIRECTORY [KEYS]\n");
    return 2;
  }
  thalweg::measure(argv[1], argc > 2 ? std::atoll(argv[2]) : 1'000'000);
  return 0;
}
