#include "thalweg/stream/option.h"

#include <charconv>
#include <set>

#include <fmt/format.h>

#include "thalweg/common/error.h"

namespace thalweg::stream {

namespace {

/// Keys that every table may carry: they belong to the engine, not to a connector.
bool is_engine_key(std::string_view key) {
  return key == "connector" || key == "property-version" || key.starts_with("scan.watermark.");
}

/// '#' in a spec's key stands for the name of a column ("fields.#.kind").
bool key_matches(std::string_view pattern, std::string_view key) {
  const size_t mark = pattern.find('#');
  if (mark == std::string_view::npos) {
    return pattern == key;
  }
  const std::string_view head = pattern.substr(0, mark);
  const std::string_view tail = pattern.substr(mark + 1);
  return key.size() > head.size() + tail.size() && key.starts_with(head) && key.ends_with(tail);
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
  }
  while (!text.empty() && text.back() == ' ') {
    text.remove_suffix(1);
  }
  if (!text.empty() && text.front() == '+') {
    text.remove_prefix(1);
  }
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

std::optional<bool> parse_bool(std::string_view text) {
  if (equal_ignoring_case(text, "true")) {
    return true;
  }
  if (equal_ignoring_case(text, "false")) {
    return false;
  }
  return std::nullopt;
}

Error invalid(const std::string& key, const std::string& value, const std::string& wanted) {
  return Error(ErrorCode::kInvalidOption,
               fmt::format("Invalid value for option '{}'. Could not parse value '{}' for key "
                           "'{}'.",
                           key,
                           value,
                           key))
      .hint(fmt::format("Write {}.", wanted));
}

/// Throws kInvalidOption when `value` is not of the spec's type.
void check_value(const OptionSpec& spec, const std::string& key, const std::string& value) {
  switch (spec.type) {
    case OptionType::kBoolean:
      if (!parse_bool(value)) {
        throw invalid(key, value, "'true' or 'false'");
      }
      return;
    case OptionType::kInt:
      if (!parse_number<int32_t>(value)) {
        throw invalid(key, value, "a whole number");
      }
      return;
    case OptionType::kLong:
      if (!parse_number<int64_t>(value)) {
        throw invalid(key, value, "a whole number");
      }
      return;
    case OptionType::kDouble:
      if (!parse_number<double>(value)) {
        throw invalid(key, value, "a number");
      }
      return;
    case OptionType::kDuration:
      if (!parse_duration_ms(value)) {
        throw invalid(key, value, "a duration, for example '30 s', '5 min' or '100 ms'");
      }
      return;
    case OptionType::kMemory:
      if (!parse_memory_bytes(value)) {
        throw invalid(key, value, "a size, for example '64 mb' or '1 gb'");
      }
      return;
    case OptionType::kEnum:
      for (const std::string& allowed : spec.values) {
        if (equal_ignoring_case(allowed, value)) {
          return;
        }
      }
      throw invalid(key, value, fmt::format("one of: {}", fmt::join(spec.values, ", ")));
    case OptionType::kString:
    case OptionType::kList:
    case OptionType::kMap:
      return;
  }
}

}  // namespace

Options::Options(std::string owner, std::vector<OptionSpec> specs, OptionMap values)
    : owner_(std::move(owner)), specs_(std::move(specs)), values_(std::move(values)) {}

const OptionSpec* Options::spec_of(const std::string& key) const {
  for (const OptionSpec& spec : specs_) {
    if (key_matches(spec.key, key)) {
      return &spec;
    }
    for (const std::string& fallback : spec.fallback_keys) {
      if (key_matches(fallback, key)) {
        return &spec;
      }
    }
  }
  return nullptr;
}

void Options::validate(const std::vector<std::string>& ignored_prefixes) const {
  std::vector<std::string> missing;
  for (const OptionSpec& spec : specs_) {
    if (spec.required && !has(spec.key)) {
      missing.push_back(spec.key);
    }
  }
  if (!missing.empty()) {
    throw Error(ErrorCode::kMissingOption,
                fmt::format("One or more required options are missing.\n\nMissing required "
                            "options are:\n\n{}",
                            fmt::join(missing, "\n")))
        .hint(fmt::format("Add {} to the WITH options of '{}'.", fmt::join(missing, ", "), owner_));
  }
  std::vector<std::string> unknown;
  for (const auto& [key, value] : values_) {
    const bool ignored =
        is_engine_key(key) ||
        std::any_of(ignored_prefixes.begin(), ignored_prefixes.end(), [&key](const auto& prefix) {
          return key.starts_with(prefix);
        });
    if (const OptionSpec* spec = spec_of(key)) {
      check_value(*spec, key, value);
    } else if (!ignored) {
      unknown.push_back(key);
    }
  }
  if (!unknown.empty()) {
    throw_unknown(unknown);
  }
}

void Options::throw_unknown(const std::vector<std::string>& unknown) const {
  std::vector<std::string> known;
  for (const OptionSpec& spec : specs_) {
    known.push_back(spec.key);
  }
  std::sort(known.begin(), known.end());
  Error error(ErrorCode::kUnknownOption,
              fmt::format("Unsupported options found for '{}'.\n\nUnsupported "
                          "options:\n\n{}\n\nSupported options:\n\n{}",
                          owner_,
                          fmt::join(unknown, "\n"),
                          fmt::join(known, "\n")));
  const auto near = did_you_mean(unknown.front(), known);
  throw std::move(error).hint(near ? fmt::format("Did you mean '{}'?", *near)
                                   : fmt::format("Remove '{}'.", unknown.front()));
}

bool Options::has(const std::string& key) const {
  if (values_.contains(key)) {
    return true;
  }
  const OptionSpec* spec = spec_of(key);
  return spec != nullptr &&
         std::any_of(spec->fallback_keys.begin(),
                     spec->fallback_keys.end(),
                     [this](const std::string& fallback) { return values_.contains(fallback); });
}

std::optional<std::string> Options::find_string(const std::string& key) const {
  const OptionSpec* spec = spec_of(key);
  auto found = values_.find(key);
  if (found == values_.end() && spec != nullptr) {
    for (const std::string& fallback : spec->fallback_keys) {
      found = values_.find(fallback);
      if (found != values_.end()) {
        break;
      }
    }
  }
  if (found != values_.end()) {
    if (spec != nullptr) {
      check_value(*spec, found->first, found->second);
      if (spec->type == OptionType::kEnum) {
        for (const std::string& allowed : spec->values) {
          if (equal_ignoring_case(allowed, found->second)) {
            return allowed;
          }
        }
      }
    }
    return found->second;
  }
  return spec == nullptr ? std::nullopt : spec->default_value;
}

std::string Options::get_string(const std::string& key) const {
  if (std::optional<std::string> value = find_string(key)) {
    return *std::move(value);
  }
  throw Error(ErrorCode::kMissingOption,
              fmt::format("One or more required options are missing.\n\nMissing required options "
                          "are:\n\n{}",
                          key))
      .hint(fmt::format("Add '{}' to the WITH options of '{}'.", key, owner_));
}

bool Options::get_bool(const std::string& key) const {
  const std::string text = get_string(key);
  if (const auto value = parse_bool(text)) {
    return *value;
  }
  throw invalid(key, text, "'true' or 'false'");
}

int64_t Options::get_int(const std::string& key) const {
  const std::string text = get_string(key);
  if (const auto value = parse_number<int64_t>(text)) {
    return *value;
  }
  throw invalid(key, text, "a whole number");
}

double Options::get_double(const std::string& key) const {
  const std::string text = get_string(key);
  if (const auto value = parse_number<double>(text)) {
    return *value;
  }
  throw invalid(key, text, "a number");
}

int64_t Options::get_duration_ms(const std::string& key) const {
  const std::string text = get_string(key);
  if (const auto value = parse_duration_ms(text)) {
    return *value;
  }
  throw invalid(key, text, "a duration, for example '30 s', '5 min' or '100 ms'");
}

std::optional<int64_t> Options::find_duration_ms(const std::string& key) const {
  if (!find_string(key)) {
    return std::nullopt;
  }
  return get_duration_ms(key);
}

int64_t Options::get_memory_bytes(const std::string& key) const {
  const std::string text = get_string(key);
  if (const auto value = parse_memory_bytes(text)) {
    return *value;
  }
  throw invalid(key, text, "a size, for example '64 mb' or '1 gb'");
}

std::vector<std::string> Options::get_list(const std::string& key) const {
  std::vector<std::string> items;
  const std::string text = find_string(key).value_or("");
  size_t begin = 0;
  while (begin < text.size()) {
    size_t end = text.find(';', begin);
    end = end == std::string::npos ? text.size() : end;
    if (end > begin) {
      items.push_back(text.substr(begin, end - begin));
    }
    begin = end + 1;
  }
  return items;
}

OptionMap Options::with_prefix(const std::string& prefix) const {
  OptionMap found;
  for (auto at = values_.lower_bound(prefix); at != values_.end() && at->first.starts_with(prefix);
       ++at) {
    found.emplace(at->first.substr(prefix.size()), at->second);
  }
  return found;
}

}  // namespace thalweg::stream
