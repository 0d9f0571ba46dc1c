#include "thalweg/functions/regex/java_pattern.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "thalweg/expression/utf8.h"

namespace thalweg::functions {

namespace {

using Property = std::pair<std::string_view, std::string_view>;

/// Java's ASCII properties, as the inside of a class.
constexpr std::array<Property, 14> kProperties = {{
    {"Lower", "a-z"},
    {"Upper", "A-Z"},
    {"ASCII", "\\x00-\\x7F"},
    {"Alpha", "a-zA-Z"},
    {"Digit", "0-9"},
    {"Alnum", "a-zA-Z0-9"},
    {"Punct", "!-\\/:-@\\[-`{-~"},
    {"Graph", "!-~"},
    {"Print", " -~"},
    {"Blank", " \\t"},
    {"Cntrl", "\\x00-\\x1F\\x7F"},
    {"XDigit", "0-9a-fA-F"},
    {"Space", " \\t\\n\\x0B\\f\\r"},
    {"IsAlphabetic", "\\p{L}\\p{Nl}"},
}};

/// The same behind (?U).
constexpr std::array<Property, 10> kUnicodeProperties = {{
    {"Lower", "\\p{Ll}"},
    {"Upper", "\\p{Lu}"},
    {"Alpha", "\\p{L}\\p{Nl}"},
    {"Digit", "\\p{Nd}"},
    {"Alnum", "\\p{L}\\p{Nl}\\p{Nd}"},
    {"Punct", "\\p{P}"},
    {"Blank", "\\h"},
    {"Cntrl", "\\p{Cc}"},
    {"Space", "\\s"},
    {"IsAlphabetic", "\\p{L}\\p{Nl}"},
}};

class Translator {
 public:
  explicit Translator(std::string_view pattern) : text_(pattern) {}

