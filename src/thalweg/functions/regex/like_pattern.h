#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg::functions {

/// A compiled LIKE pattern: `%` is any text, `_` any character. Patterns with one text between
/// percent signs become a comparison, prefix, suffix or search. A value.
class LikePattern {
 public:
  /// nullopt when the escape character is not one character or escapes something that needs none.
  static std::optional<LikePattern> compile(std::string_view pattern,
                                            std::optional<std::string_view> escape);

  bool matches(std::string_view text) const;

 private:
  /// A run of characters between percent signs; `wild` marks those that stand for any.
  struct Piece {
    std::string text;
    std::vector<bool> wild;
    bool has_wild = false;
  };

  static bool matches_at(const Piece& piece, std::string_view text, size_t& end);
  static size_t find_piece(const Piece& piece, std::string_view text, size_t from, size_t& end);
  bool matches_suffix(const Piece& piece, std::string_view text, size_t from) const;

  /// Always one more than there are percent signs.
  std::vector<Piece> pieces_;
};

}  // namespace thalweg::functions
