#pragma once

#include <optional>
#include <string_view>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::binding {

/// The operator that a ("call", NAME, ...) with so many operands stands for; nullopt for functions.
std::optional<sql::Op> operator_named(std::string_view name, size_t operands);

/// Functions that SQL writes without parentheses.
bool is_niladic(std::string_view name);

}  // namespace thalweg::binding
