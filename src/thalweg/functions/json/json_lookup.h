#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/expression/scalar_function.h"
#include "thalweg/functions/json/json_path.h"

/// What JSON_VALUE, JSON_QUERY and JSON_EXISTS share.
namespace thalweg::functions {

/// Paths are literals mostly: the last one is kept.
class PathCache {
 public:
  const std::optional<JsonPath>& get(std::string_view text) {
    if (!text_ || *text_ != text) {
      text_ = std::string(text);
      path_ = JsonPath::compile(text);
      names_ = path_ ? path_->names() : std::vector<std::string>();
    }
    return path_;
  }

  /// Of the path asked for last, as JsonPath::names.
  std::span<const std::string> names() const { return names_; }

 private:
  std::optional<std::string> text_;
  std::optional<JsonPath> path_;
  std::vector<std::string> names_;
};

/// What a path finds in a text: a value, or why there is none. One serves many lookups, so that
/// its memory does.
struct Found {
  bool has_value = false;
  JsonValue value;
  bool lax = false;
  std::string error;
};

void find_json(PathCache& paths, std::string_view json, std::string_view path_text, Found& found);

/// How a lookup ends, before the ON EMPTY and ON ERROR clauses.
enum class Outcome : uint8_t { kValue, kEmpty, kError };

/// The literal of a clause, or `unset`.
std::string json_clause(std::span<const expression::BoundArgument> arguments,
                        size_t index,
                        std::string unset);

}  // namespace thalweg::functions
