#pragma once

#include "thalweg/common/time.h"
#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// The watermark that an event-time operator reached, kept in its snapshots: after a restore rows
/// are late by the same measure. From several items the lowest counts.
EventTime restored_watermark(const stream::OperatorListState& state);

void keep_watermark(stream::OperatorListState& state, EventTime watermark);

}  // namespace thalweg::operators
