#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/runtime/task_services.h"

namespace thalweg::runtime {

/// A task as a checkpoint saw it.
struct TaskRecord {
  TaskId task;
  int32_t parallelism = 1;
  bool finished = false;
  /// The operators of its chain; source first, sink last.
  std::vector<OperatorId> operators = {};
  /// Name inside the checkpoint's folder; empty when the task keeps no state.
  std::string state_file = {};
  /// Of its source.
  std::vector<stream::Split> splits = {};
  /// Of its sink.
  std::vector<Committables> committables = {};
};

/// One declared table of an operator.
struct TableRecord {
  std::string name;
  /// As state::describe_schema spells it.
  std::string schema;
};

struct OperatorRecord {
  OperatorId id;
  std::string name;
  std::vector<TableRecord> tables = {};
};

/// What a checkpoint consists of (docs/formats/checkpoint.md). A value.
struct CheckpointManifest {
  JobId job;
  std::string job_name;
  CheckpointId checkpoint;
  bool is_savepoint = false;
  int64_t taken_at_ms = 0;
  std::string plan;
  std::vector<OperatorRecord> operators;
  std::vector<TaskRecord> tasks;
  /// By source: the splits that were ever found, read to their end or not.
  std::map<OperatorId, std::set<std::string>> known_splits;
};

std::string encode_manifest(const CheckpointManifest& manifest);
/// Throws kRestoreFailed when the bytes are damaged or of another version.
CheckpointManifest decode_manifest(std::string_view bytes);

}  // namespace thalweg::runtime
