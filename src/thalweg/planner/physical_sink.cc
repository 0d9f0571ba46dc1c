#include "thalweg/common/error.h"
#include "thalweg/planner/physical_planner.h"
#include "thalweg/planner/table_binder.h"

namespace thalweg::planner {

PhysicalPtr PhysicalPlanner::plan_sink(const LogicalSink& node) {
  PhysicalPtr input = plan(node.inputs[0]);
  auto sink = std::make_shared<Sink>();
  sink->path = node.path;
  sink->table = node.table;
  sink->hint_options = node.hint_options;
  stream::TableContext table = node.table;
  table.is_overwrite = node.is_overwrite;
  sink->sink = create_sink(table, {}, context_);
  if (node.is_overwrite && !sink->sink->supports_overwrite()) {
    throw Error(ErrorCode::kValidation,
                "INSERT OVERWRITE requires that the sink of table '" + node.table.table_name +
                    "' can replace what it holds; connector '" +
                    node.table.options.at("connector") + "' can't.")
        .hint("Use INSERT INTO.");
  }
  sink->is_overwrite = node.is_overwrite;
  sink->allows_key_conflicts = node.allows_key_conflicts;
  sink->query_columns = node.query_columns;
  for (size_t i = 0; i < node.table.columns.size(); ++i) {
    if (!node.table.columns[i].type.is_nullable() && input->schema[i].type.is_nullable()) {
      sink->not_null_columns.push_back({static_cast<int32_t>(i)});
    }
  }
  const std::optional<std::string> enforcer = context_.find("table.exec.sink.not-null-enforcer");
  if (enforcer && (*enforcer == "DROP" || *enforcer == "drop")) {
    sink->not_null_enforcer = Sink::NotNullEnforcer::kDrop;
  }
  sink->schema = input->schema;
  sink->is_bounded = input->is_bounded;
  sink->changelog = input->changelog;
  sink->inputs.push_back(std::move(input));
  return sink;
}

}  // namespace thalweg::planner
