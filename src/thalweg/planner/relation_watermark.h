#pragma once

#include <string>

#include "thalweg/planner/relation.h"

namespace thalweg::planner {

/// The rows of `input` with `column` as their event time, and watermarks from an expression over
/// the columns: WATERMARK FOR column AS expression.
Relation with_watermark(const Relation& input,
                        const std::string& column,
                        const sql::ExprPtr& expression);

}  // namespace thalweg::planner
