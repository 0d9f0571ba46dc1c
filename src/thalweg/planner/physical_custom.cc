#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"
#include "thalweg/planner/changelog.h"
#include "thalweg/planner/physical_planner.h"

namespace thalweg::planner {

PhysicalPtr PhysicalPlanner::plan_custom_source(const LogicalCustomSource& node) {
  auto source = std::make_shared<CustomSource>();
  source->schema = node.schema;
  source->spec = node.spec;
  source->changelog = node.spec.source->changelog_mode();
  source->is_bounded = node.spec.source->boundedness() == stream::Boundedness::kBounded;
  return source;
}

PhysicalPtr PhysicalPlanner::plan_custom_operator(const LogicalCustomOperator& node) {
  auto custom = std::make_shared<CustomOperator>();
  custom->schema = node.schema;
  custom->spec = node.spec;
  custom->changelog = node.spec.emitted;
  for (const LogicalPtr& input : node.inputs) {
    custom->inputs.push_back(plan(input));
    const PhysicalNode& planned = *custom->inputs.back();
    custom->is_bounded = custom->is_bounded && planned.is_bounded;
    if (!node.spec.takes_changes && !planned.changelog.is_insert_only()) {
      check_insert_only(node.spec.traits.name, planned);
    }
  }
  if (!node.spec.primary_key.empty()) {
    custom->unique_keys = {node.spec.primary_key};
  }
  const bool is_upsert = custom->changelog.update_after && !custom->changelog.update_before;
  if (!is_upsert) {
    return custom;
  }
  // As an upsert source's: the old rows are remembered by key.
  check(!node.spec.primary_key.empty(), "an upsert stream without a primary key");
  auto normalize = std::make_shared<ChangelogNormalize>();
  normalize->schema = node.schema;
  normalize->is_bounded = custom->is_bounded;
  normalize->keys = node.spec.primary_key;
  normalize->unique_keys = {node.spec.primary_key};
  normalize->upsert_key = node.spec.primary_key;
  normalize->changelog = stream::ChangelogMode::all();
  normalize->inputs = {exchange_by(std::move(custom), node.spec.primary_key)};
  return normalize;
}

PhysicalPtr PhysicalPlanner::plan_custom_sink(const LogicalCustomSink& node) {
  auto sink = std::make_shared<CustomSink>();
  sink->inputs.push_back(plan(node.inputs[0]));
  sink->schema = node.schema;
  sink->spec = node.spec;
  sink->changelog = sink->inputs[0]->changelog;
  sink->is_bounded = sink->inputs[0]->is_bounded;
  return sink;
}

}  // namespace thalweg::planner
