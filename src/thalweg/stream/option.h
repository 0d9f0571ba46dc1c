#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace thalweg::stream {

enum class OptionType : uint8_t {
  kString,
  kBoolean,
  kInt,
  kLong,
  kDouble,
  kDuration,
  kMemory,
  kEnum,
  kList,
  kMap
};

/// One option of a connector or format: the reference page, the checks and `did you mean` come from
/// it.
struct OptionSpec {
  /// One '#' stands for any text: "fields.#.kind".
  std::string key;
  OptionType type = OptionType::kString;
  /// Flink's default as text; absent means unset.
  std::optional<std::string> default_value = std::nullopt;
  bool required = false;
  std::string description = {};
  /// The values of an enum.
  std::vector<std::string> values = {};
  /// Older spellings that are taken too.
  std::vector<std::string> fallback_keys = {};
};

/// WITH options as the user wrote them, in order of key.
using OptionMap = std::map<std::string, std::string>;

/// Checked, typed access to options by their specs. `owner` names the connector or format in
/// errors.
class Options {
 public:
  Options(std::string owner, std::vector<OptionSpec> specs, OptionMap values);

  /// Throws kMissingOption, kUnknownOption (with the nearest key) or kInvalidOption. Keys under
  /// `ignored_prefixes`
  /// ("properties.", a format's own prefix) pass.
  void validate(const std::vector<std::string>& ignored_prefixes = {}) const;

  bool has(const std::string& key) const;
  /// The value or the default; throws kMissingOption when there is neither.
  std::string get_string(const std::string& key) const;
  std::optional<std::string> find_string(const std::string& key) const;
  bool get_bool(const std::string& key) const;
  int64_t get_int(const std::string& key) const;
  double get_double(const std::string& key) const;
  /// Milliseconds, from Flink's duration texts ("30 s", "5min", "1 h", "100ms", plain numbers).
  int64_t get_duration_ms(const std::string& key) const;
  std::optional<int64_t> find_duration_ms(const std::string& key) const;
  /// Bytes, from "64mb", "1 gb" and so on.
  int64_t get_memory_bytes(const std::string& key) const;
  /// Semicolon-separated.
  std::vector<std::string> get_list(const std::string& key) const;
  /// Values below `prefix` with the prefix cut off.
  OptionMap with_prefix(const std::string& prefix) const;

  const OptionMap& values() const { return values_; }

  const std::string& owner() const { return owner_; }

 private:
  const OptionSpec* spec_of(const std::string& key) const;
  [[noreturn]] void throw_unknown(const std::vector<std::string>& unknown) const;

  std::string owner_;
  std::vector<OptionSpec> specs_;
  OptionMap values_;
};

std::optional<int64_t> parse_duration_ms(std::string_view text);
std::optional<int64_t> parse_memory_bytes(std::string_view text);

/// The candidate nearest to `word` by edit distance, if near enough to be meant.
std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string>& candidates);

}  // namespace thalweg::stream
