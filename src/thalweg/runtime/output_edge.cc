#include "thalweg/runtime/output_edge.h"

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"
#include "thalweg/types/batch_merge.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::runtime {

OutputEdge::OutputEdge(Scheduler& scheduler,
                       const Edge& edge,
                       int32_t subtask,
                       std::vector<ChannelEnd> targets,
                       EdgeLimits limits,
                       const Inbox& own_inbox)
    : scheduler_(scheduler),
      partitioning_(edge.partitioning),
      limits_(limits),
      own_inbox_(own_inbox),
      next_target_(targets.empty() ? 0 : static_cast<size_t>(subtask) % targets.size()),
      random_(static_cast<uint32_t>(subtask)) {
  check(!targets.empty(), "an edge without targets");
  for (const ColumnIndex key : edge.keys) {
    keys_.push_back(static_cast<size_t>(key.value));
  }
  for (const ChannelEnd& end : targets) {
    targets_.push_back({end});
  }
}

void OutputEdge::emit(Batch batch) {
  if (targets_.size() == 1 && partitioning_ != Partitioning::kByNumber) {
    add_piece(targets_[0], std::move(batch));
    return;
  }
  switch (partitioning_) {
    case Partitioning::kHash:
      emit_by_hash(batch);
      return;
    case Partitioning::kBroadcast:
      for (Target& target : targets_) {
        add_piece(target, batch);
      }
      return;
    case Partitioning::kRebalance:
      emit_in_turn(std::move(batch));
      return;
    case Partitioning::kRoundRobin:
    case Partitioning::kRescale:
      emit_each(batch, [this](size_t) {
        next_target_ = (next_target_ + 1) % targets_.size();
        return next_target_;
      });
      return;
    case Partitioning::kShuffle:
      emit_each(batch, [this](size_t) { return random_() % targets_.size(); });
      return;
    case Partitioning::kByNumber:
      emit_by_number(batch);
      return;
    case Partitioning::kSingleton:
      emit_each(batch, [](size_t) { return size_t{0}; });
      return;
    case Partitioning::kForward:
      break;
  }
  unreachable("an edge to one target has several");
}

void OutputEdge::emit_by_hash(const Batch& batch) {
  key_columns_.clear();
  for (const size_t key : keys_) {
    key_columns_.push_back(batch.column_ptr(key));
  }
  hashes_.resize(static_cast<size_t>(batch.row_count()));
  hash_rows(key_columns_, hashes_);
  const auto parallelism = static_cast<int32_t>(targets_.size());
  emit_each(batch, [&](size_t row) {
    return static_cast<size_t>(subtask_of(key_group_of(hashes_[row]), parallelism));
  });
}

template <typename TargetOf>
void OutputEdge::emit_each(const Batch& batch, const TargetOf& target_of) {
  const auto rows = static_cast<size_t>(batch.row_count());
  for (Target& target : targets_) {
    target.chosen.resize(std::max(target.chosen.size(), rows));
    target.chosen_count = 0;
  }
  for (size_t row = 0; row < rows; ++row) {
    Target& target = targets_[target_of(row)];
    target.chosen[target.chosen_count++] = static_cast<int32_t>(row);
  }
  for (Target& target : targets_) {
    if (target.chosen_count == rows) {
      add_piece(target, batch);
    } else if (target.chosen_count > 0 || !batch.marks().empty()) {
      add_part(target, batch);
    }
  }
}

void OutputEdge::emit_by_number(const Batch& batch) {
  const Column& numbers = batch.column(keys_.at(0));
  emit_each(batch, [&](size_t row) {
    const int32_t number = numbers.at<int32_t>(static_cast<int32_t>(row));
    if (number < 0 || number >= static_cast<int32_t>(targets_.size())) {
      throw Error(ErrorCode::kValidation,
                  fmt::format("A partitioner chose partition {} of {}: partitions are numbered "
                              "from 0",
                              number,
                              targets_.size()));
    }
    return static_cast<size_t>(number);
  });
}

void OutputEdge::emit_in_turn(Batch batch) {
  const size_t chosen = next_target_;
  next_target_ = (next_target_ + 1) % targets_.size();
  if (!batch.marks().empty()) {
    const EventTime reached = batch.marks().back().watermark;
    for (size_t i = 0; i < targets_.size(); ++i) {
      if (i != chosen) {
        flush(targets_[i]);
        send(targets_[i], Message::of(reached));
      }
    }
  }
  add_piece(targets_[chosen], std::move(batch));
}

void OutputEdge::add_piece(Target& target, Batch batch) {
  if (!target.parts.empty()) {
    target.pieces.push_back(gather_batches(target.parts));
    target.parts.clear();
  }
  // A piece of some size is not worth copying once more into a larger one.
  if (target.pieces.empty() && batch.row_count() >= limits_.batch_rows / 4) {
    send(target, Message::of(std::move(batch)));
    return;
  }
  target.rows += batch.row_count();
  target.pieces.push_back(std::move(batch));
  flush_if_full(target);
}

void OutputEdge::add_part(Target& target, const Batch& batch) {
  // Few rows are not worth holding the whole batch.
  constexpr size_t kLeastShare = 4;
  const auto chosen = std::span(target.chosen).first(target.chosen_count);
  const auto rows = static_cast<size_t>(batch.row_count());
  if (!target.pieces.empty() || chosen.size() * kLeastShare < rows) {
    add_piece(target, batch.select(chosen));
    return;
  }
  target.rows += static_cast<int32_t>(chosen.size());
  target.parts.push_back({batch, {chosen.begin(), chosen.end()}});
  flush_if_full(target);
}

void OutputEdge::flush_if_full(Target& target) {
  // Pieces are seldom of the right size together.
  if (target.rows >= limits_.batch_rows / 4 * 3 || limits_.buffer_timeout_ms == 0) {
    flush(target);
  } else if (flush_deadline_ == kMaxProcessingTime && limits_.buffer_timeout_ms > 0) {
    flush_deadline_ = {scheduler_.now().ms + limits_.buffer_timeout_ms};
  }
}

void OutputEdge::flush(Target& target) {
  if (target.pieces.empty() && target.parts.empty()) {
    return;
  }
  Batch batch = target.parts.empty() ? concat_batches(target.pieces) : gather_batches(target.parts);
  target.pieces.clear();
  target.parts.clear();
  target.rows = 0;
  if (batch.row_count() == 0) {
    // Nothing but marks was left for this target.
    send(target, Message::of(batch.marks().back().watermark));
    return;
  }
  send(target, Message::of(std::move(batch)));
}

void OutputEdge::flush() {
  for (Target& target : targets_) {
    flush(target);
  }
  flush_deadline_ = kMaxProcessingTime;
}

void OutputEdge::send(Target& target, Message message) {
  if (own_inbox_.is_cancelled()) {
    throw_cancelled();
  }
  target.end.inbox->push(target.end.channel, std::move(message));
}

void OutputEdge::send_all(const Message& message) {
  flush();
  for (Target& target : targets_) {
    send(target, message);
  }
}

void OutputEdge::emit_watermark(EventTime watermark) {
  send_all(Message::of(watermark));
}

void OutputEdge::emit_idle(bool idle) {
  send_all(Message::idleness(idle));
}

void OutputEdge::emit_barrier(const Barrier& barrier) {
  send_all(Message::of(barrier));
}

void OutputEdge::emit_end_of_data() {
  send_all(Message::end_of_data());
}

void OutputEdge::close(bool clean) noexcept {
  for (Target& target : targets_) {
    target.end.inbox->close(target.end.channel, clean);
  }
}

}  // namespace thalweg::runtime
