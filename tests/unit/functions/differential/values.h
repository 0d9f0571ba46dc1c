#pragma once

#include <vector>

#include "functions/differential/random.h"
#include "thalweg/types/batch.h"
#include "thalweg/types/value.h"

namespace thalweg::functions::differential {

/// One of each kind of type, nullable.
const std::vector<DataType>& sample_types();

/// For sample type i: column 2 * i takes NULLs, column 2 * i + 1 is NOT NULL.
const Schema& sample_schema();

/// Any type that values can be cast to and from, of any length, precision and scale; types in types
/// `depth` deep.
DataType random_type(int depth, Random& random);

/// Often at an edge of the type; NULL now and then where the type takes it.
Value random_value(const DataType& type, Random& random);

/// A random batch; some of its columns are constant.
Batch random_batch(const Schema& schema, int32_t rows, Random& random);

}  // namespace thalweg::functions::differential
