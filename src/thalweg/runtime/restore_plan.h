#pragma once

#include <map>
#include <memory>

#include "thalweg/runtime/checkpoint_store.h"
#include "thalweg/runtime/execution.h"

namespace thalweg::runtime {

/// Deals a checkpoint out to the tasks of a graph, at whatever parallelism: key groups and lists by
/// operator, splits and committables one by one. Throws kRestoreFailed when the checkpoint has
/// something that the graph has no place for, unless `allow_unused`.
RestoredTasks plan_restore(const JobGraph& graph,
                           const StoredCheckpoint& checkpoint,
                           bool allow_unused);

/// The split assigners of a job that starts from `checkpoint`, or fresh (null).
std::map<uint32_t, SplitAssigner> plan_splits(const JobGraph& graph,
                                              const StoredCheckpoint* checkpoint);

}  // namespace thalweg::runtime
