#include "thalweg/planner/function_lookup.h"

#include <fmt/format.h>

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/common/error.h"
#include "thalweg/expression/function_registry.h"
#include "thalweg/planner/expression_binder.h"

namespace thalweg::planner {

namespace {

FoundFunction built_in(const std::string& upper_name,
                       const expression::FunctionRegistry& registry) {
  FoundFunction found;
  found.scalar = registry.find_scalar(upper_name);
  if (found.scalar == nullptr) {
    found.aggregate = registry.find_aggregate(upper_name);
  }
  if (found.scalar == nullptr && found.aggregate == nullptr) {
    found.table = registry.find_table(upper_name);
  }
  return found;
}

bool is_empty(const FoundFunction& found) {
  return found.scalar == nullptr && found.aggregate == nullptr && found.table == nullptr;
}

FoundFunction callable(const catalog::CatalogFunction& function, const PlannerContext& context) {
  std::shared_ptr<const catalog::InlineFunction> code = function.inline_function;
  if (code == nullptr) {
    if (function.language != "PYTHON" || !context.load_function) {
      throw Error(
          ErrorCode::kNotSupported,
          fmt::format(
              "Functions in {} do not run here: '{}'", function.language, function.identifier))
          .hint("Write it in Python and create it with LANGUAGE PYTHON.");
    }
    code = context.load_function(function);
  }
  const auto* found = dynamic_cast<const InlineCallable*>(code.get());
  check(found != nullptr, "an inline function of another make");
  return found->function;
}

}  // namespace

FoundFunction find_function(const sql::ObjectName& name, const PlannerContext& context) {
  if (name.is_simple()) {
    if (const auto system = context.catalogs.find_temporary_system_function(name.last())) {
      return callable(*system, context);
    }
    FoundFunction found = built_in(upper_case(name.last()), context.functions);
    if (!is_empty(found)) {
      return found;
    }
  }
  const auto function = context.catalogs.find_catalog_function(name);
  return function == nullptr ? FoundFunction{} : callable(*function, context);
}

std::shared_ptr<const expression::AggregateFunction> find_aggregate(const sql::FunctionCall& call,
                                                                    const PlannerContext& context) {
  return call.over ? nullptr : find_function(call.name, context).aggregate;
}

}  // namespace thalweg::planner
