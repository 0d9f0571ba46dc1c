#include "thalweg/engine/session.h"
#include "thalweg/engine/session_state.h"
#include "thalweg/engine/statements.h"

namespace thalweg::engine {

planner::Relation Session::stream_source(planner::CustomSourceSpec spec, Schema schema) {
  auto node = std::make_shared<planner::LogicalCustomSource>();
  node->spec = std::move(spec);
  node->schema = std::move(schema);
  return planner::Relation::of_plan(std::move(node), state_->planner);
}

planner::Relation Session::stream_operator(planner::CustomOperatorSpec spec,
                                           const std::vector<planner::Relation>& inputs,
                                           Schema schema) {
  check(inputs.size() == spec.inputs.size(), "each input of a custom operator is described");
  auto node = std::make_shared<planner::LogicalCustomOperator>();
  node->spec = std::move(spec);
  node->schema = std::move(schema);
  for (const planner::Relation& input : inputs) {
    node->inputs.push_back(input.plan());
  }
  return planner::Relation::of_plan(std::move(node), state_->planner);
}

planner::Relation Session::stream_sink(planner::CustomSinkSpec spec,
                                       const planner::Relation& input) {
  auto node = std::make_shared<planner::LogicalCustomSink>();
  node->spec = std::move(spec);
  node->schema = input.schema();
  node->inputs.push_back(input.plan());
  return planner::Relation::of_plan(std::move(node), state_->planner);
}

std::shared_ptr<stream::TableSource> Session::connector_source(stream::TableContext table) {
  return state_->tables.create_source(table);
}

std::shared_ptr<stream::TableSink> Session::connector_sink(stream::TableContext table) {
  return state_->tables.create_sink(table);
}

Result Session::execute_streams(const std::vector<planner::Relation>& ends,
                                const planner::Relation* collected,
                                const std::string& name) {
  std::vector<planner::LogicalPtr> plans;
  for (const planner::Relation& end : ends) {
    plans.push_back(end.plan());
  }
  return execute_stream_plans(
      *state_, plans, collected == nullptr ? nullptr : collected->plan(), name);
}

}  // namespace thalweg::engine
