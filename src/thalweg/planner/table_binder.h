#pragma once

#include "thalweg/catalog/table.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/stream/option.h"

namespace thalweg::planner {

/// What a connector is told of a table: its physical columns, keys and options.
stream::TableContext table_context(const catalog::ObjectPath& path,
                                   const catalog::CatalogTable& table,
                                   const stream::OptionMap& hint_options,
                                   const PlannerContext& context);

/// The rows of a table as its definition shows them: the scan, its computed and metadata columns,
/// its watermark.
LogicalPtr bind_scan(const catalog::ObjectPath& path,
                     const catalog::CatalogTable& table,
                     const stream::OptionMap& hint_options,
                     SourcePosition position,
                     const PlannerContext& context);

/// Creates the source or sink; errors name the table and its options as Flink does.
std::shared_ptr<stream::TableSource> create_source(const stream::TableContext& table,
                                                   SourcePosition position,
                                                   const PlannerContext& context);
std::shared_ptr<stream::TableSink> create_sink(const stream::TableContext& table,
                                               SourcePosition position,
                                               const PlannerContext& context);

/// The metadata key of a METADATA column.
const std::string& metadata_key(const sql::ColumnDefinition& column);

}  // namespace thalweg::planner
