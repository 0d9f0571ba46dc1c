#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "thalweg/types/text_json.h"

namespace thalweg::functions {

/// A parsed JSON document as Flink's functions see it: numbers with a fraction or exponent are
/// exact decimals, written as Java's BigDecimal. A value.
struct JsonValue {
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  bool boolean = false;
  /// A string's characters, or a number's digits in their final form.
  std::string text;
  /// An array's elements, or an object's values.
  std::vector<JsonValue> items;
  /// An object's keys, in the order of the text; of equal ones only the last stays.
  std::vector<std::string> keys;

  bool is_scalar() const {
    return kind == Kind::kBoolean || kind == Kind::kNumber || kind == Kind::kString;
  }

  const JsonValue* member(std::string_view key) const;
};

/// The first value in `text`; what follows it is not looked at, as Jackson does. nullopt when it is
/// not JSON.
std::optional<JsonValue> parse_json(std::string_view text);

/// Puts the member that `names` lead to, one in the other, into `out` without building the rest;
/// false when there is none or the text is not JSON.
bool find_member(std::string_view text, std::span<const std::string> names, JsonValue& out);

/// Compact, with keys in order, as Flink's functions write it.
void append_json(std::string& out, const JsonValue& value);
/// A scalar as JSON_VALUE returns it: a string without its quotes. Lives as long as the value.
std::string_view scalar_text(const JsonValue& value);
using text::append_json_string;

/// A number's text as Java's BigDecimal.toString writes it: "1.5e3" is "1.5E+3".
std::string big_decimal_text(std::string_view number);

}  // namespace thalweg::functions
