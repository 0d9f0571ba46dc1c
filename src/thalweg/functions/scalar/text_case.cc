// UPPER, LOWER, INITCAP, REVERSE, and tests of characters.
#include <algorithm>
#include <clocale>
#include <cwctype>

#include "thalweg/expression/utf8.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::FunctionRegistry;

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
  registry.add(
      simple<bool, std::string_view>({{"IS_ALPHA"},
                                      "'IS_ALPHA(<CHARACTER>)'",
                                      "True when every character is a letter and there is one.",
                                      {"IS_ALPHA('ab') -> TRUE", "IS_ALPHA('a1') -> FALSE"}},
                                     strict({{Family::kText}}, DataType::boolean()),
                                     [rules](std::string_view text) {
                                       size_t at = 0;
                                       while (at < text.size()) {
                                         if (!rules->is_letter(utf8::next(text, at))) {
                                           return false;
                                         }
                                       }
                                       return !text.empty();
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

bool is_decimal_text(std::string_view text) {
  size_t digits = 0;
  size_t points = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_digit(text[i])) {
      ++digits;
    } else if (text[i] == '.') {
      ++points;
    } else if (!(i == 0 && (text[i] == '-' || text[i] == '+'))) {
      return false;
    }
  }
  return digits > 0 && points <= 1;
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
  registry.add(simple<bool, std::string_view>(
      {{"IS_DIGIT"},
       "'IS_DIGIT(<CHARACTER>)'",
       "True when every character is a digit and there is one.",
       {"IS_DIGIT('12') -> TRUE", "IS_DIGIT('1.2') -> FALSE"}},
      strict({{Family::kText}}, DataType::boolean()),
      [](std::string_view text) {
        return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
      }));
  registry.add(
      simple<bool, std::string_view>({{"IS_DECIMAL"},
                                      "'IS_DECIMAL(<CHARACTER>)'",
                                      "True when the text is a number.",
                                      {"IS_DECIMAL('-1.5') -> TRUE", "IS_DECIMAL('x') -> FALSE"}},
                                     strict({{Family::kText}}, DataType::boolean()),
                                     is_decimal_text));
}

}  // namespace thalweg::functions
