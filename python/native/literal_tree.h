#pragma once

#include <nanobind/nanobind.h>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::binding {

/// ("lit", value, type) as a literal, or as a cast where SQL has no literal of the type.
sql::ExprPtr literal_from(nanobind::handle value, const DataType& type);

/// ("interval", text, leading, trailing).
sql::ExprPtr interval_from(std::string text, std::string_view leading, std::string_view trailing);

}  // namespace thalweg::binding
