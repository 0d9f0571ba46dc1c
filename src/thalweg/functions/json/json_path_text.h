#pragma once

#include <string>
#include <string_view>

namespace thalweg::functions::json_path {

/// A path's text with a place in it. Blanks are spaces only. Borrows the text.
class PathText {
 public:
  static constexpr size_t kNone = std::string_view::npos;

  explicit PathText(std::string_view text) : text_(text) {}

  size_t size() const { return text_.size(); }

  bool has(size_t place) const { return place < text_.size(); }

  /// NUL behind the end.
  char at(size_t place) const { return has(place) ? text_[place] : '\0'; }

  std::string_view part(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }

  size_t find(char c, size_t from) const { return text_.find(c, from); }

  /// The first place from `place` on that is no blank; the size when there is none.
  size_t skip_blanks(size_t place) const {
    while (has(place) && text_[place] == ' ') {
      ++place;
    }
    return place;
  }

  /// The last place before `place` that is no blank, or kNone.
  size_t before_blanks(size_t place) const {
    while (place-- > 0) {
      if (text_[place] != ' ') {
        return place;
      }
    }
    return kNone;
  }

  /// The next `quote` behind the one at `place`; a backslash hides the character after it.
  size_t closing_quote(size_t place, char quote) const;
  /// The bracket that closes the one at `place`, or kNone. Strings are passed over, and regular
  /// expressions between slashes where `skips_patterns`.
  size_t closing_bracket(size_t place, char open, char close, bool skips_patterns) const;

 private:
  std::string_view text_;
};

std::string_view trimmed(std::string_view text);

/// The characters of a quoted name or text, which may hold backslashes.
std::string unescaped(std::string_view text);

}  // namespace thalweg::functions::json_path
