#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace thalweg::formats {

bool is_valid_utf8(std::string_view bytes);

/// UTF-16 units of valid UTF-8: what Java's String.length counts.
size_t utf16_length(std::string_view text);

/// Appends `bytes` with U+FFFD in place of what is not UTF-8, as Java's String does.
void append_utf8(std::string& out, std::string_view bytes);

}  // namespace thalweg::formats
