// UPPER, LOWER, INITCAP, REVERSE, and tests of characters.
#include <algorithm>
#include <array>
#include <clocale>
#include <cstring>
#include <cwctype>

#include "thalweg/expression/utf8.h"
#include "thalweg/functions/scalar/long_case_forms.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::row_kernel;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// Unicode's case rules, whatever the process's locale.
class CaseRules {
 public:
  CaseRules() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {}

  ~CaseRules() {
    if (locale_ != nullptr) {
      freelocale(locale_);
    }
  }

  CaseRules(const CaseRules&) = delete;
  CaseRules& operator=(const CaseRules&) = delete;

  uint32_t upper(uint32_t code) const {
    return locale_ == nullptr ? code : static_cast<uint32_t>(towupper_l(code, locale_));
  }

  uint32_t lower(uint32_t code) const {
    return locale_ == nullptr ? code : static_cast<uint32_t>(towlower_l(code, locale_));
  }

  bool is_cased(uint32_t code) const {
    return upper(code) != code || lower(code) != code ||
           (locale_ != nullptr && iswlower_l(code, locale_) != 0);
  }

  bool is_letter(uint32_t code) const {
    return locale_ != nullptr && iswalpha_l(code, locale_) != 0;
  }

 private:
  locale_t locale_;
};

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

char ascii_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr uint32_t kSigma = 0x3A3;
constexpr uint32_t kFinalSigma = 0x3C2;

/// The letters that change: `first` and the 25 behind it.
struct AsciiLetters {
  char first;
};

/// ASCII text with the letters in their other case.
void flip_ascii(std::string& out, std::string_view text, AsciiLetters letters) {
  constexpr uint64_t kEach = 0x0101010101010101U;
  constexpr size_t kWord = sizeof(uint64_t);
  const auto first = static_cast<uint64_t>(letters.first);
  // The highest bit of a byte tells whether it is at least the first letter, or beyond the last.
  const uint64_t from_first = kEach * (0x80 - first);
  const uint64_t beyond_last = kEach * (0x80 - first - 26);
  const auto flip = [=](uint64_t word) {
    return word ^ (((word + from_first) ^ (word + beyond_last)) & (kEach * 0x80)) >> 2U;
  };
  out.assign(text);
  if (text.size() < kWord) {
    for (char& c : out) {
      c = static_cast<char>(flip(static_cast<uint8_t>(c)));
    }
    return;
  }
  const auto flip_at = [&](size_t i) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + i, kWord);
    word = flip(word);
    std::memcpy(out.data() + i, &word, kWord);
  };
  for (size_t i = 0; i + kWord < text.size(); i += kWord) {
    flip_at(i);
  }
  flip_at(text.size() - kWord);
}

/// Characters that stand within words without being letters: accents, and what joins two letters.
bool joins_letters(uint32_t code) {
  return (code >= 0x300 && code <= 0x36F) || code == '\'' || code == 0xAD || code == 0xB7 ||
         code == 0x2019;
}

size_t begin_of_character(std::string_view text, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && utf8::is_continuation(text[begin])) {
    --begin;
  }
  return begin;
}

/// Tells whether the character that ends at `end` has a letter before it and none behind it, as the
/// sigma has that looks different there.
bool ends_word(const CaseRules& rules, std::string_view text, size_t end) {
  for (size_t next = end; next < text.size();) {
    const uint32_t code = utf8::next(text, next);
    if (!joins_letters(code)) {
      if (rules.is_cased(code)) {
        return false;
      }
      break;
    }
  }
  for (size_t begin = begin_of_character(text, end); begin > 0;) {
    begin = begin_of_character(text, begin);
    size_t at = begin;
    const uint32_t code = utf8::next(text, at);
    if (!joins_letters(code)) {
      return rules.is_cased(code);
    }
  }
  return false;
}

/// `wide` takes a character and where it ends in the text.
template <typename Wide>
void change_case(std::string& out,
                 std::string_view text,
                 std::span<const LongForm> long_forms,
                 AsciiLetters ascii,
                 Wide wide) {
  if (utf8::is_ascii(text)) {
    flip_ascii(out, text, ascii);
    return;
  }
  size_t at = 0;
  while (at < text.size()) {
    const uint32_t code = utf8::next(text, at);
    const auto longer = std::ranges::lower_bound(long_forms, code, {}, &LongForm::first);
    if (longer != long_forms.end() && longer->first == code) {
      out += longer->second;
    } else {
      utf8::append(out, wide(code, at));
    }
  }
}

