#pragma once

#include "thalweg/expression/expression.h"
#include "thalweg/types/data_type.h"

namespace thalweg::planner {

/// True when INSERT may turn values of `source` into `target` without a CAST being written (Flink's
/// LogicalTypeCasts.supportsImplicitCast); nullability is not looked at.
bool supports_implicit_cast(const DataType& source, const DataType& target);

/// `operand` as `target`: itself where only nullability or a time attribute differ, else a cast
/// that the query did not write.
/// Whether values of `source` are values of `target` as they are (Flink's supportsAvoidingCast),
/// nullability aside.
bool avoids_cast(const DataType& source, const DataType& target);

expression::ExpressionPtr coerce(expression::ExpressionPtr operand, const DataType& target);

}  // namespace thalweg::planner
