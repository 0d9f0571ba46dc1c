#pragma once

#include <memory>

#include "thalweg/functions/signature.h"

namespace thalweg::functions {

/// FLOOR(time TO unit) and CEIL(time TO unit); the unit is a literal.
Bound bind_time_floor(std::span<const BoundArgument> arguments);
std::unique_ptr<expression::ScalarKernel> make_time_floor(const Signature& signature,
                                                          std::span<const BoundArgument> arguments,
                                                          bool up);

}  // namespace thalweg::functions