void add_case_functions(FunctionRegistry& registry) {
  const auto rules = std::make_shared<const CaseRules>();
  registry.add(simple<std::string_view, std::string_view>(
      {{"UPPER", "UCASE"},
       "'UPPER(<CHARACTER>)'",
       "The text in upper case.",
       {"UPPER('thalweg') -> THALWEG", "UPPER('größe') -> GRÖSSE"}},
      strict_like({{Family::kText}}),
      [rules](std::string& out, std::string_view text) {
        change_case(out, text, kLongUppers, {'a'}, [&](uint32_t code, size_t) {
          return rules->upper(code);
        });
      }));
  registry.add(simple<std::string_view, std::string_view>(
      {{"LOWER", "LCASE"},
       "'LOWER(<CHARACTER>)'",
       "The text in lower case.",
       {"LOWER('ThALWEG') -> thalweg"}},
      strict_like({{Family::kText}}),
      [rules](std::string& out, std::string_view text) {
        change_case(out, text, kLongLowers, {'A'}, [&](uint32_t code, size_t end) {
          return code == kSigma && ends_word(*rules, text, end) ? kFinalSigma : rules->lower(code);
        });
      }));
}

/// Words are runs of ASCII letters and digits.
void initcap(std::string& out, std::string_view text) {
  bool in_word = false;
  for (const char c : text) {
    const bool is_part = is_ascii_letter(c) || is_digit(c);
    out += is_part ? (in_word ? ascii_lower(c) : ascii_upper(c)) : c;
    in_word = is_part;
  }
}

/// IS_ALPHA, IS_DIGIT and IS_DECIMAL take values of any type; other types than text need no look at
/// the value. A NULL text is nothing of the kind.
template <typename Test>
ScalarFunction character_test(Documentation documentation,
                              bool (*holds_for)(const DataType&),
                              Test test) {
  ScalarFunction function =
      documented(std::move(documentation), [](std::span<const BoundArgument> arguments) -> Bound {
        const Parameters parameters{{Family::kAny}};
        auto types = match(parameters, arguments);
        return types ? Bound(Signature{std::move(*types), DataType::boolean().not_null()})
                     : Bound(mismatch(parameters, arguments.size()));
      });
  function.is_infallible = true;
  function.make_kernel = [holds_for, test](const Signature& signature,
                                           std::span<const BoundArgument>) {
    const bool is_text = signature.arguments[0].is_character();
    const bool holds = holds_for(signature.arguments[0]);
    return column_kernel(
        [result = signature.result, test, is_text, holds](std::span<const ColumnPtr> arguments,
                                                          int32_t rows,
                                                          const EvaluationContext&,
                                                          RowErrors&) {
          const Column& values = *arguments[0];
          MutableColumnPtr column = Column::make(result, rows);
          std::span<uint8_t> results = column->mutable_values<uint8_t>();
          for (int32_t row = 0; row < rows; ++row) {
            results[static_cast<size_t>(row)] = static_cast<uint8_t>(
                is_text ? !values.is_null(row) && test(values.string_at(row)) : holds);
          }
          return column;
        });
  };
  return function;
}

void add_character_tests(FunctionRegistry& registry) {
  const auto rules = std::make_shared<const CaseRules>();
  registry.add(character_test(
      {{"IS_ALPHA"},
       "'IS_ALPHA(<ANY>)'",
       "True when every character is a letter and there is one.",
       {"IS_ALPHA('ab') -> TRUE", "IS_ALPHA('a1') -> FALSE"}},
      [](const DataType&) { return false; },
      [rules](std::string_view text) {
        size_t at = 0;
        while (at < text.size()) {
          if (!rules->is_letter(utf8::next(text, at))) {
            return false;
          }
        }
        return !text.empty();
      }));
  registry.add(character_test(
      {{"IS_DIGIT"},
       "'IS_DIGIT(<ANY>)'",
       "True when every character is a digit and there is one; also for whole numbers.",
       {"IS_DIGIT('12') -> TRUE", "IS_DIGIT('1.2') -> FALSE", "IS_DIGIT(7) -> TRUE"}},
      [](const DataType& type) { return type.is_integer(); },
      [](std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
      }));
  registry.add(character_test(
      {{"IS_DECIMAL"},
       "'IS_DECIMAL(<ANY>)'",
       "True when the text is a number; also for numbers.",
       {"IS_DECIMAL('-1.5') -> TRUE", "IS_DECIMAL('x') -> FALSE"}},
      [](const DataType& type) { return type.is_numeric(); },
      [](std::string_view text) { return text::parse_double(text).has_value(); }));
}

}  // namespace

void add_text_case(FunctionRegistry& registry) {
  add_case_functions(registry);
  registry.add(simple<std::string_view, std::string_view>(
      {{"INITCAP"},
       "'INITCAP(<CHARACTER>)'",
       "Each word with a capital first and small letters after it.",
       {"INITCAP('the deepest LINE') -> The Deepest Line"}},
      strict_like({{Family::kText}}),
      initcap));
  registry.add(simple<std::string_view, std::string_view>(
      {{"REVERSE"},
       "'REVERSE(<CHARACTER>)'",
       "The characters from last to first.",
       {"REVERSE('abc') -> cba", "REVERSE('aß') -> ßa"}},
      nullable({{Family::kText}}, DataType::string()),
      [](std::string& out, std::string_view text) {
        size_t end = text.size();
        while (end > 0) {
          const size_t begin = begin_of_character(text, end);
          out += text.substr(begin, end - begin);
          end = begin;
        }
      }));
  add_character_tests(registry);
}

}  // namespace thalweg::functions
