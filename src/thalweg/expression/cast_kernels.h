#pragma once

#include <memory>

#include "thalweg/expression/scalar_function.h"

/// The casts by kind of source and target; make_cast_kernel chooses. Internal to the module.
namespace thalweg::expression {

/// Numbers, decimals and booleans among each other; exact numbers to intervals.
std::unique_ptr<ScalarKernel> make_number_cast(const DataType& source, const DataType& target);
/// Text to anything.
std::unique_ptr<ScalarKernel> make_parsing_cast(const DataType& source, const DataType& target);
/// Anything to text, text and bytes to each other.
std::unique_ptr<ScalarKernel> make_printing_cast(const DataType& source, const DataType& target);
/// Dates, times and timestamps among each other.
std::unique_ptr<ScalarKernel> make_temporal_cast(const DataType& source, const DataType& target);
/// ARRAY, MAP, MULTISET and ROW, child by child.
std::unique_ptr<ScalarKernel> make_nested_cast(const DataType& source, const DataType& target);

}  // namespace thalweg::expression
