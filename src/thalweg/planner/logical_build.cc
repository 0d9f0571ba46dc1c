#include "thalweg/planner/logical_build.h"

#include <set>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_keys.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

expression::ExpressionPtr column_of(const Schema& schema, size_t index) {
  return expression::make_column({static_cast<int32_t>(index)}, schema[index].type);
}

std::vector<ExpressionPtr> all_columns(const Schema& schema) {
  std::vector<ExpressionPtr> columns;
  for (size_t i = 0; i < schema.size(); ++i) {
    columns.push_back(column_of(schema, i));
  }
  return columns;
}

std::vector<std::string> names_of(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema) {
    names.push_back(field.name);
  }
  return names;
}

bool is_identity(const std::vector<ExpressionPtr>& projections, const Schema& schema) {
  if (projections.size() != schema.size()) {
    return false;
  }
  for (size_t i = 0; i < projections.size(); ++i) {
    if (projections[i]->kind != expression::ExpressionKind::kColumn ||
        projections[i]->column.value != static_cast<int32_t>(i)) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> make_unique(std::vector<std::string> names) {
  std::set<std::string> used;
  for (std::string& name : names) {
    std::string candidate = name;
    for (int suffix = 0; !used.insert(candidate).second; ++suffix) {
      candidate = fmt::format("{}{}", name, suffix);
    }
    name = candidate;
  }
  return names;
}

LogicalPtr make_values(Schema schema, std::vector<std::vector<Value>> rows) {
  auto values = std::make_shared<LogicalValues>();
  values->schema = std::move(schema);
  values->rows = std::move(rows);
  return values;
}

LogicalPtr make_single_row() {
  return make_values({{"ZERO", DataType::integer().not_null()}}, {{Value(int64_t{0})}});
}

LogicalPtr make_filter(LogicalPtr input, ExpressionPtr condition) {
  auto filter = std::make_shared<LogicalFilter>();
  filter->schema = input->schema;
  filter->inputs.push_back(std::move(input));
  filter->condition = std::move(condition);
  return filter;
}

LogicalPtr make_project(LogicalPtr input,
                        std::vector<ExpressionPtr> projections,
                        const std::vector<std::string>& names) {
  check(projections.size() == names.size(), "a name for each projection");
  auto project = std::make_shared<LogicalProject>();
  for (size_t i = 0; i < projections.size(); ++i) {
    project->schema.push_back({names[i], projections[i]->type});
  }
  project->inputs.push_back(std::move(input));
  project->projections = std::move(projections);
  return project;
}

LogicalPtr make_project_unless_identity(LogicalPtr input,
                                        std::vector<ExpressionPtr> projections,
                                        const std::vector<std::string>& names) {
  if (is_identity(projections, input->schema) && names_of(input->schema) == names) {
    return input;
  }
  return make_project(std::move(input), std::move(projections), names);
}

LogicalPtr make_rename(LogicalPtr input, const std::vector<std::string>& names) {
  if (const auto* values = if_a<LogicalValues>(*input)) {
    auto renamed = std::make_shared<LogicalValues>(*values);
    for (size_t i = 0; i < names.size(); ++i) {
      renamed->schema[i].name = names[i];
    }
    return renamed;
  }
  std::vector<ExpressionPtr> columns = all_columns(input->schema);
  return make_project(std::move(input), std::move(columns), names);
}

LogicalPtr make_correlate(LogicalPtr input,
                          std::shared_ptr<const expression::TableFunction> function,
                          expression::TableSignature signature,
                          std::vector<expression::ExpressionPtr> arguments,
                          bool is_outer,
                          const std::vector<std::string>& names) {
  auto node = std::make_shared<LogicalCorrelate>();
  node->schema = input->schema;
  for (size_t i = 0; i < signature.result.size(); ++i) {
    const Field& field = signature.result[i];
    node->schema.push_back(
        {names.empty() ? field.name : names[i], is_outer ? field.type.as_nullable() : field.type});
  }
  node->inputs.push_back(std::move(input));
  node->function = std::move(function);
  node->signature = std::move(signature);
  node->arguments = std::move(arguments);
  node->is_outer = is_outer;
  return node;
}

LogicalPtr make_aggregate(LogicalPtr input,
                          std::vector<ColumnIndex> keys,
                          std::vector<expression::AggregateCall> calls,
                          std::vector<std::vector<size_t>> grouping_sets) {
  auto aggregate = std::make_shared<LogicalAggregate>();
  std::vector<std::string> names;
  for (size_t i = 0; i < keys.size(); ++i) {
    Field key = input->schema[static_cast<size_t>(keys[i].value)];
    for (const std::vector<size_t>& set : grouping_sets) {
      bool contained = false;
      for (const size_t position : set) {
        contained = contained || position == i;
      }
      if (!contained) {
        key.type = key.type.as_nullable();
      }
    }
    names.push_back(key.name);
    aggregate->schema.push_back(std::move(key));
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    const std::string name =
        calls[i].name.empty() ? fmt::format("$f{}", keys.size() + i) : calls[i].name;
    names.push_back(name);
    aggregate->schema.push_back({name, calls[i].signature.result});
  }
  names = make_unique(std::move(names));
  for (size_t i = 0; i < names.size(); ++i) {
    aggregate->schema[i].name = names[i];
  }
  aggregate->inputs.push_back(std::move(input));
  aggregate->keys = std::move(keys);
  aggregate->calls = std::move(calls);
  aggregate->grouping_sets = std::move(grouping_sets);
  return aggregate;
}

LogicalPtr make_distinct(LogicalPtr input) {
  std::vector<ColumnIndex> keys;
  for (size_t i = 0; i < input->schema.size(); ++i) {
    keys.push_back({static_cast<int32_t>(i)});
  }
  if (is_unique_by(*input, keys)) {
    return input;
  }
  return make_aggregate(std::move(input), std::move(keys), {}, {});
}

/// Flink sorts rows and arrays, but none of these.
void require_order(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::kMap:
    case TypeKind::kMultiset:
    case TypeKind::kBitmap:
    case TypeKind::kVariant:
      throw Error(ErrorCode::kNotSupported,
                  fmt::format("Type({}) is not an orderable data type, it is not supported as a "
                              "ORDER_BY/GROUP_BY/JOIN_EQUAL field.",
                              type.to_string()))
          .hint("ORDER BY a part of it, or its text.");
    default:
      return;
  }
}

LogicalPtr make_sort(LogicalPtr input,
                     std::vector<LogicalSortKey> keys,
                     std::optional<int64_t> offset,
                     std::optional<int64_t> fetch) {
  for (const LogicalSortKey& key : keys) {
    require_order(input->schema[static_cast<size_t>(key.column.value)].type);
  }
  auto sort = std::make_shared<LogicalSort>();
  sort->schema = input->schema;
  sort->inputs.push_back(std::move(input));
  sort->keys = std::move(keys);
  sort->offset = offset;
  sort->fetch = fetch;
  return sort;
}

namespace {

/// Calcite's AbstractTypeCoercion.needToCast: widened integers and texts of other lengths get no
/// cast in the logical plan; the physical plan adapts them.
bool needs_cast(const DataType& from, const DataType& to) {
  return !from.equals_ignoring_nullability(to) && !(from.is_integer() && to.is_integer()) &&
         !(from.is_character() && to.is_character());
}

LogicalPtr with_types(const LogicalPtr& input, const std::vector<DataType>& types) {
  const auto* project = if_a<LogicalProject>(*input);
  std::vector<ExpressionPtr> projections =
      project != nullptr ? project->projections : all_columns(input->schema);
  bool changed = false;
  for (size_t i = 0; i < types.size(); ++i) {
    if (!needs_cast(projections[i]->type, types[i])) {
      continue;
    }
    changed = true;
    projections[i] = as_type(projections[i], types[i]);
  }
  if (!changed) {
    return input;
  }
  return make_project(project != nullptr ? project->inputs[0] : input,
                      std::move(projections),
                      names_of(input->schema));
}

/// A column of UNION stays a time attribute when both sides have it as the same one; the other set
/// operations compare values, which loses it.
DataType with_common_attribute(DataType common,
                               const DataType& left,
                               const DataType& right,
                               SetOperationKind operation) {
  const bool same = operation == SetOperationKind::kUnion &&
                    left.time_attribute() == right.time_attribute() && left.kind() == right.kind();
  return common.with_time_attribute(same ? left.time_attribute() : TimeAttribute::kNone);
}

std::string_view name_of(SetOperationKind operation) {
  switch (operation) {
    case SetOperationKind::kUnion:
      return "UNION";
    case SetOperationKind::kIntersect:
      return "INTERSECT";
    case SetOperationKind::kExcept:
      return "EXCEPT";
  }
  return {};
}

}  // namespace

LogicalPtr make_set_operation(SetOperationKind operation,
                              bool all,
                              LogicalPtr left,
                              LogicalPtr right,
                              SourcePosition position) {
  if (left->schema.size() != right->schema.size()) {
    throw Error(ErrorCode::kTypeMismatch,
                fmt::format("Column count mismatch in {}", name_of(operation)))
        .at(position);
  }
  std::vector<DataType> types;
  Schema schema;
  for (size_t i = 0; i < left->schema.size(); ++i) {
    const DataType& left_type = left->schema[i].type;
    const DataType& right_type = right->schema[i].type;
    const auto common = expression::least_common_type(left_type, right_type);
    if (!common) {
      throw Error(ErrorCode::kTypeMismatch,
                  fmt::format("Type mismatch in column {} of {}", i + 1, name_of(operation)))
          .at(position);
    }
    types.push_back(with_common_attribute(*common, left_type, right_type, operation));
    schema.push_back({left->schema[i].name, types.back()});
  }
  auto node = std::make_shared<LogicalSetOperation>();
  node->inputs.push_back(with_types(left, types));
  node->inputs.push_back(with_types(right, types));
  node->schema = std::move(schema);
  node->operation = operation;
  node->all = all;
  return node;
}

}  // namespace thalweg::planner
