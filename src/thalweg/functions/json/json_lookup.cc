#include "thalweg/functions/json/json_lookup.h"

#include <fmt/format.h>

#include "thalweg/functions/signature.h"

namespace thalweg::functions {

void find_json(PathCache& paths, std::string_view json, std::string_view path_text, Found& found) {
  const std::optional<JsonPath>& path = paths.get(path_text);
  found.has_value = false;
  found.lax = path && path->is_lax();
  if (!path && JsonPath::is_lax(path_text) && !parse_json(json)) {
    found.has_value = true;
    found.lax = true;
    found.value = JsonValue();
    return;
  }
  if (!path) {
    found.error = fmt::format("Illegal JSON path: '{}'", path_text);
    return;
  }
  if (!paths.names().empty() && find_member(json, paths.names(), found.value)) {
    found.has_value = true;
    return;
  }
  const auto document = parse_json(json);
  if (!document && found.lax) {
    found.has_value = true;
    found.value = JsonValue();
    return;
  }
  if (!document) {
    found.error = fmt::format("Invalid JSON text: '{}'", json);
    return;
  }
  if (document->kind == JsonValue::Kind::kNull) {
    found.lax = false;
    found.error = "json object can not be null";
    return;
  }
  auto value = path->evaluate(*document);
  if (!value) {
    found.lax = false;
    found.error = fmt::format("No results for path: {}", path_text);
    return;
  }
  found.has_value = true;
  found.value = std::move(*value);
}

std::string json_clause(std::span<const BoundArgument> arguments, size_t index, std::string unset) {
  return literal_text(arguments, index).value_or(std::move(unset));
}

}  // namespace thalweg::functions
