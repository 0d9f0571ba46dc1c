#pragma once

#include "thalweg/expression/expression.h"

namespace thalweg::expression {

/// `row.name`: a call on the row and the literal name, or number, of its field.
bool is_field_access(const Expression& expression);

/// A column, or a field of a column's row, of its row, and so on: there without computing.
bool is_part_of_input(const Expression& expression);

}  // namespace thalweg::expression
