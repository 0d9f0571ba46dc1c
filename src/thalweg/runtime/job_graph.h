#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/stream/operator.h"
#include "thalweg/stream/sink.h"
#include "thalweg/stream/source.h"

namespace thalweg::runtime {

/// How rows travel from the subtasks of one vertex to those of the next.
enum class Partitioning : uint8_t {
  /// Subtask i to subtask i; both sides have one parallelism.
  kForward,
  /// By key group of the key columns' hash.
  kHash,
  kRebalance,
  /// As kRebalance, but row by row.
  kRoundRobin,
  /// Row by row in turn among the neighbours of one subtask only.
  kRescale,
  /// Each row to any subtask.
  kShuffle,
  kBroadcast,
  /// All to subtask 0.
  kSingleton,
  /// To the subtask whose number is in the key column, an INT.
  kByNumber,
};

struct ChainedOperator {
  OperatorId id;
  std::string name;
  std::shared_ptr<const stream::OperatorFactory> factory;
};

struct SourceNode {
  OperatorId id;
  std::string name;
  std::shared_ptr<stream::TableSource> source;
};

struct SinkNode {
  OperatorId id;
  std::string name;
  std::shared_ptr<const stream::TableSink> sink;
};

/// A chain that runs on one thread per subtask: an optional source, operators, an optional sink.
struct Vertex {
  uint32_t id = 0;
  std::string name;
  int32_t parallelism = 1;
  std::optional<SourceNode> source = std::nullopt;
  std::vector<ChainedOperator> operators = {};
  std::optional<SinkNode> sink = std::nullopt;
};

struct Edge {
  uint32_t from = 0;
  uint32_t to = 0;
  /// Which input of the target's first operator.
  int32_t input = 0;
  Partitioning partitioning = Partitioning::kForward;
  std::vector<ColumnIndex> keys = {};
};

/// What to run: the only thing that goes from the engine to the runtime. A value.
struct JobGraph {
  std::string name;
  std::vector<Vertex> vertices;
  std::vector<Edge> edges;
};

}  // namespace thalweg::runtime
