// CURRENT_DATABASE, CURRENT_WATERMARK and SOURCE_WATERMARK: what they give is known to the planner
// and to the operator that the call stands in, so the binder puts a literal or a form of its own in
// their place. Here are their names and forms.
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;

namespace {

Bound no_other_arguments(std::span<const BoundArgument> /*arguments*/) {
  return NoMatch{};
}

}  // namespace

void add_session(FunctionRegistry& registry) {
  registry.add(documented({{"CURRENT_DATABASE"},
                           "'CURRENT_DATABASE()'",
                           "The name of the current database when the statement is planned."},
                          no_other_arguments));
  registry.add(documented({{"SOURCE_WATERMARK"},
                           "'SOURCE_WATERMARK()'",
                           "In WATERMARK FOR: the watermarks that come with a DataStream."},
                          no_other_arguments));
  registry.add(documented({{"CURRENT_WATERMARK"},
                           "'CURRENT_WATERMARK(<ROWTIME>)'",
                           "The watermark before the row; NULL when there is none yet."},
                          no_other_arguments));
}

}  // namespace thalweg::functions
