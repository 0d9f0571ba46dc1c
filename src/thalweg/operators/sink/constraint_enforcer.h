#pragma once

#include <memory>

#include "thalweg/stream/operator.h"
#include "thalweg/stream/sink_constraints.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// Guards a sink: values of NOT NULL columns and of those with a length. Rows before a bad one are
/// sent on.
struct ConstraintSpec {
  /// The sink's columns under the types that are to hold.
  Schema columns;
  stream::SinkConstraints constraints;
};

/// False when every row of such columns would pass.
bool has_constraints(const ConstraintSpec& spec);

std::shared_ptr<const stream::OperatorFactory> make_constraint_enforcer(ConstraintSpec spec);

}  // namespace thalweg::operators
