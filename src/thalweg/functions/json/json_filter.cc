#include "thalweg/functions/json/json_filter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "thalweg/functions/json/json_number.h"
#include "thalweg/functions/json/json_path_text.h"
#include "thalweg/functions/json/lenient_json.h"

namespace thalweg::functions::json_path {

namespace {

constexpr std::array kComparisons = {
    std::pair{">=", Comparison::kGreaterOrEqual},
    std::pair{"<=", Comparison::kLessOrEqual},
    std::pair{"==", Comparison::kEqual},
    std::pair{"===", Comparison::kSameEqual},
    std::pair{"!=", Comparison::kNotEqual},
    std::pair{"!==", Comparison::kNotSameEqual},
    std::pair{"<", Comparison::kLess},
    std::pair{">", Comparison::kGreater},
    std::pair{"=~", Comparison::kPattern},
    std::pair{"NIN", Comparison::kNotIn},
    std::pair{"IN", Comparison::kIn},
    std::pair{"CONTAINS", Comparison::kContains},
    std::pair{"ALL", Comparison::kNever},
    std::pair{"SIZE", Comparison::kSize},
    std::pair{"EMPTY", Comparison::kEmpty},
    std::pair{"SUBSETOF", Comparison::kSubsetOf},
    std::pair{"ANYOF", Comparison::kAnyOf},
    std::pair{"NONEOF", Comparison::kNoneOf},
    std::pair{"TYPE", Comparison::kNever},
    std::pair{"MATCHES", Comparison::kNever},
};

std::optional<Comparison> comparison_of(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  for (const auto& [word, comparison] : kComparisons) {
    if (upper == word) {
      return comparison;
    }
  }
  return std::nullopt;
}

bool is_comparison_sign(char c) {
  return c == '<' || c == '>' || c == '=' || c == '~' || c == '!';
}

/// Reads the text of a condition once:
///   or := and { "||" and }; and := operand { "&&" operand };
///   operand := "(" or ")" | "!" operand | value [comparison value]
/// A wrong value behind a path leaves the path as a test for existence, as in Jayway; what is wrong
/// beyond that makes the whole text wrong (is_broken_).
class Compiler {
 public:
  Compiler(std::string_view text, int depth) : text_(text), depth_(depth) {}

  std::optional<Filter> compile() {
    auto filter = disjunction();
    if (!filter || is_broken_ || text_.has(text_.skip_blanks(at_))) {
      return std::nullopt;
    }
    return filter;
  }

 private:
  char next() {
    at_ = text_.skip_blanks(at_);
    return text_.at(at_);
  }

  bool take(std::string_view word) {
    const size_t begin = text_.skip_blanks(at_);
    const bool is_here =
        text_.has(begin + word.size() - 1) && text_.part(begin, begin + word.size()) == word;
    if (is_here) {
      at_ = begin + word.size();
    }
    return is_here;
  }

  std::optional<Filter> chain(Filter::Kind kind,
                              std::string_view word,
                              std::optional<Filter> (Compiler::*part)()) {
    std::vector<Filter> parts;
    do {
      auto filter = (this->*part)();
      if (!filter) {
        return std::nullopt;
      }
      parts.push_back(*std::move(filter));
    } while (take(word));
    if (parts.size() == 1) {
      return std::move(parts.front());
    }
    return Filter{kind, std::move(parts)};
  }

  std::optional<Filter> disjunction() {
    return chain(Filter::Kind::kOr, "||", &Compiler::conjunction);
  }

  std::optional<Filter> conjunction() {
    return chain(Filter::Kind::kAnd, "&&", &Compiler::operand);
  }

  std::optional<Filter> operand() {
    if (++depth_ > kDeepestPath) {
      return std::nullopt;
    }
    auto filter = nested_operand();
    --depth_;
    return filter;
  }

  std::optional<Filter> nested_operand() {
    const size_t begin = text_.skip_blanks(at_);
    if (take("!")) {
      if (next() != '$' && next() != '@') {
        auto part = operand();
        if (!part) {
          return std::nullopt;
        }
        Filter negated{Filter::Kind::kNot};
        negated.parts.push_back(*std::move(part));
        return negated;
      }
      at_ = begin;
    }
    if (take("(")) {
      auto inner = disjunction();
      return take(")") ? std::move(inner) : std::nullopt;
    }
    return relation();
  }

  std::optional<Filter> relation() {
    auto left = value();
    if (!left) {
      return std::nullopt;
    }
    const size_t behind_left = at_;
    if (const auto comparison = comparison_word()) {
      if (auto right = value()) {
        return Filter{Filter::Kind::kCompare, {}, *comparison, *std::move(left), *std::move(right)};
      }
    }
    at_ = behind_left;
    if (is_broken_ || left->kind != Operand::Kind::kPath) {
      return std::nullopt;
    }
    return Filter{Filter::Kind::kExists, {}, Comparison::kEqual, *std::move(left)};
  }

