#pragma once

#include <string>
#include <vector>

#include "thalweg/planner/logical_plan.h"

namespace thalweg::planner {

// Makers of logical nodes: they derive the schemas, so that no two callers disagree.

/// One row of one column ZERO: what SELECT without FROM stands on.
LogicalPtr make_single_row();
LogicalPtr make_values(Schema schema, std::vector<std::vector<Value>> rows);
LogicalPtr make_filter(LogicalPtr input, expression::ExpressionPtr condition);
LogicalPtr make_project(LogicalPtr input,
                        std::vector<expression::ExpressionPtr> projections,
                        const std::vector<std::string>& names);
/// The same unless it would give the input's columns in order under the same names.
LogicalPtr make_project_unless_identity(LogicalPtr input,
                                        std::vector<expression::ExpressionPtr> projections,
                                        const std::vector<std::string>& names);
/// All columns under new names.
LogicalPtr make_rename(LogicalPtr input, const std::vector<std::string>& names);
/// The columns of the function's result under `names`; none: their own.
LogicalPtr make_correlate(LogicalPtr input,
                          std::shared_ptr<const expression::TableFunction> function,
                          expression::TableSignature signature,
                          std::vector<expression::ExpressionPtr> arguments,
                          bool is_outer,
                          const std::vector<std::string>& names);
LogicalPtr make_aggregate(LogicalPtr input,
                          std::vector<ColumnIndex> keys,
                          std::vector<expression::AggregateCall> calls,
                          std::vector<std::vector<size_t>> grouping_sets);
/// DISTINCT: an aggregate by all columns.
LogicalPtr make_distinct(LogicalPtr input);
/// Throws where Flink has no order for values of a type: MAP, for one.
void require_order(const DataType& type);
LogicalPtr make_sort(LogicalPtr input,
                     std::vector<LogicalSortKey> keys,
                     std::optional<int64_t> offset,
                     std::optional<int64_t> fetch);
/// Throws when the sides differ in their number of columns or have no common types; casts them
/// where they differ.
LogicalPtr make_set_operation(SetOperationKind operation,
                              bool all,
                              LogicalPtr left,
                              LogicalPtr right,
                              SourcePosition position);

/// A reference to each column of a schema.
std::vector<expression::ExpressionPtr> all_columns(const Schema& schema);
expression::ExpressionPtr column_of(const Schema& schema, size_t index);
std::vector<std::string> names_of(const Schema& schema);
/// True when expression i is column i for all columns of the schema.
bool is_identity(const std::vector<expression::ExpressionPtr>& projections, const Schema& schema);
/// The names with a number behind each that occurred before: a, a0, a1.
std::vector<std::string> make_unique(std::vector<std::string> names);

}  // namespace thalweg::planner
