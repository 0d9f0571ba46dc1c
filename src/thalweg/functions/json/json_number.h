#pragma once

#include <compare>
#include <string_view>

namespace thalweg::functions {

/// True for what Java's BigDecimal reads: "-1.5e3", ".5".
bool is_number(std::string_view text);

/// The order of two numbers' values, exact whatever their length.
std::strong_ordering compare_numbers(std::string_view left, std::string_view right);

}  // namespace thalweg::functions
