#pragma once

#include "thalweg/stream/connector.h"

namespace thalweg::planner {

/// What Flink's source of a connector takes over from the plan above it. Plans show it; here every
/// source reads only what is read (narrow_scans), and filters and limits stay in the plan.
struct PushDown {
  bool projection = false;
  bool filter = false;
  bool limit = false;
};

PushDown push_down_of(const stream::TableContext& table);

}  // namespace thalweg::planner
