#pragma once

#include <memory>

#include "thalweg/engine/configuration.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/planner/physical_plan.h"
#include "thalweg/stream/operator.h"

namespace thalweg::engine {

/// What operators are told about the session besides their plan node.
struct TranslationContext {
  const Configuration& config;
  expression::EvaluationContext evaluation;
  bool is_batch = false;
};

/// The factory of the operator that runs a node with one input. Throws kNotSupported for nodes that
/// have no operator.
std::shared_ptr<const stream::OperatorFactory> translate(const planner::PhysicalNode& node,
                                                         const TranslationContext& context);

/// The watermark assigner inside a source that keeps watermarks for each split.
std::shared_ptr<const stream::OperatorFactory> translate_source_watermark(
    const planner::Scan& scan, const TranslationContext& context);

std::vector<ColumnIndex> primary_key_columns(const stream::TableContext& table);

/// What a sink that materializes remembers, partitioned by the primary key.
std::shared_ptr<const stream::OperatorFactory> translate_materialize(
    const planner::Sink& sink, const TranslationContext& context);

/// Checks before a sink what its columns are declared to hold; null when any row will do.
std::shared_ptr<const stream::OperatorFactory> translate_constraints(const planner::Sink& sink);

}  // namespace thalweg::engine
