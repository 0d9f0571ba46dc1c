#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thalweg/functions/json/json_path_steps.h"
#include "thalweg/functions/regex/regex.h"

/// The condition of a path's `[?(...)]`.
namespace thalweg::functions::json_path {

/// A side of a comparison, as it is written.
struct Operand {
  enum class Kind : uint8_t { kPath, kNull, kBoolean, kNumber, kString, kJson, kPattern };

  Kind kind = Kind::kNull;
  /// kPath, with a `!` before it or none.
  std::shared_ptr<const Steps> path = nullptr;
  bool is_negated = false;
  bool boolean = false;
  /// A number or string.
  std::string text = {};
  /// nullopt when the text is not JSON: the filter fails when it is used.
  std::optional<JsonValue> json = std::nullopt;
  std::shared_ptr<Regex> pattern = nullptr;
};

enum class Comparison : uint8_t {
  kEqual,
  kNotEqual,
  kSameEqual,
  kNotSameEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPattern,
  kIn,
  kNotIn,
  kContains,
  kSize,
  kEmpty,
  kSubsetOf,
  kAnyOf,
  kNoneOf,
  /// ALL, TYPE, MATCHES: words of Jayway that texts give no fitting operand for.
  kNever,
};

/// A node of a condition. Immutable.
struct Filter {
  enum class Kind : uint8_t { kAnd, kOr, kNot, kCompare, kExists };

  Kind kind = Kind::kCompare;
  /// kAnd, kOr, kNot.
  std::vector<Filter> parts = {};
  Comparison comparison = Comparison::kEqual;
  /// The path of kExists is on the left.
  Operand left = {};
  Operand right = {};
};

/// `text` begins and ends with the parentheses around the condition; nullopt when it is not one.
std::optional<Filter> compile_filter(std::string_view text, int depth);

}  // namespace thalweg::functions::json_path
