#include "thalweg/functions/json/json_path_text.h"

#include <charconv>

#include "thalweg/expression/utf8.h"

namespace thalweg::functions::json_path {

size_t PathText::closing_quote(size_t place, char quote) const {
  for (size_t i = place + 1; has(i); ++i) {
    if (text_[i] == '\\') {
      ++i;
    } else if (text_[i] == quote) {
      return i;
    }
  }
  return kNone;
}

size_t PathText::closing_bracket(size_t place, char open, char close, bool skips_patterns) const {
  int opened = 1;
  for (size_t i = place + 1; has(i); ++i) {
    for (const char quote : {'\'', '"', '/'}) {
      if (at(i) == quote && (quote != '/' || skips_patterns)) {
        i = closing_quote(i, quote);
        if (i == kNone) {
          return kNone;
        }
        ++i;
      }
    }
    if (at(i) == open) {
      ++opened;
    } else if (at(i) == close && --opened == 0) {
      return i;
    }
  }
  return kNone;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char c = text[++i];
    uint32_t code = 0;
    const char* const digits = text.data() + i + 1;
    if (c == 'u' && i + 4 < text.size() &&
        std::from_chars(digits, digits + 4, code, 16).ptr == digits + 4) {
      utf8::append(plain, code);
      i += 4;
      continue;
    }
    constexpr std::string_view kLetters = "rftnb";
    constexpr std::string_view kControls = "\r\f\t\n\b";
    const size_t letter = kLetters.find(c);
    plain += letter == std::string_view::npos ? c : kControls[letter];
  }
  return plain;
}

}  // namespace thalweg::functions::json_path
