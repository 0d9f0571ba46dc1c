#pragma once

#include <string>
#include <string_view>

namespace thalweg::sql {

/// The keyword that `word` (upper case) was probably meant to be: one letter wrong, missing, too
/// many, or two swapped. Empty when there is none, or when it is a keyword.
std::string_view nearest_keyword(std::string_view word);

}  // namespace thalweg::sql
