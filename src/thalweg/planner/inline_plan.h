#pragma once

#include "thalweg/catalog/table.h"
#include "thalweg/planner/logical_plan.h"

namespace thalweg::planner {

/// A view made by the Table API: its plan in place of a text.
struct InlinePlan final : catalog::InlineQuery {
  explicit InlinePlan(LogicalPtr the_plan) : plan(std::move(the_plan)) {}

  LogicalPtr plan;
};

}  // namespace thalweg::planner
