#pragma once

#include <memory>

#include "thalweg/expression/scalar_function.h"

namespace thalweg::expression {

/// The kernel of CAST(source AS target); throws kNotSupported when there is no such cast. A value
/// that does not fit is put into the row errors, or is NULL where Flink says so.
std::unique_ptr<ScalarKernel> make_cast_kernel(const DataType& source, const DataType& target);

}  // namespace thalweg::expression
