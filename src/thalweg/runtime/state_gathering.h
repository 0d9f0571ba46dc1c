#pragma once

#include <future>
#include <memory>
#include <mutex>

#include "thalweg/runtime/inspection.h"
#include "thalweg/runtime/task.h"

namespace thalweg::runtime {

/// Puts together what the subtasks of one operator tell of their state. Shared by whoever waits for
/// it and the tasks that are asked; thread-safe.
class StateGathering {
 public:
  explicit StateGathering(StateQuery query) : query_(std::move(query)) {}

  /// Held by everything that may still add to a gathering, requests in mailboxes that are answered
  /// or dropped in the end: it is complete when the last copy goes.
  using Token = std::shared_ptr<StateGathering>;
  static Token token_of(const std::shared_ptr<StateGathering>& gathering);

  /// Asks a task that runs the operator; the job's master thread.
  static void ask(const Token& token, Task& task);

  /// Waits until it is complete, or for the query's time. Called once.
  StateListing wait();

  const StateQuery& query() const { return query_; }

 private:
  class Share;

  void add(std::vector<state::ListedTable> tables);

  StateQuery query_;
  std::promise<void> complete_;
  std::mutex mutex_;
  StateListing listing_;
};

}  // namespace thalweg::runtime
