#include "thalweg/runtime/chain.h"

namespace thalweg::runtime {

TaskProbes TaskProbes::make(const Vertex& vertex, int32_t subtask, const TapBoard& taps) {
  const auto probe = [&](OperatorId id, const std::string& name) {
    return std::make_shared<OperatorProbe>(id, name, subtask, taps);
  };
  TaskProbes probes;
  if (vertex.source) {
    probes.source = probe(vertex.source->id, vertex.source->name);
  }
  for (const ChainedOperator& one : vertex.operators) {
    probes.operators.push_back(probe(one.id, one.name));
  }
  if (vertex.sink) {
    probes.sink = probe(vertex.sink->id, vertex.sink->name);
  }
  return probes;
}

void TaskProbes::show_end_of_time() const {
  for (const auto& probe : operators) {
    probe->metrics.gauge(stream::metric::kCurrentWatermark).set(kMaxEventTime.ms);
  }
  if (sink != nullptr) {
    sink->metrics.gauge(stream::metric::kCurrentWatermark).set(kMaxEventTime.ms);
  }
}

Chain::Chain(const Vertex& vertex,
             int32_t subtask,
             int32_t inputs,
             const TaskServices& services,
             const Inbox& inbox,
             MemoryBudget& task_budget,
             const TaskProbes& probes,
             const RestoredTask& restored,
             std::vector<OutputEdge> edges)
    : edges_(std::move(edges)), head_(&edges_) {
  if (vertex.sink) {
    sink_ = std::make_unique<SinkStep>(
        *vertex.sink, subtask, vertex.parallelism, services, inbox, *probes.sink);
    head_ = sink_.get();
  }
  for (size_t i = vertex.operators.size(); i-- > 0;) {
    const ChainedOperator& one = vertex.operators[i];
    const OperatorStep::Place place{subtask, vertex.parallelism, i == 0 ? inputs : 1};
    operators_.push_back(std::make_unique<OperatorStep>(one,
                                                        place,
                                                        services,
                                                        inbox,
                                                        task_budget,
                                                        *probes.operators[i],
                                                        *head_,
                                                        restored.state_of(one.id)));
    head_ = operators_.back().get();
  }
  std::reverse(operators_.begin(), operators_.end());
}

void Chain::open(const RestoredTask& restored) {
  if (sink_ != nullptr) {
    sink_->open(restored);
  }
  for (size_t i = operators_.size(); i-- > 0;) {
    operators_[i]->open();
  }
}

void Chain::close() {
  for (const auto& one : operators_) {
    one->close();
  }
  if (sink_ != nullptr) {
    sink_->close();
  }
}

ProcessingTime Chain::next_alarm() const {
  ProcessingTime earliest = kMaxProcessingTime;
  for (const auto& one : operators_) {
    earliest = std::min(earliest, one->next_alarm());
  }
  return earliest;
}

void Chain::run_due(ProcessingTime now) {
  for (const auto& one : operators_) {
    one->run_due(now);
  }
}

void Chain::flush() {
  edges_.flush();
  if (sink_ != nullptr) {
    sink_->flush();
  }
}

void Chain::commit_restored(const RestoredTask& restored) {
  if (sink_ != nullptr && !restored.committables.empty()) {
    sink_->open(restored);
    sink_->close();
  }
}

void Chain::send_barrier(const Barrier& barrier) {
  if (!barrier.is_probe) {
    for (const auto& one : operators_) {
      one->before_snapshot();
    }
  }
  edges_.emit_barrier(barrier);
}

void Chain::fill_snapshot(CheckpointId checkpoint, TaskSnapshot& snapshot) {
  for (const auto& one : operators_) {
    snapshot.operators.emplace_back(one->id(), one->begin_snapshot());
  }
  if (sink_ != nullptr) {
    snapshot.committables = sink_->snapshot(checkpoint);
  }
}

void Chain::on_checkpoint_complete(CheckpointId checkpoint) {
  if (sink_ != nullptr) {
    sink_->on_checkpoint_complete(checkpoint);
  }
}

}  // namespace thalweg::runtime
