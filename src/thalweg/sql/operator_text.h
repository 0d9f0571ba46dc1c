#pragma once

#include <string_view>

#include "thalweg/sql/ast_expression.h"

namespace thalweg::sql {

enum class OpForm : uint8_t { kBinary, kPrefix, kPostfix, kRange, kLike, kItem };

/// How an operator is written, and how tightly it binds (Calcite's numbers; higher is tighter).
struct OpText {
  std::string_view text;
  OpForm form;
  int precedence;
};

const OpText& op_text(Op op);

}  // namespace thalweg::sql
