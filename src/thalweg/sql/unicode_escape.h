#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thalweg::sql {

/// Replaces \XXXX (UTF-16 units) and \+XXXXXX by UTF-8, a doubled escape by itself; nothing when
/// malformed.
std::optional<std::string> resolve_unicode_escapes(std::string_view text, char escape);

}  // namespace thalweg::sql
