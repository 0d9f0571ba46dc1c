#pragma once

#include "thalweg/common/time.h"
#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// The watermark that each subtask of an event-time operator reached, kept in a union list: after a
/// restore rows are late by the lowest of them, whichever subtask their keys come to.
EventTime restored_watermark(const stream::OperatorListState& state);

void keep_watermark(stream::OperatorListState& state, EventTime watermark);

}  // namespace thalweg::operators