  std::string translate() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\') {
        out_ += boundary_or_escape();
      } else if (c == '[') {
        ++at_;
        const bool is_negated = looking_at("^");
        out_ += folding_ascii(character_class(), is_negated);
      } else if (c == '(' && looking_at("(?")) {
        flags();
      } else if (utf8::width(c) > 1 && folds_ascii_only()) {
        const std::string_view character = text_.substr(at_, utf8::width(c));
        out_ += "(?-i:" + std::string(character) + ")";
        at_ += character.size();
      } else {
        if (c == '(') {
          outer_modes_.push_back(modes_);
        } else if (c == ')' && !outer_modes_.empty()) {
          modes_ = outer_modes_.back();
          outer_modes_.pop_back();
        }
        out_ += c;
        ++at_;
      }
    }
    return (has_unicode_classes_ ? "(*UCP)" : "") + out_;
  }

 private:
  /// What flags say at one place of the pattern; groups bring back what was before.
  struct Modes {
    bool ignores_case = false;
    bool folds_unicode = false;
  };

  /// Without the flag u, Java's (?i) knows the case of ASCII letters only; PCRE2 knows all.
  bool folds_ascii_only() const { return modes_.ignores_case && !modes_.folds_unicode; }

  /// A class in which only ASCII characters count in either case.
  std::string folding_ascii(std::string spelled, bool is_negated) const {
    const bool is_ascii = utf8::is_ascii(spelled) && spelled.find("\\x{") == std::string::npos;
    if (is_ascii || !folds_ascii_only()) {
      return spelled;
    }
    return is_negated ? fmt::format("(?:(?=(?-i:{0}))(?:[^\\x00-\\x7F]|{0}))", spelled)
                      : fmt::format("(?:(?-i:{0})|(?=[\\x00-\\x7F])(?:{0}))", spelled);
  }

  /// \b and \B look at letters and digits of all scripts, also without the flag U (Java 17).
  std::string boundary_or_escape() {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if ((c == 'b' || c == 'B') && !has_unicode_classes_) {
      at_ += 2;
      constexpr std::string_view kWord = "[\\p{L}\\p{Nd}_]";
      return c == 'b' ? fmt::format("(?:(?<={0})(?!{0})|(?<!{0})(?={0}))", kWord)
                      : fmt::format("(?:(?<={0})(?={0})|(?<!{0})(?!{0}))", kWord);
    }
    std::string spelled = escape(false);
    return spelled.starts_with("\\x{") && folds_ascii_only() ? "(?-i:" + spelled + ")" : spelled;
  }

  bool looking_at(std::string_view expected) const {
    return text_.substr(at_).starts_with(expected);
  }

  /// (?iu) and (?U): Java's flag letters u, U and d mean nothing or something else in PCRE2.
  void flags() {
    out_ += "(?";
    at_ += 2;
    size_t end = at_;
    while (end < text_.size() &&
           (std::string_view("idmsuxU-").find(text_[end]) != std::string_view::npos)) {
      ++end;
    }
    const bool has_flags =
        end > at_ && end < text_.size() && (text_[end] == ')' || text_[end] == ':');
    if (!has_flags || text_[end] == ':') {
      outer_modes_.push_back(modes_);
    }
    if (!has_flags) {
      return;
    }
    set_modes(text_.substr(at_, end - at_));
    if (text_[end] == ')') {
      ++end;  // no group: its closing parenthesis is copied here
    }
    for (; at_ < end; ++at_) {
      if (std::string_view("udU").find(text_[at_]) == std::string_view::npos) {
        out_ += text_[at_];
      }
    }
  }

  void set_modes(std::string_view flags) {
    bool on = true;
    for (const char flag : flags) {
      if (flag == '-') {
        on = false;
      } else if (flag == 'i') {
        modes_.ignores_case = on;
      } else if (flag == 'u' || flag == 'U') {
        modes_.folds_unicode = on;
      }
      has_unicode_classes_ = has_unicode_classes_ || (flag == 'U' && on);
    }
  }

  std::string unicode_escape() {
    uint32_t code = 0;
    for (int i = 0; i < 4 && at_ < text_.size(); ++i, ++at_) {
      const char c = text_[at_];
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) {
        break;
      }
      code = code * 16 + static_cast<uint32_t>(digit);
    }
    return fmt::format("\\x{{{:X}}}", code);
  }

  std::string octal_escape() {
    uint32_t code = 0;
    for (int i = 0; i < 3 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i) {
      code = code * 8 + static_cast<uint32_t>(text_[at_++] - '0');
    }
    return fmt::format("\\x{{{:X}}}", code);
  }

  std::string property(bool negated, bool in_class) {
    const size_t end = text_.find('}', at_);
    std::string name(text_.substr(at_ + 1, end == std::string_view::npos ? end : end - at_ - 1));
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    for (const auto& [known, members] : has_unicode_classes_
                                            ? std::span<const Property>(kUnicodeProperties)
                                            : std::span<const Property>(kProperties)) {
      if (known == name) {
        if (in_class && !negated) {
          return std::string(members);
        }
        return fmt::format("[{}{}]", negated ? "^" : "", members);
      }
    }
    // "IsGreek", "InGreek" and "script=Greek" are Greek to PCRE2.
    for (const std::string_view prefix :
         {"script=", "sc=", "general_category=", "gc=", "Is", "In"}) {
      if (name.starts_with(prefix)) {
        name.erase(0, prefix.size());
        break;
      }
    }
    return fmt::format("\\{}{{{}}}", negated ? 'P' : 'p', name);
  }

  /// One escape, `at_` on its backslash. A negated ASCII property inside a class gives a class.
  std::string escape(bool in_class) {
    ++at_;
    if (at_ == text_.size()) {
      return "\\";
    }
    const char c = text_[at_++];
    switch (c) {
      case 'u':
        return unicode_escape();
      case '0':
        return octal_escape();
      case 'p':
      case 'P':
        if (at_ < text_.size() && text_[at_] == '{') {
          return property(c == 'P', in_class);
        }
        break;
      case 'Q': {
        const size_t end = text_.find("\\E", at_);
        const std::string_view literal = text_.substr(at_, end - at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 2;
        return quote(literal);
      }
      default:
        break;
    }
    return std::string("\\") + c;
  }

  static std::string quote(std::string_view literal) {
    std::string quoted;
    for (const char c : literal) {
      if (std::string_view("\\^$.|?*+()[]{}-&").find(c) != std::string_view::npos) {
        quoted += '\\';
      }
      quoted += c;
    }
    return quoted;
  }

  /// What a class stands for: members that fit into one PCRE2 class, and alternatives that do not.
  struct Members {
    std::string simple;
    std::vector<std::string> others;

    std::string spell(bool negated) const {
      if (others.empty()) {
        return simple.empty() ? (negated ? "[\\s\\S]" : "(?!)")
                              : fmt::format("[{}{}]", negated ? "^" : "", simple);
      }
      std::string any = "(?:";
      for (const std::string& other : others) {
        any += other + "|";
      }
      any += simple.empty() ? "(?!)" : "[" + simple + "]";
      any += ")";
      return negated ? "(?:(?!" + any + ")[\\s\\S])" : any;
    }
  };

  /// After "[": everything up to the matching "]".
  std::string character_class() {
    const bool negated = at_ < text_.size() && text_[at_] == '^';
    at_ += negated ? 1 : 0;
    std::vector<Members> sides(1);
    bool first = true;
    while (at_ < text_.size() && (text_[at_] != ']' || first)) {
      if (looking_at("&&")) {
        at_ += 2;
        sides.emplace_back();
        continue;
      }
      member(sides.back());
      first = false;
    }
    if (at_ == text_.size()) {
      return "[";  // unclosed: no pattern, in PCRE2 as in Java
    }
    ++at_;
    if (sides.size() == 1) {
      return sides[0].spell(negated);
    }
    std::string all = "(?:";
    for (size_t i = 1; i < sides.size(); ++i) {
      all += "(?=" + sides[i].spell(false) + ")";
    }
    all += sides[0].spell(false) + ")";
    return negated ? "(?:(?!" + all + ")[\\s\\S])" : all;
  }

  void member(Members& members) {
    if (text_[at_] == '[') {
      ++at_;
      members.others.push_back(character_class());
    } else if (text_[at_] == '\\') {
      std::string escaped = escape(true);
      if (escaped.starts_with("[^")) {
        members.others.push_back(std::move(escaped));
      } else {
        members.simple += escaped;
      }
    } else if (text_[at_] == ']') {
      members.simple += "\\]";
      ++at_;
    } else {
      members.simple += text_[at_++];
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string out_;
  Modes modes_;
  std::vector<Modes> outer_modes_;
  /// (?U) was met: \w and its kin, and the properties, know all scripts.
  bool has_unicode_classes_ = false;
};

/// [:ALPHA:] and its kin inside the brackets of SIMILAR TO.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSimilarClasses = {{
    {"[:ALPHA:]", "\\p{Alpha}"},
    {"[:alpha:]", "\\p{Alpha}"},
    {"[:UPPER:]", "\\p{Upper}"},
    {"[:LOWER:]", "\\p{Lower}"},
    {"[:DIGIT:]", "\\d"},
    {"[:SPACE:]", " "},
    {"[:WHITESPACE:]", "\\s"},
    {"[:ALNUM:]", "\\p{Alnum}"},
}};

