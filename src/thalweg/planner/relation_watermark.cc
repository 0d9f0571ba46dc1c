#include "thalweg/planner/relation_watermark.h"

#include "thalweg/planner/expression_binder.h"

namespace thalweg::planner {

Relation with_watermark(const Relation& input,
                        const std::string& column,
                        const sql::ExprPtr& expression) {
  Scope scope;
  scope.add("", {}, input.schema());
  auto node = std::make_shared<LogicalWatermarkAssigner>();
  sql::ObjectName name;
  name.parts.emplace_back(column);
  node->row_time = scope.resolve(name).column;
  ExpressionBinder binder(input.context(), scope, "WATERMARK");
  node->watermark = binder.bind(*expression);
  node->schema = input.schema();
  DataType& type = node->schema[static_cast<size_t>(node->row_time.value)].type;
  type = type.with_time_attribute(TimeAttribute::kEventTime);
  node->inputs.push_back(input.plan());
  return Relation::of_plan(std::move(node), input.context());
}

}  // namespace thalweg::planner
