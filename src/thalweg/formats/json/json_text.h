#pragma once

#include <optional>
#include <string>
#include <string_view>

/// JSON text by hand, for what the parser passes over or takes as text.
namespace thalweg::formats {

/// A number as JSON spells it: no leading zeros, no sign but a minus.
bool is_json_number(std::string_view token);

/// true, false, null, a number, or something in quotes; nothing after it but spaces.
bool is_json_scalar(std::string_view token);

/// True when `text` is one whole JSON value, to the last comma.
bool is_json(std::string_view text);

/// Appends valid JSON without spaces, its numbers as Jackson's tree prints them: doubles in Java's
/// form, or without trailing zeros when `exact_decimals` is set.
void append_compact_json(std::string& out, std::string_view json, bool exact_decimals);

/// In quotes, with Jackson's escapes; bytes over 127 are kept.
void append_json_string(std::string& out, std::string_view text);

/// What Jackson reads and a strict parser refuses, put right: a byte order mark, control characters
/// inside strings, text behind the first value. Nothing when there was none of it.
std::optional<std::string> tolerate_json(std::string_view record);

}  // namespace thalweg::formats
