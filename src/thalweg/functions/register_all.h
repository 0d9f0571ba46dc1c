#pragma once

#include "thalweg/expression/function_registry.h"

namespace thalweg::functions {

/// Adds every built-in function. Operators are functions named as they are written: "+" (also with
/// one operand for "-"), "=", "IS NULL", "LIKE", "[]" (element), "." (row field, by a literal
/// name); keywords such as time units are given as CHAR literals.
void register_all(expression::FunctionRegistry& registry);

}  // namespace thalweg::functions
