#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg::functions {

/// A compiled Java regular expression with room for one match. Owned by a kernel; one thread.
class Regex {
 public:
  /// nullptr when the pattern is not valid.
  static std::shared_ptr<Regex> compile(std::string_view java_pattern);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  /// The next match at or after byte `start`; its groups are valid until the next call. After an
  /// empty match go on with `next_start`.
  bool find(std::string_view subject, size_t start = 0);
  /// True when the whole subject matches.
  bool matches(std::string_view subject);

  /// Number of capturing groups.
  int32_t group_count() const;
  /// Group 0 is the match; nullopt for a group that took no part.
  std::optional<std::string_view> group(int32_t index) const;
  size_t match_begin() const;
  size_t match_end() const;
  /// Where to look for the match after this one; past the subject's end when there is none.
  size_t next_start() const;

 private:
  struct Code;

  explicit Regex(std::unique_ptr<Code> code);
  bool run(std::string_view subject, size_t start, uint32_t options);

  std::unique_ptr<Code> code_;
  std::string_view subject_;
};

/// Compiles patterns that come as values, keeping the last one.
class RegexCache {
 public:
  /// nullptr when the pattern is not valid.
  Regex* get(std::string_view java_pattern);

 private:
  std::optional<std::string> pattern_;
  std::shared_ptr<Regex> regex_;
};

}  // namespace thalweg::functions
