#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/functions/json/json_value.h"

namespace thalweg::functions {

/// A compiled path such as "lax $.a[0].*". Without a mode word it is strict. A value.
class JsonPath {
 public:
  /// nullopt when it is not a path.
  static std::optional<JsonPath> compile(std::string_view text);

  bool is_lax() const { return lax_; }

  /// The names of a path such as $.a.b, which has no other steps; empty for others.
  std::vector<std::string> names() const;

  /// The value found. A path that may find several (with *, .., several names) gives an array of
  /// them. nullopt: a strict path leads nowhere. A lax one gives JSON null, or an empty array.
  std::optional<JsonValue> evaluate(const JsonValue& document) const;

 private:
  enum class StepKind : uint8_t { kNames, kIndexes, kSlice, kAll, kDeep };

  struct Step {
    StepKind kind = StepKind::kAll;
    std::vector<std::string> names;
    std::vector<int64_t> indexes;
    std::optional<int64_t> from;
    std::optional<int64_t> to;
  };

  class Compiler;

  bool walk(const JsonValue& value, size_t step, std::vector<const JsonValue*>& found) const;
  bool walk_names(const JsonValue& value, size_t step, std::vector<const JsonValue*>& found) const;
  bool walk_indexes(const JsonValue& value,
                    size_t step,
                    std::vector<const JsonValue*>& found) const;
  void walk_deep(const JsonValue& value, size_t step, std::vector<const JsonValue*>& found) const;

  std::vector<Step> steps_;
  bool lax_ = false;
  bool definite_ = true;
};

}  // namespace thalweg::functions
