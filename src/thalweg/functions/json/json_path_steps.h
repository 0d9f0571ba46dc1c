#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/functions/json/json_value.h"

/// What a JSON path's text compiles to, by the rules of Jayway's JsonPath 2.10, which Flink uses:
/// surprising ones too, since programs see them.
namespace thalweg::functions::json_path {

struct Filter;
struct Steps;

/// What a path's function is given besides its own value: what another path finds, or a JSON text,
/// which may be a wrong one.
struct Parameter {
  std::shared_ptr<const Steps> path;
  std::optional<JsonValue> json;
};

enum class StepKind : uint8_t {
  kNames,
  kIndexes,
  kSlice,
  kAll,
  /// `..`: the step behind it is taken from here and from everything below.
  kDeep,
  kFilter,
  kFunction,
};

struct Step {
  StepKind kind = StepKind::kAll;
  std::vector<std::string> names = {};
  std::vector<int32_t> indexes = {};
  std::optional<int32_t> from = std::nullopt;
  std::optional<int32_t> to = std::nullopt;
  std::shared_ptr<const Filter> filter = nullptr;
  std::string function = {};
  std::vector<Parameter> parameters = {};

  /// It leads to one value at most.
  bool is_definite(bool is_last) const {
    return kind == StepKind::kFunction || (kind == StepKind::kIndexes && indexes.size() == 1) ||
           (kind == StepKind::kNames && (names.size() == 1 || is_last));
  }
};

/// A path: its steps from the document ($) or from the item that a filter looks at (@). Immutable.
struct Steps {
  std::vector<Step> steps = {};
  bool starts_at_item = false;

  bool is_definite() const {
    for (const Step& step : steps) {
      if (!step.is_definite(&step == &steps.back())) {
        return false;
      }
    }
    return true;
  }

  bool ends_in_function() const {
    return !steps.empty() && steps.back().kind == StepKind::kFunction;
  }
};

/// How deep paths and parentheses may nest in filters and parameters.
inline constexpr int kDeepestPath = 50;

/// nullopt when the text is not a path. `depth` counts the paths around it.
std::optional<Steps> compile_steps(std::string_view text, int depth = 0);

}  // namespace thalweg::functions::json_path
