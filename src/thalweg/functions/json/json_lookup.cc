#include "thalweg/functions/json/json_lookup.h"

#include <fmt/format.h>

#include "thalweg/functions/signature.h"

namespace thalweg::functions {

Found find_json(PathCache& paths, std::string_view json, std::string_view path_text) {
  const std::optional<JsonPath>& path = paths.get(path_text);
  if (!path) {
    return {std::nullopt, false, fmt::format("Illegal JSON path: '{}'", path_text)};
  }
  if (!paths.names().empty()) {
    if (auto member = find_member(json, paths.names())) {
      return {std::move(member), path->is_lax(), {}};
    }
  }
  const auto document = parse_json(json);
  if (!document) {
    return {std::nullopt, path->is_lax(), fmt::format("Invalid JSON text: '{}'", json)};
  }
  auto value = path->evaluate(*document);
  if (!value) {
    return {std::nullopt, false, fmt::format("No results for path: {}", path_text)};
  }
  return {std::move(value), path->is_lax(), {}};
}

std::string json_clause(std::span<const BoundArgument> arguments, size_t index, std::string unset) {
  return literal_text(arguments, index).value_or(std::move(unset));
}

}  // namespace thalweg::functions
