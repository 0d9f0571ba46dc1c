#pragma once

#include <string_view>
#include <vector>

#include "thalweg/sql/token.h"

namespace thalweg::sql {

/// Cuts `text` into tokens, without white space and comments, and a kEnd token last. It never
/// throws: what is no token comes as kInvalid or kUnterminated, for the parser to report and the
/// script splitter to understand.
std::vector<Token> tokenize(std::string_view text);

}  // namespace thalweg::sql
