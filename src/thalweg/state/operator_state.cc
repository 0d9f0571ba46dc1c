#include "thalweg/state/operator_state.h"

#include <limits>

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"
#include "thalweg/state/keyed_table_impl.h"
#include "thalweg/state/list_state.h"
#include "thalweg/state/operator_snapshot.h"
#include "thalweg/state/restored_state.h"
#include "thalweg/state/table_snapshot.h"

namespace thalweg::state {

namespace {

std::vector<std::string> share_of(std::vector<std::string> items,
                                  int32_t subtask,
                                  int32_t parallelism) {
  const size_t count = items.size();
  const auto begin_of = [&](int32_t which) {
    return items.begin() + static_cast<ptrdiff_t>(count * static_cast<size_t>(which) /
                                                  static_cast<size_t>(parallelism));
  };
  return {std::make_move_iterator(begin_of(subtask)),
          std::make_move_iterator(begin_of(subtask + 1))};
}

}  // namespace

OperatorState::OperatorState(StateContext context, std::shared_ptr<const RestoredState> restored)
    : context_(std::move(context)), restored_(std::move(restored)) {}

OperatorState::~OperatorState() = default;

stream::KeyedTable& OperatorState::keyed_table(const stream::StateSpec& spec) {
  for (const auto& table : tables_) {
    check(table->spec().name != spec.name, "two tables of an operator have one name");
  }
  auto table = std::make_unique<KeyedTableImpl>(
      spec, context_.operator_name, *context_.budget, context_.opaque, context_.pause);
  if (restored_ != nullptr && restored_->has_table(spec)) {
    restored_->fill(*table, context_.key_groups);
  }
  table->set_time(now_);
  uses_time_ = uses_time_ || spec.ttl_ms.has_value();
  tables_.push_back(std::move(table));
  return *tables_.back();
}

stream::KeyedTimers& OperatorState::timers(stream::KeyedTable& table, TimerKind kind) {
  auto& owned = static_cast<KeyedTableImpl&>(table);
  return kind == TimerKind::kEventTime ? owned.event_timers() : owned.processing_timers();
}

stream::OperatorListState& OperatorState::list_state(const std::string& name,
                                                     stream::ListMode mode) {
  std::vector<std::string> items;
  if (restored_ != nullptr) {
    items = restored_->list(name);
    if (mode == stream::ListMode::kSplit) {
      items = share_of(std::move(items), context_.subtask, context_.parallelism);
    }
  }
  lists_.push_back(std::make_unique<ListStateImpl>(name, std::move(items)));
  return *lists_.back();
}

void OperatorState::finish_restore(bool allow_unused) {
  if (restored_ == nullptr) {
    return;
  }
  const auto refuse = [this](const std::string& name) {
    throw Error(ErrorCode::kRestoreFailed,
                fmt::format("The checkpoint holds state '{}' that operator '{}' does not ask for",
                            name,
                            context_.operator_name))
        .hint(
            "resume with the statements that the checkpoint was taken with, or allow state to "
            "be dropped ('execution.state-recovery.ignore-unclaimed-state')");
  };
  for (const std::string& name : restored_->table_names()) {
    const bool asked = std::any_of(tables_.begin(), tables_.end(), [&name](const auto& table) {
      return table->spec().name == name;
    });
    if (!asked && !allow_unused) {
      refuse(name);
    }
  }
  for (const std::string& name : restored_->list_names()) {
    const bool asked = std::any_of(
        lists_.begin(), lists_.end(), [&name](const auto& list) { return list->name() == name; });
    if (!asked && !allow_unused) {
      refuse(name);
    }
  }
  restored_.reset();
}

void OperatorState::set_time(ProcessingTime now) {
  now_ = now;
  for (const auto& table : tables_) {
    table->set_time(now);
  }
}

int64_t OperatorState::next_processing_time() const {
  int64_t earliest = std::numeric_limits<int64_t>::max();
  for (const auto& table : tables_) {
    earliest = std::min(earliest,
                        static_cast<const KeyedTableImpl&>(*table).processing_timers().next_time());
  }
  return earliest;
}

std::unique_ptr<OperatorSnapshot> OperatorState::begin_snapshot() {
  auto snapshot = std::make_unique<OperatorSnapshot>();
  for (const auto& table : tables_) {
    snapshot->tables.push_back(table->begin_snapshot());
  }
  for (const auto& list : lists_) {
    snapshot->lists.push_back({list->name(), list->items()});
  }
  return snapshot;
}

}  // namespace thalweg::state
