#include "thalweg/runtime/state_gathering.h"

#include <algorithm>
#include <chrono>

#include "thalweg/state/keyed_table_impl.h"

namespace thalweg::runtime {

namespace {

using state::ListedTable;

std::optional<int64_t> earlier(std::optional<int64_t> left, std::optional<int64_t> right) {
  return left && right ? std::min(left, right) : (left ? left : right);
}

void merge(ListedTable& into, ListedTable table, size_t limit) {
  into.record_count += table.record_count;
  into.byte_size += table.byte_size;
  into.next_event_timer_ms = earlier(into.next_event_timer_ms, table.next_event_timer_ms);
  into.next_processing_timer_ms =
      earlier(into.next_processing_timer_ms, table.next_processing_timer_ms);
  for (state::ListedRecord& record : table.records) {
    if (into.records.size() < limit) {
      into.records.push_back(std::move(record));
    }
  }
}

}  // namespace

/// One task's part, made table by table on its thread.
class StateGathering::Share {
 public:
  Share(Token token, int32_t subtask) : token_(std::move(token)), subtask_(subtask) {}

  /// False when the task has told everything.
  bool step(const Chain& chain) {
    if (!started_) {
      start(chain);
    }
    if (!listers_.empty()) {
      if (listers_.back().step()) {
        return true;
      }
      tables_.push_back(listers_.back().take());
      listers_.pop_back();
    }
    if (listers_.empty()) {
      std::reverse(tables_.begin(), tables_.end());
      token_->add(std::move(tables_));
      return false;
    }
    return true;
  }

 private:
  void start(const Chain& chain) {
    started_ = true;
    const StateQuery& query = token_->query();
    for (const auto& step : chain.operators()) {
      if (step->id() != query.operator_id) {
        continue;
      }
      for (const auto& table : step->state().tables()) {
        if (query.table.empty() || table->spec().name == query.table) {
          listers_.emplace_back(*table, state::ListingRequest{query.key, query.limit}, subtask_);
        }
      }
    }
  }

  Token token_;
  int32_t subtask_;
  bool started_ = false;
  std::vector<state::TableLister> listers_;
  std::vector<ListedTable> tables_;
};

StateGathering::Token StateGathering::token_of(const std::shared_ptr<StateGathering>& gathering) {
  return {gathering.get(), [gathering](StateGathering*) { gathering->complete_.set_value(); }};
}

void StateGathering::ask(const Token& token, Task& task) {
  {
    const std::lock_guard lock(token->mutex_);
    ++token->listing_.asked;
  }
  auto share = std::make_shared<Share>(token, task.id().subtask);
  task.post_request([share = std::move(share)](const Chain& chain) {
    try {
      return share->step(chain);
    } catch (const std::exception&) {
      // A value that can't be shown leaves the share unanswered; it must not end the job.
      return false;
    }
  });
}

void StateGathering::add(std::vector<ListedTable> tables) {
  const std::lock_guard lock(mutex_);
  ++listing_.answered;
  for (ListedTable& table : tables) {
    const auto known = std::find_if(listing_.tables.begin(),
                                    listing_.tables.end(),
                                    [&](const auto& one) { return one.name == table.name; });
    if (known == listing_.tables.end()) {
      listing_.tables.push_back(std::move(table));
    } else {
      merge(*known, std::move(table), query_.limit);
    }
  }
}

StateListing StateGathering::wait() {
  complete_.get_future().wait_for(std::chrono::milliseconds(query_.timeout_ms));
  const std::lock_guard lock(mutex_);
  return listing_;
}

}  // namespace thalweg::runtime
