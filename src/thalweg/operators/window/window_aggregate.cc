#include "thalweg/operators/window/window_aggregate.h"

#include "thalweg/operators/factory.h"
#include "thalweg/operators/window/aligned_window_aggregate.h"
#include "thalweg/operators/window/session_window_aggregate.h"

namespace thalweg::operators {

std::shared_ptr<const stream::OperatorFactory> make_window_aggregate(WindowAggregateSpec spec) {
  if (spec.window.kind == WindowKind::kSession) {
    return make_factory<SessionWindowAggregate>(std::move(spec));
  }
  return make_factory<AlignedWindowAggregate>(std::move(spec));
}

}  // namespace thalweg::operators
