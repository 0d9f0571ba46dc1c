#include "thalweg/planner/pushdown.h"

namespace thalweg::planner {

PushDown push_down_of(const stream::TableContext& table) {
  const auto connector = table.options.find("connector");
  if (connector == table.options.end()) {
    return {};
  }
  if (connector->second == "filesystem") {
    return {.projection = true, .filter = true, .limit = true};
  }
  return {.limit = connector->second == "datagen"};
}

}  // namespace thalweg::planner
