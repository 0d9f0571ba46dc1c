#include "thalweg/runtime/execution.h"

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"

namespace thalweg::runtime {

void validate_graph(const JobGraph& graph) {
  check(!graph.vertices.empty(), "a job without vertices");
  std::map<uint32_t, const Vertex*> vertices;
  std::set<OperatorId> operators;
  const auto add_operator = [&operators](OperatorId id) {
    check(operators.insert(id).second, "two operators with one id");
  };
  for (const Vertex& vertex : graph.vertices) {
    check(vertices.emplace(vertex.id, &vertex).second, "two vertices with one id");
    if (vertex.parallelism < 1 || vertex.parallelism > kKeyGroups) {
      throw Error(
          ErrorCode::kInvalidConfiguration,
          fmt::format(
              "A parallelism must be between 1 and {}, not {}", kKeyGroups, vertex.parallelism))
          .hint("Set 'parallelism.default', or call set_parallelism(), with a number in between.");
    }
    if (vertex.source) {
      add_operator(vertex.source->id);
    }
    for (const ChainedOperator& one : vertex.operators) {
      add_operator(one.id);
    }
    if (vertex.sink) {
      add_operator(vertex.sink->id);
    }
  }
  std::set<uint32_t> fed;
  for (const Edge& edge : graph.edges) {
    check(vertices.contains(edge.from) && vertices.contains(edge.to), "an edge to nowhere");
    const Vertex& from = *vertices[edge.from];
    const Vertex& to = *vertices[edge.to];
    check(!to.source && !from.sink, "an edge into a source or out of a sink");
    check(edge.partitioning != Partitioning::kForward || from.parallelism == to.parallelism,
          "a forward edge between different parallelisms");
    fed.insert(edge.to);
  }
  for (const Vertex& vertex : graph.vertices) {
    check(vertex.source.has_value() != fed.contains(vertex.id), "a vertex needs one kind of input");
  }
}

Execution::Execution(const JobGraph& graph,
                     const TaskServices& services,
                     RestoredTasks restored,
                     std::map<uint32_t, SplitAssigner>& splits)
    : graph_(graph), services_(services), splits_(splits) {
  connect();
  make_tasks(std::move(restored));
}

Execution::~Execution() {
  cancel();
  join();
}

const Vertex& Execution::vertex(uint32_t id) const {
  return *std::find_if(graph_.vertices.begin(), graph_.vertices.end(), [id](const Vertex& one) {
    return one.id == id;
  });
}

std::vector<int32_t> Execution::targets_of(const Edge& edge, int32_t subtask) const {
  if (edge.partitioning == Partitioning::kForward) {
    return {subtask};
  }
  const int32_t senders = vertex(edge.from).parallelism;
  const int32_t receivers = vertex(edge.to).parallelism;
  int32_t begin = 0;
  int32_t end = receivers;
  if (edge.partitioning == Partitioning::kRescale) {
    begin = subtask * receivers / senders;
    end = std::max(begin + 1, (subtask + 1) * receivers / senders);
  }
  std::vector<int32_t> targets;
  for (int32_t i = begin; i < end; ++i) {
    targets.push_back(i);
  }
  return targets;
}

void Execution::connect() {
  for (const Vertex& one : graph_.vertices) {
    for (int32_t subtask = 0; subtask < one.parallelism; ++subtask) {
      inboxes_[{one.id, subtask}] = std::make_unique<Inbox>(services_.scheduler);
    }
  }
  const auto capacity = static_cast<size_t>(std::max(1, services_.options.channel_capacity));
  const EdgeLimits limits{services_.options.buffer_timeout_ms, services_.options.batch_rows};
  for (const Edge& edge : graph_.edges) {
    for (int32_t subtask = 0; subtask < vertex(edge.from).parallelism; ++subtask) {
      const TaskId from{edge.from, subtask};
      std::vector<ChannelEnd> ends;
      for (const int32_t target : targets_of(edge, subtask)) {
        const TaskId to{edge.to, target};
        Inbox* inbox = inboxes_.at(to).get();
        ends.push_back({inbox, inbox->add_channel(capacity)});
        targets_[from].push_back({to, ends.back().channel});
        channel_inputs_[to].push_back(edge.input);
      }
      edges_[from].emplace_back(
          services_.scheduler, edge, subtask, std::move(ends), limits, *inboxes_.at(from));
    }
  }
}

void Execution::make_tasks(RestoredTasks restored) {
  for (const Vertex& one : graph_.vertices) {
    for (int32_t subtask = 0; subtask < one.parallelism; ++subtask) {
      const TaskId id{one.id, subtask};
      TaskPlan plan;
      plan.vertex = &one;
      plan.subtask = subtask;
      plan.channel_inputs = std::move(channel_inputs_[id]);
      plan.edges = std::move(edges_[id]);
      plan.restored = std::move(restored[id]);
      plan.probes = TaskProbes::make(one, subtask, services_.taps);
      Inbox& inbox = *inboxes_.at(id);
      if (one.source) {
        tasks_[id] = std::make_unique<SourceTask>(std::move(plan), services_, inbox);
      } else {
        tasks_[id] = std::make_unique<GateTask>(std::move(plan), services_, inbox);
      }
    }
  }
}

void Execution::start() {
  const ProcessingTime now = services_.scheduler.now();
  for (const Vertex& one : graph_.vertices) {
    if (!one.source) {
      continue;
    }
    stream::TableSource& source = *one.source->source;
    const int64_t interval = source.discovery_interval_ms();
    SplitAssigner& assigner = splits_.at(one.id);
    if (assigner.is_restored()) {
      source.on_restored();
    }
    // What is found only once was found before the checkpoint.
    const bool discovers = interval > 0 || !assigner.is_restored();
    hand_out(one,
             assigner.assign(discovers ? source.discover_splits() : std::vector<stream::Split>{}),
             interval <= 0);
    if (interval > 0) {
      next_discovery_[one.id] = {now.ms + interval};
    }
  }
  for (auto& [id, task] : tasks_) {
    live_.insert(id);
    threads_.push_back(services_.scheduler.start(fmt::format("{}-{}", id.vertex, id.subtask),
                                                 [one = task.get()] { one->run(); }));
  }
}

void Execution::assume_idle(TaskId source) {
  for (const Target& target : targets_[source]) {
    static_cast<GateTask&>(*tasks_.at(target.task)).assume_idle(target.channel);
  }
}

void Execution::hand_out(const Vertex& vertex,
                         std::vector<std::vector<stream::Split>> shares,
                         bool no_more) {
  for (size_t i = 0; i < shares.size(); ++i) {
    const TaskId id{vertex.id, static_cast<int32_t>(i)};
    auto& task = static_cast<SourceTask&>(*tasks_.at(id));
    const bool starts_idle = live_.empty() && shares[i].empty() && !task.has_restored_splits();
    if (starts_idle) {
      assume_idle(id);
    }
    if (!shares[i].empty() || no_more || starts_idle) {
      task.post_splits(std::move(shares[i]), no_more);
    }
  }
}

ProcessingTime Execution::discover_splits(ProcessingTime now) {
  ProcessingTime earliest = kMaxProcessingTime;
  for (auto& [id, next] : next_discovery_) {
    if (now >= next) {
      const Vertex& one = vertex(id);
      stream::TableSource& source = *one.source->source;
      hand_out(one, splits_.at(id).assign(source.discover_splits()), false);
      next = {now.ms + source.discovery_interval_ms()};
    }
    earliest = std::min(earliest, next);
  }
  return earliest;
}

void Execution::cancel() {
  for (auto& [id, inbox] : inboxes_) {
    inbox->cancel();
  }
}

void Execution::cancel_around(TaskId failed) {
  std::set<uint32_t> behind;
  std::vector<uint32_t> open{failed.vertex};
  while (!open.empty()) {
    const uint32_t from = open.back();
    open.pop_back();
    for (const Edge& edge : graph_.edges) {
      if (edge.from == from && behind.insert(edge.to).second) {
        open.push_back(edge.to);
      }
    }
  }
  for (auto& [id, inbox] : inboxes_) {
    if (!behind.contains(id.vertex)) {
      inbox->cancel();
    }
  }
}

void Execution::on_task_ended(TaskId task) {
  live_.erase(task);
}

void Execution::join() {
  for (std::thread& thread : threads_) {
    services_.scheduler.join(thread);
  }
  threads_.clear();
}

bool Execution::inject(const Barrier& barrier) {
  bool any = false;
  for (const TaskId id : live_) {
    if (vertex(id.vertex).source) {
      static_cast<SourceTask&>(*tasks_.at(id)).post_barrier(barrier);
      any = true;
    }
  }
  return any;
}

std::vector<TaskProbes> Execution::probes() const {
  std::vector<TaskProbes> probes;
  for (const auto& [id, task] : tasks_) {
    probes.push_back(task->probes());
  }
  return probes;
}

}  // namespace thalweg::runtime
