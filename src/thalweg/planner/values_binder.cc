#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/literal_binder.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/query_binder.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

using Rows = std::vector<std::vector<ExpressionPtr>>;

bool is_plain_literal(const ExpressionPtr& expr) {
  return expr->kind == ExpressionKind::kLiteral && !expr->literal.is_null();
}

bool all_literals(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), is_plain_literal);
  });
}

Schema common_schema(const Rows& rows, SourcePosition position) {
  Schema schema;
  for (size_t column = 0; column < rows.front().size(); ++column) {
    std::vector<DataType> types;
    for (const auto& row : rows) {
      types.push_back(row[column]->type);
    }
    const std::optional<DataType> common = expression::least_common_type(types);
    if (!common) {
      throw Error(ErrorCode::kTypeMismatch,
                  "Values passed to VALUES operator must have compatible types")
          .at(position);
    }
    schema.push_back({fmt::format("EXPR${}", column), *common});
  }
  return schema;
}

/// A literal under another type of the same kind of value: texts of other lengths, whole numbers of
/// other widths; nullopt where the value itself would change.
std::optional<Value> literal_as(const ExpressionPtr& literal, const DataType& type) {
  const DataType& from = literal->type;
  const bool same = from.equals_ignoring_nullability(type);
  const bool texts = from.is_character() && type.is_character();
  const bool integers = from.is_integer() && type.is_integer();
  return same || texts || integers ? std::optional(literal->literal) : std::nullopt;
}

std::optional<LogicalPtr> literal_rows(const Rows& rows, const Schema& schema) {
  std::vector<std::vector<Value>> values;
  for (const auto& row : rows) {
    values.emplace_back();
    for (size_t column = 0; column < row.size(); ++column) {
      std::optional<Value> value = literal_as(row[column], schema[column].type);
      if (!value) {
        return std::nullopt;
      }
      values.back().push_back(std::move(*value));
    }
  }
  return make_values(schema, std::move(values));
}

}  // namespace

LogicalPtr QueryBinder::bind_values(const sql::Values& values) {
  const Scope scope;
  ExpressionBinder binder(context_, scope, "VALUES");
  Rows rows;
  for (const auto& row : values.rows) {
    rows.emplace_back();
    for (const sql::ExprPtr& value : row) {
      refuse_untyped_null(*value);
      rows.back().push_back(binder.bind(*value));
    }
    if (rows.back().size() != rows.front().size()) {
      throw Error(ErrorCode::kTypeMismatch,
                  "Values passed to VALUES operator must have compatible types")
          .at(values.position);
    }
  }
  const Schema schema = common_schema(rows, values.position);
  if (all_literals(rows)) {
    if (std::optional<LogicalPtr> plan = literal_rows(rows, schema)) {
      return *plan;
    }
  }
  std::vector<LogicalPtr> inputs;
  for (auto& row : rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      row[column] = as_type(row[column], schema[column].type);
    }
    inputs.push_back(make_project(make_single_row(), std::move(row), names_of(schema)));
  }
  if (inputs.size() == 1) {
    return inputs.front();
  }
  auto all = std::make_shared<LogicalSetOperation>();
  all->inputs = std::move(inputs);
  all->schema = schema;
  return all;
}

}  // namespace thalweg::planner