/// Copies a bracket expression, `at` on its "["; false when it does not end.
bool copy_bracket(std::string_view pattern, size_t& at, std::string& regex) {
  regex += '[';
  ++at;
  while (at < pattern.size() && pattern[at] != ']') {
    bool found = false;
    for (const auto& [name, replacement] : kSimilarClasses) {
      if (pattern.substr(at).starts_with(name)) {
        regex += replacement;
        at += name.size();
        found = true;
        break;
      }
    }
    if (!found) {
      regex += pattern[at++];
    }
  }
  if (at == pattern.size()) {
    return false;
  }
  regex += ']';
  ++at;
  return true;
}

}  // namespace

std::string translate_java_pattern(std::string_view pattern) {
  return Translator(pattern).translate();
}

bool similar_to_regex(std::string_view pattern, std::string_view escape, std::string& regex) {
  regex = "(?:";
  for (size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if (!escape.empty() && c == escape[0]) {
      if (at + 1 == pattern.size()) {
        return false;
      }
      regex += '\\';
      regex += pattern[at + 1];
      at += 2;
    } else if (c == '[') {
      if (!copy_bracket(pattern, at, regex)) {
        return false;
      }
    } else {
      if (c == '_') {
        regex += '.';
      } else if (c == '%') {
        regex += "(?:.*)";
      } else if (std::string_view("\\.^$&").find(c) != std::string_view::npos) {
        regex += '\\';
        regex += c;
      } else {
        regex += c;
      }
      ++at;
    }
  }
  regex += ')';
  return true;
}

}  // namespace thalweg::functions