  std::optional<Comparison> comparison_word() {
    const bool is_sign = is_comparison_sign(next());
    const size_t begin = at_;
    while (text_.has(at_) && (is_sign ? is_comparison_sign(text_.at(at_)) : text_.at(at_) != ' ')) {
      ++at_;
    }
    return comparison_of(text_.part(begin, at_));
  }

  std::optional<Operand> value() {
    switch (next()) {
      case '!':
        ++at_;
        return next() == '$' || next() == '@' ? path() : std::nullopt;
      case '$':
      case '@':
        return path();
      case '\'':
      case '"':
        return string(text_.at(at_));
      case 't':
        return word("true", {Operand::Kind::kBoolean, nullptr, false, true});
      case 'f':
        return word("false", {Operand::Kind::kBoolean});
      case 'n':
        return word("null", {});
      case '{':
        return json('}');
      case '[':
        return json(']');
      case '/':
        return pattern();
      default:
        return number();
    }
  }

  std::optional<Operand> word(std::string_view expected, Operand value) {
    return take(expected) ? std::optional(std::move(value)) : std::nullopt;
  }

  std::optional<Operand> string(char quote) {
    const size_t end = text_.closing_quote(at_, quote);
    if (end == PathText::kNone) {
      return std::nullopt;
    }
    Operand value{Operand::Kind::kString};
    value.text = unescaped(text_.part(at_ + 1, end));
    at_ = end + 1;
    return value;
  }

  std::optional<Operand> number() {
    const size_t begin = at_;
    constexpr std::string_view kCharacters = "0123456789-.eE";
    while (text_.has(at_) && kCharacters.find(text_.at(at_)) != std::string_view::npos) {
      ++at_;
    }
    Operand value{Operand::Kind::kNumber};
    value.text = text_.part(begin, at_);
    is_broken_ = is_broken_ || !is_number(value.text);
    return is_broken_ ? std::nullopt : std::optional(std::move(value));
  }

  std::optional<Operand> json(char close) {
    const size_t end = text_.closing_bracket(at_, text_.at(at_), close, false);
    if (end == PathText::kNone) {
      return std::nullopt;
    }
    Operand value{Operand::Kind::kJson};
    value.json = parse_lenient_json(text_.part(at_, end + 1));
    at_ = end + 1;
    return value;
  }

  std::optional<Operand> pattern() {
    const size_t end = text_.closing_quote(at_, '/');
    if (end == PathText::kNone) {
      return std::nullopt;
    }
    const std::string_view body = text_.part(at_ + 1, end);
    at_ = end + 1;
    constexpr std::string_view kFlags = "dixmsuU";
    while (text_.has(at_) && kFlags.find(text_.at(at_)) != std::string_view::npos) {
      ++at_;
    }
    std::string java(text_.part(end + 1, at_));
    if (!java.empty()) {
      java = "(?" + java + ")";
    }
    java += body;
    Operand value{Operand::Kind::kPattern};
    value.pattern = Regex::compile(java);
    is_broken_ = is_broken_ || value.pattern == nullptr;
    return is_broken_ ? std::nullopt : std::optional(std::move(value));
  }

  std::optional<Operand> path() {
    const size_t before = text_.before_blanks(at_);
    const size_t begin = at_++;
    while (text_.has(at_)) {
      if (text_.at(at_) == '[') {
        const size_t close = text_.closing_bracket(at_, '[', ']', false);
        if (close == PathText::kNone) {
          return std::nullopt;
        }
        at_ = close + 1;
      }
      const char c = text_.at(at_);
      if (c == '\0' || c == ' ' || is_comparison_sign(c) || (c == ')' && !closes_function(begin))) {
        break;
      }
      ++at_;
    }
    auto steps = compile_steps(text_.part(begin, std::min(at_, text_.size())), depth_ + 1);
    if (!steps) {
      return std::nullopt;
    }
    Operand value{Operand::Kind::kPath, std::make_shared<const Steps>(*std::move(steps))};
    value.is_negated = before != PathText::kNone && text_.at(before) == '!';
    return value;
  }

  /// The parenthesis here ends a call without parameters of the path that begins at `begin`.
  bool closes_function(size_t begin) const {
    const size_t open = text_.before_blanks(at_);
    return open != PathText::kNone && text_.at(open) == '(' && open > begin + 1 &&
           text_.part(begin + 1, open).find('.') != std::string_view::npos;
  }

  PathText text_;
  int depth_;
  size_t at_ = 0;
  bool is_broken_ = false;
};

}  // namespace

std::optional<Filter> compile_filter(std::string_view text, int depth) {
  return Compiler(text, depth).compile();
}

}  // namespace thalweg::functions::json_path
