#include "functions/evaluate.h"

#include "thalweg/catalog/catalog_manager.h"
#include "thalweg/functions/register_all.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/sql/parser.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

namespace {

class NoTables final : public planner::TableProvider {
 public:
  std::vector<stream::MetadataKey> metadata_keys(const stream::TableContext&) const override {
    return {};
  }

  std::shared_ptr<stream::TableSource> create_source(const stream::TableContext&) const override {
    return nullptr;
  }

  std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext&) const override {
    return nullptr;
  }
};

}  // namespace

const expression::FunctionRegistry& registry() {
  static const expression::FunctionRegistry functions = [] {
    expression::FunctionRegistry made;
    register_all(made);
    return made;
  }();
  return functions;
}

expression::ExpressionPtr bind_sql(const std::string& sql, const Schema& schema) {
  const catalog::CatalogManager catalogs;
  const NoTables tables;
  const stream::OptionMap config;
  const planner::PlannerContext context{catalogs, registry(), tables, config};
  planner::Scope scope;
  scope.add("t", {}, schema);
  planner::ExpressionBinder binder(context, scope, "SELECT");
  return binder.bind(*sql::parse_expression(sql));
}

std::string evaluate_sql(const std::string& sql, const expression::EvaluationContext& context) {
  try {
    expression::Evaluator evaluator({bind_sql(sql)});
    expression::RowErrors errors;
    const auto columns = evaluator.evaluate(Batch(1, {}), context, errors);
    if (const auto failure = errors.first()) {
      return "ERROR " + failure->error.message();
    }
    std::string shown;
    text::append_value(
        shown, *columns[0], 0, text::Style::kCast, TimeZone::find(context.time_zone));
    return shown;
  } catch (const Error& error) {
    return "ERROR " + error.message();
  }
}

std::string type_of_sql(const std::string& sql) {
  return bind_sql(sql)->type.to_string();
}

}  // namespace thalweg::functions
