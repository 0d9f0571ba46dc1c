#pragma once

#include <span>
#include <string_view>

namespace thalweg::sql {

/// Whether `word` (upper case) may be a name only in back quotes.
bool is_reserved(std::string_view word);

/// Whether `word` (upper case) is reserved and yet the name of a function.
bool is_callable_reserved(std::string_view word);

/// All reserved words in alphabetical order, for completion in a shell.
std::span<const std::string_view> reserved_words();

}  // namespace thalweg::sql
