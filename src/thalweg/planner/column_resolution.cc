#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/planner.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/type_text.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::planner {

namespace {

/// Physical and metadata columns: what computed columns may name.
Scope base_scope(const catalog::CatalogTable& table) {
  Schema schema;
  for (const sql::ColumnDefinition& column : table.columns) {
    if (column.kind != sql::ColumnKind::kComputed) {
      schema.push_back({column.name.text, column.type});
    }
  }
  Scope scope;
  scope.add("", {}, std::move(schema));
  return scope;
}

[[noreturn]] void refuse_row_time(std::string message, SourcePosition position) {
  Error error(ErrorCode::kInvalidTable, std::move(message));
  if (position.line > 0) {
    throw std::move(error).at(position);
  }
  throw error;
}

void check_row_time_type(const DataType& type, SourcePosition position) {
  if (type.is_timestamp() && type.precision() <= 3) {
    return;
  }
  refuse_row_time(
      fmt::format("Invalid data type of time field for watermark definition. The field must be of "
                  "type TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported precision 'p' is from 0 to "
                  "3, but the time field type is {}",
                  type.to_string()),
      position);
}

void check_watermark_type(const DataType& watermark, SourcePosition position) {
  if (watermark.is_timestamp() && watermark.precision() <= 3) {
    return;
  }
  refuse_row_time(
      fmt::format("Invalid data type of expression for watermark definition. The field must be of "
                  "type TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported precision 'p' is from 0 to "
                  "3, but the watermark expression type is {}",
                  watermark.to_string()),
      position);
}

void resolve_watermark(const sql::WatermarkDefinition& watermark,
                       catalog::ResolvedColumns& resolved,
                       const PlannerContext& context) {
  const std::string& name = watermark.column.last();
  const auto column = std::find_if(resolved.columns.begin(),
                                   resolved.columns.end(),
                                   [&](const Field& field) { return field.name == name; });
  if (column == resolved.columns.end() || !watermark.column.is_simple()) {
    std::vector<std::string> names;
    for (const Field& field : resolved.columns) {
      names.push_back(field.name);
    }
    refuse_row_time(fmt::format("Invalid column name '{}' for rowtime attribute in watermark "
                                "declaration. Available columns are: [{}]",
                                watermark.column.dotted(),
                                fmt::join(names, ", ")),
                    watermark.position);
  }
  check_row_time_type(column->type, watermark.position);
  if (column->type.time_attribute() == TimeAttribute::kProcessingTime) {
    refuse_row_time("A watermark can not be defined for a processing time attribute.",
                    watermark.position);
  }
  Scope scope;
  scope.add("", {}, resolved.columns);
  ExpressionBinder binder(context, scope, "WATERMARK");
  const expression::ExpressionPtr bound = binder.bind(*watermark.expr);
  check_watermark_type(bound->type, watermark.position);
  resolved.watermark_text = sql::unparse(*watermark.expr);
  resolved.watermark_type = bound->type.with_time_attribute(TimeAttribute::kNone);
  column->type = column->type.with_time_attribute(TimeAttribute::kEventTime);
}

/// A definition is the same in streaming and batch: time attributes are marked in both.
DataType computed_type(const expression::Expression& bound, const sql::Expr& expr) {
  const auto* call = sql::if_a<sql::FunctionCall>(expr);
  const bool is_processing_time = call != nullptr && function_name(*call) == "PROCTIME";
  return is_processing_time ? bound.type.with_time_attribute(TimeAttribute::kProcessingTime)
                            : bound.type;
}

}  // namespace

catalog::ResolvedColumns resolve_columns(const catalog::CatalogTable& table,
                                         const PlannerContext& context) {
  catalog::ResolvedColumns resolved;
  const Scope scope = base_scope(table);
  ExpressionBinder binder(context, scope, "computed column");
  for (const sql::ColumnDefinition& column : table.columns) {
    if (column.kind != sql::ColumnKind::kComputed) {
      resolved.columns.push_back({column.name.text, column.type, column.comment.value_or("")});
      resolved.expression_texts.emplace_back();
      continue;
    }
    const expression::ExpressionPtr bound = binder.bind(*column.expr);
    resolved.columns.push_back(
        {column.name.text, computed_type(*bound, *column.expr), column.comment.value_or("")});
    resolved.expression_texts.push_back(sql::unparse(*column.expr));
  }
  if (table.watermark) {
    resolve_watermark(*table.watermark, resolved, context);
  }
  return resolved;
}

/// A query may give two columns one name, a view may not.
static void require_distinct_names(const sql::Query& query,
                                   const std::vector<sql::Identifier>& column_names,
                                   const std::vector<std::string>& selected_names) {
  std::set<std::string> known;
  const size_t count = column_names.empty() ? selected_names.size() : column_names.size();
  for (size_t i = 0; i < count; ++i) {
    const std::string& name = column_names.empty() ? selected_names[i] : column_names[i].text;
    if (!known.insert(name).second) {
      throw Error(ErrorCode::kValidation,
                  fmt::format("A column with the same name `{}` has been defined already", name))
          .at(column_names.empty() ? query.position : column_names[i].position)
          .hint("Give it another name with AS.");
    }
  }
}

Schema schema_of_query(const sql::Query& query,
                       const std::vector<sql::Identifier>& column_names,
                       bool keep_time_attributes,
                       const PlannerContext& context) {
  QueryBinder binder(context);
  const LogicalPtr plan = binder.bind(query);
  Schema schema = plan->schema;
  require_distinct_names(query, column_names, binder.selected_names());
  if (!column_names.empty() && column_names.size() != schema.size()) {
    throw Error(ErrorCode::kValidation,
                fmt::format("VIEW definition and input fields not match: Def fields: {} fields; "
                            "Input fields: {} fields.",
                            column_names.size(),
                            schema.size()))
        .at(column_names.front().position);
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    if (!column_names.empty()) {
      schema[i].name = column_names[i].text;
    }
    if (!keep_time_attributes) {
      schema[i].type = schema[i].type.with_time_attribute(TimeAttribute::kNone);
    }
  }
  return resolved_schema(std::move(schema));
}

}  // namespace thalweg::planner
