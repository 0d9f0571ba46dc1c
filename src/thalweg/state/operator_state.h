#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/common/memory_budget.h"
#include "thalweg/common/time.h"
#include "thalweg/stream/state.h"
#include "thalweg/types/column.h"

namespace thalweg::state {

class KeyedTableImpl;
class ListStateImpl;
class OperatorSnapshot;
class RestoredState;

/// What the state of one operator on one subtask is made for.
struct StateContext {
  /// For messages: "GroupAggregate".
  std::string operator_name;
  MemoryBudget* budget = nullptr;
  KeyGroupRange key_groups = {0, kKeyGroups};
  int32_t subtask = 0;
  int32_t parallelism = 1;
  /// Makes opaque objects from restored bytes; null where a job has none.
  std::shared_ptr<const OpaqueOperations> opaque = nullptr;
  /// Called again and again while a snapshot is waited for that is still being written.
  std::function<void()> pause = [] { std::this_thread::yield(); };
};

enum class TimerKind : uint8_t { kEventTime, kProcessingTime };

/// All state of one operator on one subtask: its tables, their timers, its lists. Owned by the
/// task, used on its thread; only snapshots that it began are read elsewhere.
class OperatorState {
 public:
  /// `restored` is null for a fresh start; else tables are filled from it as they are declared.
  explicit OperatorState(StateContext context,
                         std::shared_ptr<const RestoredState> restored = nullptr);
  ~OperatorState();
  OperatorState(const OperatorState&) = delete;
  OperatorState& operator=(const OperatorState&) = delete;

  stream::KeyedTable& keyed_table(const stream::StateSpec& spec);
  stream::KeyedTimers& timers(stream::KeyedTable& table, TimerKind kind);
  stream::OperatorListState& list_state(const std::string& name, stream::ListMode mode);

  /// After `open`: lets go of the restored state; throws kRestoreFailed when some was not asked
  /// for.
  void finish_restore(bool allow_unused);

  /// The present time, for entries that expire; constant during one callback.
  void set_time(ProcessingTime now);

  bool uses_time() const { return uses_time_; }

  /// The earliest processing-time timer, or INT64_MAX.
  int64_t next_processing_time() const;

  /// Freezes all tables for reading on another thread; takes microseconds.
  std::unique_ptr<OperatorSnapshot> begin_snapshot();

  const std::vector<std::unique_ptr<KeyedTableImpl>>& tables() const { return tables_; }

 private:
  StateContext context_;
  std::shared_ptr<const RestoredState> restored_;
  std::vector<std::unique_ptr<KeyedTableImpl>> tables_;
  std::vector<std::unique_ptr<ListStateImpl>> lists_;
  bool uses_time_ = false;
  ProcessingTime now_{};
};

}  // namespace thalweg::state
