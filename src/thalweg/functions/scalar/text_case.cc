// UPPER, LOWER, INITCAP, REVERSE, and tests of characters.
#include <algorithm>
#include <clocale>
#include <cwctype>

#include "thalweg/expression/utf8.h"
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

template <typename Ascii, typename Wide>
void change_case(std::string& out, std::string_view text, Ascii ascii, Wide wide) {
  if (utf8::is_ascii(text)) {
    out.resize(text.size());
    std::transform(text.begin(), text.end(), out.begin(), ascii);
    return;
  }
  size_t at = 0;
  while (at < text.size()) {
    utf8::append(out, wide(utf8::next(text, at)));
  }
}

void add_case_functions(FunctionRegistry& registry) {
  const auto rules = std::make_shared<const CaseRules>();
  registry.add(simple<std::string_view, std::string_view>(
      {{"UPPER", "UCASE"},
       "'UPPER(<CHARACTER>)'",
       "The text in upper case.",
       {"UPPER('thalweg') -> THALWEG", "UPPER('größe') -> GRÖßE"}},
      strict({{Family::kText}}, DataType::string()),
      [rules](std::string& out, std::string_view text) {
        change_case(out, text, ascii_upper, [&](uint32_t code) { return rules->upper(code); });
      }));
  registry.add(simple<std::string_view, std::string_view>(
      {{"LOWER", "LCASE"},
       "'LOWER(<CHARACTER>)'",
       "The text in lower case.",
       {"LOWER('ThALWEG') -> thalweg"}},
      strict({{Family::kText}}, DataType::string()),
      [rules](std::string& out, std::string_view text) {
        change_case(out, text, ascii_lower, [&](uint32_t code) { return rules->lower(code); });
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
/// the value.
template <typename Test>
ScalarFunction character_test(Documentation documentation,
                              bool (*holds_for)(const DataType&),
                              Test test) {
  ScalarFunction function =
      documented(std::move(documentation), strict({{Family::kAny}}, DataType::boolean()));
  function.is_infallible = true;
  function.make_kernel = [holds_for, test](const Signature& signature,
                                           std::span<const BoundArgument>) {
    const DataType& type = signature.arguments[0];
    if (type.is_character()) {
      return row_kernel<bool, std::string_view>(signature.result, test);
    }
    return column_kernel(
        [result = signature.result, holds = holds_for(type)](std::span<const ColumnPtr> arguments,
                                                             int32_t rows,
                                                             const EvaluationContext&,
                                                             RowErrors&) {
          MutableColumnPtr column = expression::make_strict_result(result, arguments, rows);
          for (uint8_t& value : column->mutable_values<uint8_t>()) {
            value = static_cast<uint8_t>(holds);
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
      strict({{Family::kText}}, DataType::string()),
      initcap));
  registry.add(simple<std::string_view, std::string_view>(
      {{"REVERSE"},
       "'REVERSE(<CHARACTER>)'",
       "The characters from last to first.",
       {"REVERSE('abc') -> cba", "REVERSE('aß') -> ßa"}},
      strict({{Family::kText}}, DataType::string()),
      [](std::string& out, std::string_view text) {
        size_t end = text.size();
        while (end > 0) {
          size_t begin = end - 1;
          while (begin > 0 && utf8::is_continuation(text[begin])) {
            --begin;
          }
          out += text.substr(begin, end - begin);
          end = begin;
        }
      }));
  add_character_tests(registry);
}

}  // namespace thalweg::functions
