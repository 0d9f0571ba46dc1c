#include "thalweg/operators/over/over_aggregate.h"

#include "thalweg/operators/factory.h"
#include "thalweg/operators/over/immediate_over.h"
#include "thalweg/operators/over/running_frame.h"
#include "thalweg/operators/over/sorted_over.h"
#include "thalweg/operators/over/updating_over.h"
#include "thalweg/operators/over/waiting_over.h"

namespace thalweg::operators {

std::shared_ptr<const stream::OperatorFactory> make_over_aggregate(OverAggregateSpec spec) {
  if (spec.mode == OverMode::kBatch) {
    return make_factory<SortedOver>(std::move(spec));
  }
  if (spec.mode == OverMode::kUpdating) {
    return make_factory<UpdatingOver>(std::move(spec));
  }
  const bool shares_milliseconds = is_bounded(spec.frame) && !spec.frame.is_rows;
  if (spec.mode == OverMode::kProcessingTime && !shares_milliseconds) {
    return make_factory<ImmediateOver>(std::move(spec));
  }
  return make_factory<WaitingOver>(std::move(spec));
}

}  // namespace thalweg::operators
