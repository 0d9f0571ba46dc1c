#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/stream/changelog_mode.h"
#include "thalweg/stream/operator.h"
#include "thalweg/stream/sink.h"
#include "thalweg/stream/source.h"

namespace thalweg::planner {

/// What the user may say about one step of a stream.
struct CustomTraits {
  std::string name;
  /// Names the step's state in savepoints; empty: its place in the plan does.
  std::string uid = {};
  /// Absent: the job's.
  std::optional<int32_t> parallelism = std::nullopt;
  /// Runs on the thread of the step before it where that is possible.
  bool may_chain = true;
};

struct CustomSourceSpec {
  CustomTraits traits;
  std::shared_ptr<stream::TableSource> source;
};

/// How rows reach the subtasks of a custom operator.
enum class CustomDistribution : uint8_t {
  /// Subtask to subtask where both sides have one parallelism, in turn otherwise.
  kAuto,
  /// As kAuto, but another parallelism is an error.
  kForward,
  /// Rows with equal values of `columns` meet.
  kHash,
  /// Row by row in turn.
  kRoundRobin,
  /// In turn among a few neighbours.
  kRescale,
  kShuffle,
  kBroadcast,
  kSingleton,
  /// To the subtask whose number is in the first of `columns`.
  kByNumber,
};

/// One edge into a custom operator; several may lead to the same input (a union).
struct CustomInput {
  int32_t input = 0;
  CustomDistribution distribution = CustomDistribution::kAuto;
  std::vector<ColumnIndex> columns = {};
};

struct CustomOperatorSpec {
  CustomTraits traits;
  std::shared_ptr<const stream::OperatorFactory> factory;
  /// One for each input of the node.
  std::vector<CustomInput> inputs;
  stream::ChangelogMode emitted = {};
  /// Names each row that it emits; needed where it emits updates without the old rows.
  std::vector<ColumnIndex> primary_key = {};
  /// Rows may take others back. Otherwise a changing input is an error.
  bool takes_changes = false;
};

struct CustomSinkSpec {
  CustomTraits traits;
  std::shared_ptr<stream::TableSink> sink;
  CustomInput input = {};
};

}  // namespace thalweg::planner
