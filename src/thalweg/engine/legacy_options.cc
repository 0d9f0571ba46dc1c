#include "thalweg/engine/legacy_options.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "thalweg/common/error.h"

namespace thalweg::engine {

namespace {

using Options = std::map<std::string, std::string>;

/// Properties that say nothing, or what is so anyway.
bool is_idle(std::string_view key, std::string_view value) {
  constexpr std::array kIdle = {std::string_view("connector.property-version"),
                                std::string_view("format.property-version"),
                                std::string_view("format.derive-schema"),
                                std::string_view("update-mode")};
  return std::find(kIdle.begin(), kIdle.end(), key) != kIdle.end() || key.starts_with("schema.") ||
         key.starts_with("format.fields.") ||
         (key == "format.ignore-first-line" && value == "false") ||
         (key == "format.line-delimiter" && value == "\n");
}

bool has(const Options& options, const std::string& key, std::string_view value) {
  const auto found = options.find(key);
  return found != options.end() && found->second == value;
}

/// What our CSV format cannot do, and must not pass over.
void refuse_headers(const Options& options) {
  if (has(options, "format.ignore-first-line", "true")) {
    throw Error(ErrorCode::kNotSupported,
                "'format.ignore-first-line' = 'true' is not supported: every line is a row")
        .hint(
            "Take the line out of the file, or skip what does not parse: "
            "'format.ignore-parse-errors' = 'true'.");
  }
}

}  // namespace

Options without_legacy(const Options& options) {
  if (options.contains("connector") || !has(options, "connector.type", "filesystem") ||
      !has(options, "format.type", "csv")) {
    return options;
  }
  refuse_headers(options);
  Options renamed = {{"connector", "filesystem"}, {"format", "csv"}};
  for (const auto& [key, value] : options) {
    if (key == "connector.path") {
      renamed["path"] = value;
    } else if (key == "format.comment-prefix" && value == "#") {
      renamed["csv.allow-comments"] = "true";
    } else if (key.starts_with("format.") && key != "format.type" && !is_idle(key, value)) {
      renamed["csv." + key.substr(std::string_view("format.").size())] = value;
    } else if (key != "connector.type" && key != "format.type" && !is_idle(key, value)) {
      renamed[key] = value;
    }
  }
  if (!options.contains("format.quote-character")) {
    renamed["csv.disable-quote-character"] = "true";
  }
  return renamed;
}

}  // namespace thalweg::engine
