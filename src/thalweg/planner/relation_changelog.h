#pragma once

#include <vector>

#include "thalweg/planner/relation.h"

namespace thalweg::planner {

/// TO_CHANGELOG, or FROM_CHANGELOG where it `makes_table`, of `input`: the arguments are those
/// behind it, by name or in their order (op, op_mapping).
Relation with_changelog_function(const Relation& input,
                                 bool makes_table,
                                 const std::vector<sql::ExprPtr>& arguments);

}  // namespace thalweg::planner
