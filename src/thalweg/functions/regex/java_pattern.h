#pragma once

#include <string>
#include <string_view>

namespace thalweg::functions {

/// A java.util.regex pattern in PCRE2's syntax. They differ inside character classes (Java nests
/// and intersects them), in property names, in \uXXXX and octal escapes, and in the letters of
/// flags. What neither knows is left for PCRE2 to refuse.
std::string translate_java_pattern(std::string_view pattern);

/// The regular expression (Java's) of SIMILAR TO; `escape` may be empty. False when the pattern is
/// not a valid one.
bool similar_to_regex(std::string_view pattern, std::string_view escape, std::string& regex);

}  // namespace thalweg::functions
