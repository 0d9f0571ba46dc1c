#pragma once

#include <cstdint>
#include <string>

#include "functions/differential/generator.h"

namespace thalweg::functions::differential {

/// Makes the expression and the rows that belong to `seed`, evaluates it over whole batches in
/// several shapes, and row by row. Empty when all agree; else the smallest part of the expression
/// that does not, the row and the two values.
std::string check_seed(const Generator& generator, uint64_t seed);

}  // namespace thalweg::functions::differential
