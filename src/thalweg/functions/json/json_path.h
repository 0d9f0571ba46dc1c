#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/functions/json/json_path_steps.h"
#include "thalweg/functions/json/json_value.h"

namespace thalweg::functions {

/// A compiled path such as "lax $.a[0].*", with filters and functions. Without a mode word it is
/// strict. A value; not for several threads at once, since patterns in filters are not.
class JsonPath {
 public:
  /// nullopt when it is not a path.
  static std::optional<JsonPath> compile(std::string_view text);

  bool is_lax() const { return lax_; }

  /// The same of a text that need not be a path.
  static bool is_lax(std::string_view text);

  /// The names of a path such as $.a.b, which has no other steps; empty for others.
  std::vector<std::string> names() const;

  /// The value found. A path that may find several (with *, .., filters) gives an array of them.
  /// nullopt: a strict path leads nowhere, or a filter or function fails. A lax one that leads
  /// nowhere gives JSON null, or an empty array.
  std::optional<JsonValue> evaluate(const JsonValue& document) const;

 private:
  json_path::Steps steps_;
  bool lax_ = false;
};

}  // namespace thalweg::functions
