#pragma once

#include "thalweg/operators/window/session_windows.h"
#include "thalweg/operators/window/window_aggregate.h"

namespace thalweg::operators {

/// GROUP BY keys and SESSION.
class SessionWindowAggregate final : public SessionWindows {
 public:
  explicit SessionWindowAggregate(const WindowAggregateSpec& spec);
};

}  // namespace thalweg::operators
