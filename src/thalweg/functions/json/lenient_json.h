#pragma once

#include <optional>
#include <string_view>

#include "thalweg/functions/json/json_value.h"

namespace thalweg::functions {

/// JSON as it may stand inside a path: strings in either quotes or in none.
std::optional<JsonValue> parse_lenient_json(std::string_view text);

}  // namespace thalweg::functions
