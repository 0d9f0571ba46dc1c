#include "thalweg/functions/json/json_path.h"

#include <algorithm>
#include <deque>

#include "thalweg/functions/json/json_path_walk.h"

namespace thalweg::functions {

namespace {

constexpr std::string_view kSpaces = " \t\n\v\f\r";

/// Takes "lax" or "strict" and the spaces around it off the text; nullopt when there is none.
std::optional<bool> take_mode(std::string_view& text) {
  std::string_view rest = text.substr(std::min(text.find_first_not_of(kSpaces), text.size()));
  for (const std::string_view mode : {"lax", "strict"}) {
    const size_t behind = rest.find_first_not_of(kSpaces, mode.size());
    const bool matches =
        behind != std::string_view::npos && behind > mode.size() &&
        std::equal(mode.begin(), mode.end(), rest.begin(), [](char wanted, char given) {
          return wanted == (given | 0x20);
        });
    if (matches) {
      text = rest.substr(behind);
      return mode == "lax";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<JsonPath> JsonPath::compile(std::string_view text) {
  JsonPath path;
  path.lax_ = take_mode(text).value_or(false);
  auto steps = json_path::compile_steps(text);
  if (!steps) {
    return std::nullopt;
  }
  path.steps_ = *std::move(steps);
  return path;
}

bool JsonPath::is_lax(std::string_view text) {
  return take_mode(text).value_or(false);
}

std::vector<std::string> JsonPath::names() const {
  std::vector<std::string> names;
  for (const json_path::Step& step : steps_.steps) {
    if (step.kind != json_path::StepKind::kNames || step.names.size() != 1) {
      return {};
    }
    names.push_back(step.names[0]);
  }
  return names;
}

std::optional<JsonValue> JsonPath::evaluate(const JsonValue& document) const {
  std::deque<JsonValue> made;
  const JsonValue* value = nullptr;
  const json_path::End end =
      json_path::find_value(steps_, {document, lax_, false, made}, document, value);
  if (end != json_path::End::kDone) {
    return std::nullopt;
  }
  return value == nullptr ? JsonValue() : *value;
}

}  // namespace thalweg::functions
