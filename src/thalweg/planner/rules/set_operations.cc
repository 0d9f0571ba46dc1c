#include "thalweg/common/error.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/rules/rule.h"

namespace thalweg::planner {

LogicalPtr rewrite_set_operations(const LogicalPtr& plan) {
  return transform_plan(plan, [](const LogicalPtr& node) -> LogicalPtr {
    const auto* set = if_a<LogicalSetOperation>(*node);
    if (set == nullptr || (set->operation == SetOperationKind::kUnion && set->all)) {
      return node;
    }
    if (set->operation != SetOperationKind::kUnion) {
      throw Error(ErrorCode::kNotSupported, "INTERSECT and EXCEPT are not supported yet");
    }
    auto all = std::make_shared<LogicalSetOperation>(*set);
    all->all = true;
    return make_distinct(std::move(all));
  });
}

}  // namespace thalweg::planner
