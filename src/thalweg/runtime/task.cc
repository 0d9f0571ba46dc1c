#include "thalweg/runtime/task.h"

#include <fmt/format.h>

namespace thalweg::runtime {

namespace {

int32_t input_count(const TaskPlan& plan) {
  int32_t inputs = 1;
  for (const int32_t input : plan.channel_inputs) {
    inputs = std::max(inputs, input + 1);
  }
  return inputs;
}

}  // namespace

Task::Task(TaskPlan plan, const TaskServices& services, Inbox& inbox)
    : plan_(std::move(plan)),
      services_(services),
      inbox_(inbox),
      budget_(fmt::format("task {} ({})", plan_.vertex->name, plan_.subtask),
              MemoryBudget::kUnlimited,
              &services.job_budget),
      chain_(*plan_.vertex,
             plan_.subtask,
             input_count(plan_),
             services,
             inbox_,
             budget_,
             plan_.probes,
             plan_.restored,
             std::move(plan_.edges)) {}

Task::~Task() = default;

void Task::run() noexcept {
  try {
    run_until_done();
    end(TaskEnd::kFinished, std::nullopt);
  } catch (const Error& error) {
    const bool cancelled = error.code() == ErrorCode::kJobCancelled;
    end(cancelled ? TaskEnd::kCancelled : TaskEnd::kFailed, error);
  } catch (const std::exception& exception) {
    end(TaskEnd::kFailed, Error(ErrorCode::kInternal, exception.what()));
  }
}

void Task::run_until_done() {
  services_.reached(HookPoint::kTaskStarted, {});
  if (plan_.restored.finished) {
    chain_.commit_restored(plan_.restored);
    services_.events.task_running(id());
    plan_.probes.show_end_of_time();
    chain_.edges().on_watermark(kMaxEventTime);
    chain_.edges().on_input_end(0);
    drained();
  } else {
    chain_.open(plan_.restored);
    plan_.restored.operators.clear();
    open_input();
    services_.events.task_running(id());
  }
  while (!done_) {
    run_due();
    take_one();
    run_look();
  }
  if (!plan_.restored.finished) {
    close_input();
    chain_.close();
  }
}

void Task::end(TaskEnd end, std::optional<Error> error) noexcept {
  if (end == TaskEnd::kFailed) {
    // What came before the failure is sent and written, as Flink would have sent it row by row.
    try {
      chain_.flush();
    } catch (const std::exception&) {
      // The first failure counts.
    }
  }
  if (end != TaskEnd::kFinished) {
    try {
      close_input();
      chain_.close();
    } catch (const std::exception&) {
      // The first failure counts.
    }
  }
  inbox_.abandon();
  chain_.edges().close(end == TaskEnd::kFinished);
  services_.events.task_ended(id(), end, std::move(error));
}

void Task::run_due() {
  const ProcessingTime alarm = drained_ ? kMaxProcessingTime : chain_.next_alarm();
  const ProcessingTime flush = chain_.edges().flush_deadline();
  if (alarm == kMaxProcessingTime && flush == kMaxProcessingTime) {
    return;
  }
  const ProcessingTime now = services_.scheduler.now();
  if (now >= alarm) {
    chain_.run_due(now);
  }
  if (now >= flush) {
    chain_.edges().flush();
  }
}

void Task::run_look() {
  if (looks_.empty()) {
    return;
  }
  Look look = std::move(looks_.front());
  looks_.pop_front();
  if (look(chain_)) {
    looks_.push_back(std::move(look));
  }
}

ProcessingTime Task::next_deadline() const {
  if (!looks_.empty()) {
    return {0};
  }
  return drained_ ? kMaxProcessingTime : chain_.next_alarm();
}

bool Task::take(Inbox::Item& item, ProcessingTime deadline) {
  if (inbox_.try_take(item)) {
    return true;
  }
  chain_.edges().flush();
  return inbox_.take(item, deadline);
}

void Task::pass_barrier(const Barrier& barrier) {
  if (barrier.is_probe) {
    run_due();
    chain_.send_barrier(barrier);
    services_.events.probe_passed(id(), barrier.checkpoint.value);
    return;
  }
  services_.reached(HookPoint::kBeforeSnapshot, barrier.checkpoint);
  TaskSnapshot snapshot;
  snapshot.task = id();
  snapshot.finished = drained_;
  if (drained_) {
    chain_.edges().emit_barrier(barrier);
  } else {
    chain_.send_barrier(barrier);
  }
  if (!plan_.restored.finished) {
    chain_.fill_snapshot(barrier.checkpoint, snapshot);
    fill_input_snapshot(snapshot);
  }
  services_.reached(HookPoint::kAfterSnapshot, barrier.checkpoint);
  if ((drained_ || barrier.stops) && !finishes_with_) {
    finish_with(barrier.checkpoint);
  }
  services_.events.checkpoint_taken(barrier.checkpoint, std::move(snapshot));
}

void Task::drained() {
  drained_ = true;
  if (inbox_.channel_count() == 0) {
    done_ = !services_.is_checkpointed() && !finishes_with_;
  }
  services_.events.task_drained(id());
}

void Task::post_checkpoint_complete(CheckpointId checkpoint) {
  inbox_.post([this, checkpoint] {
    if (!plan_.restored.finished) {
      on_checkpoint_complete(checkpoint);
      chain_.on_checkpoint_complete(checkpoint);
    }
    if (finishes_with_ && *finishes_with_ <= checkpoint) {
      done_ = true;
    }
  });
}

void Task::post_checkpoint_aborted(CheckpointId checkpoint) {
  inbox_.post([this, checkpoint] {
    if (finishes_with_ == checkpoint) {
      finishes_with_.reset();
    }
    on_checkpoint_aborted(checkpoint);
  });
}

void Task::post_request(Look look) {
  inbox_.post([this, look = std::move(look)] { looks_.push_back(look); });
}

}  // namespace thalweg::runtime
