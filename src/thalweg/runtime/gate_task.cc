#include "thalweg/runtime/gate_task.h"

namespace thalweg::runtime {

GateTask::GateTask(TaskPlan plan, const TaskServices& services, Inbox& inbox)
    : Task(std::move(plan), services, inbox),
      watermarks_(inbox.channel_count()),
      aligner_(inbox.channel_count()) {
  for (const int32_t input : plan_.channel_inputs) {
    const auto index = static_cast<size_t>(input);
    if (open_channels_.size() <= index) {
      open_channels_.resize(index + 1);
    }
    ++open_channels_[index];
  }
}

void GateTask::take_one() {
  Inbox::Item item;
  if (!take(item, next_deadline())) {
    return;
  }
  if (item.kind == Inbox::Item::Kind::kMail) {
    item.mail();
  } else {
    on_message(item.channel, std::move(item.message));
  }
}

void GateTask::on_message(size_t channel, Message message) {
  switch (message.kind) {
    case Message::Kind::kBatch:
      watermarks_.merge_marks(channel, message.batch);
      chain_.head().on_batch(std::move(message.batch), plan_.channel_inputs[channel]);
      return;
    case Message::Kind::kWatermark:
      apply(watermarks_.advance(channel, message.watermark));
      return;
    case Message::Kind::kIdle:
      apply(watermarks_.set_idle(channel, message.idle));
      return;
    case Message::Kind::kBarrier:
      if (message.barrier.is_probe) {
        probes_[message.barrier.checkpoint.value].insert(channel);
        pass_probes();
      } else {
        apply(aligner_.on_barrier(channel, message.barrier), channel);
      }
      return;
    case Message::Kind::kEndOfData:
      on_end_of_data(channel);
      return;
    case Message::Kind::kClosed:
      on_closed(channel, message.clean);
      return;
  }
}

void GateTask::apply(const WatermarkMerger::Change& change) {
  if (plan_.restored.finished) {
    return;
  }
  if (change.idle && !*change.idle) {
    chain_.head().on_idle(false);
  }
  if (change.watermark) {
    chain_.head().on_watermark(*change.watermark);
  }
  if (change.idle && *change.idle) {
    chain_.head().on_idle(true);
  }
}

void GateTask::apply(const BarrierAligner::Decision& decision, size_t channel) {
  if (decision.unblocks_first || decision.complete) {
    inbox_.unblock_all();
  }
  if (decision.blocks) {
    inbox_.block(channel);
  }
  if (decision.complete) {
    pass_barrier(*decision.complete);
  }
}

void GateTask::pass_probes() {
  for (auto probe = probes_.begin(); probe != probes_.end();) {
    std::set<size_t> seen = probe->second;
    seen.insert(closed_.begin(), closed_.end());
    if (seen.size() < inbox_.channel_count()) {
      ++probe;
      continue;
    }
    const uint64_t number = probe->first;
    probe = probes_.erase(probe);
    pass_barrier({.checkpoint = {number}, .is_probe = true});
  }
}

void GateTask::on_end_of_data(size_t channel) {
  ++ended_;
  if (plan_.restored.finished) {
    return;
  }
  const int32_t input = plan_.channel_inputs[channel];
  if (--open_channels_[static_cast<size_t>(input)] == 0) {
    chain_.head().on_input_end(input);
  }
  if (ended_ == inbox_.channel_count()) {
    drained();
  }
}

void GateTask::on_closed(size_t channel, bool clean) {
  closed_.insert(channel);
  unclean_ = unclean_ || !clean;
  apply(aligner_.on_closed(channel), channel);
  pass_probes();
  if (closed_.size() < inbox_.channel_count()) {
    return;
  }
  if (unclean_) {
    chain_.flush();
    throw_cancelled();
  }
  if (drained_ && !services_.is_checkpointed()) {
    done_ = true;
  }
}

void GateTask::on_checkpoint_aborted(CheckpointId checkpoint) {
  apply(aligner_.on_aborted(checkpoint), 0);
}

}  // namespace thalweg::runtime
