#include "thalweg/operators/aggregate/group_aggregate.h"

#include "thalweg/operators/aggregate/batch_group_aggregate.h"
#include "thalweg/operators/aggregate/bundle_group_aggregate.h"
#include "thalweg/operators/aggregate/row_group_aggregate.h"
#include "thalweg/operators/factory.h"

namespace thalweg::operators {

std::shared_ptr<const stream::OperatorFactory> make_group_aggregate(GroupAggregateSpec spec) {
  if (spec.is_batch) {
    return make_factory<BatchGroupAggregate>(std::move(spec));
  }
  if (spec.mini_batch.has_value()) {
    return make_factory<BundleGroupAggregate>(std::move(spec));
  }
  return make_factory<RowGroupAggregate>(std::move(spec));
}

}  // namespace thalweg::operators
