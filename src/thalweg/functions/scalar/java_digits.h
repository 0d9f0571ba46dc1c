#pragma once

#include <cstdint>
#include <string>

/// Doubles as java.util.Formatter writes them: the shortest digits that stand for the number,
/// rounded half up. `magnitude` is not negative and finite.
namespace thalweg::functions {

/// %f: as many digits behind the point.
std::string fixed_text(double magnitude, int32_t precision);
/// %e: one digit before the point and as many behind it.
std::string scientific_text(double magnitude, int32_t precision);
/// %g: as many digits in all, in the one form or the other.
std::string general_text(double magnitude, int32_t precision);

}  // namespace thalweg::functions
