#pragma once

#include <string>
#include <string_view>

namespace thalweg::text {

/// In quotes, with Jackson's escapes.
void append_json_string(std::string& out, std::string_view text);
/// Java's Base64 encoder, with padding.
void append_base64(std::string& out, std::string_view bytes);

}  // namespace thalweg::text
