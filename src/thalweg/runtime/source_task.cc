#include "thalweg/runtime/source_task.h"

#include <chrono>

namespace thalweg::runtime {

namespace {

/// How long a reader with nothing to give may keep the task from its mailbox.
constexpr int64_t kPollMs = 10;

}  // namespace

SourceTask::SourceTask(TaskPlan plan, const TaskServices& services, Inbox& inbox)
    : Task(std::move(plan), services, inbox),
      reader_(plan_.vertex->source->source->create_reader()),
      output_(inbox,
              chain_.head(),
              plan_.probes.source->metrics.counter(stream::metric::kRowsOut),
              plan_.probes.source->tap) {}

void SourceTask::open_input() {
  reader_->open(*this);
  opened_ = true;
  if (!plan_.restored.splits.empty()) {
    add_splits(std::move(plan_.restored.splits));
  }
}

void SourceTask::close_input() {
  if (opened_) {
    opened_ = false;
    reader_->close();
  }
}

void SourceTask::add_splits(std::vector<stream::Split> splits) {
  splits_ += splits.size();
  for (const stream::Split& split : splits) {
    output_.emit_split(split.id, false);
  }
  reader_->add_splits(std::move(splits));
  output_.emit_idle(splits_ == 0);
  end_splits();
}

void SourceTask::end_splits() {
  for (const std::string& split : ended_splits_) {
    output_.emit_split(split, true);
  }
  ended_splits_.clear();
}

void SourceTask::post_splits(std::vector<stream::Split> splits, bool no_more) {
  inbox_.post([this, splits = std::move(splits), no_more] {
    if (drained_) {
      return;
    }
    add_splits(splits);
    if (no_more) {
      reader_->no_more_splits();
    }
    quiet_ = false;
  });
}

void SourceTask::post_barrier(const Barrier& barrier) {
  inbox_.post([this, barrier] { on_barrier(barrier); });
}

void SourceTask::on_barrier(const Barrier& barrier) {
  if (barrier.is_probe && !drained_ && !held_) {
    probes_.push_back(barrier);
    return;
  }
  if (barrier.stops) {
    held_ = barrier.checkpoint;
  }
  if (barrier.drains && !drained_) {
    finish_with(barrier.checkpoint);
    on_end();
  }
  pass_barrier(barrier);
}

void SourceTask::take_one() {
  Inbox::Item item;
  if (inbox_.try_take(item)) {
    item.mail();
  } else if (drained_ || held_) {
    if (take(item, next_deadline())) {
      item.mail();
    }
  } else {
    poll();
  }
}

stream::PollResult SourceTask::poll_reader() {
  const bool waits = quiet_ && probes_.empty() && !services_.scheduler.is_simulated();
  if (!waits) {
    return reader_->poll(0);
  }
  const ProcessingTime alarm = next_deadline();
  int64_t wait_ms = kPollMs;
  if (alarm != kMaxProcessingTime) {
    wait_ms = std::clamp<int64_t>(alarm.ms - now().ms, 0, kPollMs);
  }
  const auto begin = std::chrono::steady_clock::now();
  stream::PollResult result = reader_->poll(wait_ms);
  const auto waited = std::chrono::steady_clock::now() - begin;
  impatient_ = waited < std::chrono::milliseconds(wait_ms) / 2;
  return result;
}

void SourceTask::poll() {
  stream::PollResult result = poll_reader();
  switch (result.kind) {
    case stream::PollResult::Kind::kBatch:
      on_batch(std::move(result));
      break;
    case stream::PollResult::Kind::kNothing:
      on_nothing();
      break;
    case stream::PollResult::Kind::kEnd:
      on_end();
      return;
  }
  end_splits();
}

void SourceTask::on_batch(stream::PollResult result) {
  quiet_ = false;
  if (result.batch.origin().split == nullptr && result.split != nullptr) {
    Origin origin = result.batch.origin();
    origin.split = result.split;
    result.batch.set_origin(std::move(origin));
  }
  output_.emit(std::move(result.batch));
  if (result.failure) {
    throw std::move(*result.failure);
  }
}

void SourceTask::on_nothing() {
  for (const Barrier& probe : std::exchange(probes_, {})) {
    pass_barrier(probe);
  }
  chain_.edges().flush();
  if (quiet_ && (impatient_ || services_.scheduler.is_simulated())) {
    Inbox::Item item;
    if (inbox_.take_briefly(item, kPollMs)) {
      item.mail();
    }
  }
  quiet_ = true;
}

void SourceTask::on_end() {
  // A reader that never had a split is idle, and watermarks of idle channels do not count.
  output_.emit_idle(false);
  output_.emit_watermark(kMaxEventTime);
  output_.emit_end();
  drained();
  for (const Barrier& probe : std::exchange(probes_, {})) {
    pass_barrier(probe);
  }
}

void SourceTask::fill_input_snapshot(TaskSnapshot& snapshot) {
  if (!drained_) {
    snapshot.splits = reader_->snapshot();
  }
}

void SourceTask::on_checkpoint_complete(CheckpointId checkpoint) {
  reader_->on_checkpoint_complete(checkpoint);
}

void SourceTask::on_checkpoint_aborted(CheckpointId checkpoint) {
  if (held_ == checkpoint) {
    held_.reset();
  }
}

}  // namespace thalweg::runtime
