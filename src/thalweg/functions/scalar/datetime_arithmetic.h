#pragma once

#include <memory>

#include "thalweg/functions/signature.h"

/// The + , - and * of dates, times, timestamps and intervals.
namespace thalweg::functions {

/// Datetime and interval in either order, or two intervals; minus wants the datetime first.
Bound bind_datetime_sum(std::span<const BoundArgument> arguments, bool is_minus);
std::unique_ptr<expression::ScalarKernel> make_datetime_sum(const Signature& signature,
                                                            bool is_minus);
Bound bind_interval_product(std::span<const BoundArgument> arguments);
std::unique_ptr<expression::ScalarKernel> make_interval_product(const Signature& signature);

}  // namespace thalweg::functions
