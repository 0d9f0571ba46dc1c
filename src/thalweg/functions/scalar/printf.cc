// PRINTF, in the manner of java.util.Formatter.
#include <algorithm>
#include <cmath>

#include "thalweg/expression/utf8.h"
#include "thalweg/functions/java_text.h"
#include "thalweg/functions/scalar/java_digits.h"
#include "thalweg/functions/simple_function.h"
#include "thalweg/types/java_map_order.h"
#include "thalweg/types/text.h"

namespace thalweg::functions {

using expression::column_kernel;
using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;

namespace {

/// One %[argument$][flags][width][.precision]conversion.
struct Directive {
  int32_t argument = 0;
  bool same_argument = false;
  bool left = false;
  bool zero = false;
  bool plus = false;
  bool space = false;
  bool grouped = false;
  bool alternate = false;
  bool parentheses = false;
  int32_t width = 0;
  int32_t precision = -1;
  /// Small; `upper` where it was a capital.
  char conversion = 0;
  bool upper = false;
};

int32_t take_digits(std::string_view& text) {
  int32_t value = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9' && value < 100'000) {
    value = value * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  return value;
}

/// Each flag at most once.
bool take_flags(std::string_view& text, Directive& directive) {
  constexpr std::string_view kFlags = "-0+ ,#(<";
  bool* const flags[] = {&directive.left,
                         &directive.zero,
                         &directive.plus,
                         &directive.space,
                         &directive.grouped,
                         &directive.alternate,
                         &directive.parentheses,
                         &directive.same_argument};
  for (; !text.empty(); text.remove_prefix(1)) {
    const size_t flag = kFlags.find(text[0]);
    if (flag == std::string_view::npos) {
      break;
    }
    if (*flags[flag]) {
      return false;
    }
    *flags[flag] = true;
  }
  return true;
}

/// Flags that go together, as Java's Formatter has them.
bool is_valid(const Directive& directive) {
  const char c = directive.conversion;
  const bool is_integer = c == 'd' || c == 'x' || c == 'o';
  const bool is_floating = c == 'f' || c == 'e' || c == 'g';
  const bool is_numeric = is_integer || is_floating;
  const bool is_signed = directive.plus || directive.space || directive.parentheses;
  if ((directive.left || directive.zero) && directive.width == 0) {
    return false;
  }
  if ((directive.left && directive.zero) || (directive.plus && directive.space)) {
    return false;
  }
  if (!is_numeric && (directive.zero || is_signed || directive.grouped)) {
    return false;
  }
  if ((is_integer || c == 'c' || c == 'n') && directive.precision >= 0) {
    return false;
  }
  if (directive.grouped && c != 'd' && c != 'f' && c != 'g') {
    return false;
  }
  const bool takes_alternate = c == 'x' || c == 'o' || c == 'f' || c == 'e';
  return !directive.alternate || takes_alternate;
}

/// `text` is behind the percent sign; nullopt when the directive is not valid.
std::optional<Directive> take_directive(std::string_view& text) {
  Directive directive;
  std::string_view ahead = text;
  const int32_t index = take_digits(ahead);
  if (index > 0 && !ahead.empty() && ahead[0] == '$') {
    directive.argument = index;
    text = ahead.substr(1);
  }
  if (!take_flags(text, directive)) {
    return std::nullopt;
  }
  directive.width = take_digits(text);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    if (text.empty() || text[0] < '0' || text[0] > '9') {
      return std::nullopt;
    }
    directive.precision = take_digits(text);
  }
  if (text.empty()) {
    return std::nullopt;
  }
  constexpr std::string_view kCapitals = "SBCHXEG";
  directive.upper = kCapitals.find(text[0]) != std::string_view::npos;
  directive.conversion = static_cast<char>(directive.upper ? text[0] | 0x20 : text[0]);
  text.remove_prefix(1);
  return is_valid(directive) ? std::optional(directive) : std::nullopt;
}

std::string grouped(const std::string& digits) {
  const size_t whole = std::min(digits.find_first_of(".e"), digits.size());
  std::string out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && i < whole && (whole - i) % 3 == 0) {
      out += ',';
    }
    out += digits[i];
  }
  return out;
}

/// Sign, zeros and grouping around the digits of a number.
std::string number_text(const Directive& directive, bool negative, std::string digits) {
  if (directive.grouped) {
    digits = grouped(digits);
  }
  const bool encloses = negative && directive.parentheses;
  const std::string before =
      encloses ? "(" : (negative ? "-" : (directive.plus ? "+" : (directive.space ? " " : "")));
  const std::string after = encloses ? ")" : "";
  const auto wanted = static_cast<size_t>(directive.width);
  const size_t size = digits.size() + before.size() + after.size();
  if (directive.zero && size < wanted) {
    digits.insert(0, wanted - size, '0');
  }
  return before + digits + after;
}

/// A whole number and how many bits Java has for its type.
struct WholeNumber {
  int64_t value = 0;
  int32_t bits = 64;
};

/// Dates, times and intervals are the numbers that Flink has for them.
std::optional<WholeNumber> integer_at(const Column& column, int32_t row) {
  switch (column.type().kind()) {
    case TypeKind::kTinyInt:
      return WholeNumber{column.at<int8_t>(row), 8};
    case TypeKind::kSmallInt:
      return WholeNumber{column.at<int16_t>(row), 16};
    case TypeKind::kInt:
    case TypeKind::kDate:
      return WholeNumber{column.at<int32_t>(row), 32};
    case TypeKind::kBigInt:
    case TypeKind::kIntervalDayTime:
      return WholeNumber{column.at<int64_t>(row), 64};
    default:
      return std::nullopt;
  }
}

/// Flink's decimals are no numbers of Java's.
std::optional<double> double_at(const Column& column, int32_t row) {
  switch (column.type().kind()) {
    case TypeKind::kFloat:
      return column.at<float>(row);
    case TypeKind::kDouble:
      return column.at<double>(row);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> integer_text(const Directive& directive, WholeNumber number) {
  const auto bits = static_cast<uint64_t>(number.value);
  if (directive.conversion == 'd') {
    const bool is_negative = number.value < 0;
    return number_text(
        directive, is_negative, std::to_string(is_negative ? uint64_t{0} - bits : bits));
  }
  if (directive.plus || directive.space || directive.parentheses || directive.grouped) {
    return std::nullopt;
  }
  const uint64_t own = number.bits == 64 ? bits : bits & ((uint64_t{1} << number.bits) - 1);
  const bool is_hexadecimal = directive.conversion == 'x';
  const std::string prefix = directive.alternate ? (is_hexadecimal ? "0x" : "0") : "";
  std::string digits = is_hexadecimal ? fmt::format("{:x}", own) : fmt::format("{:o}", own);
  const auto wanted = static_cast<size_t>(directive.width);
  if (directive.zero && digits.size() + prefix.size() < wanted) {
    digits.insert(0, wanted - digits.size() - prefix.size(), '0');
  }
  return prefix + digits;
}

std::string floating_text(const Directive& directive, double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  const bool is_negative = std::signbit(value);
  if (std::isinf(value)) {
    Directive plain = directive;
    plain.zero = false;
    return number_text(plain, is_negative, "Infinity");
  }
  const int32_t precision = directive.precision < 0 ? 6 : directive.precision;
  const double magnitude = std::abs(value);
  std::string digits = directive.conversion == 'e'   ? scientific_text(magnitude, precision)
                       : directive.conversion == 'g' ? general_text(magnitude, precision)
                                                     : fixed_text(magnitude, precision);
  if (directive.alternate && precision == 0) {
    digits.insert(std::min(digits.find('e'), digits.size()), ".");
  }
  return number_text(directive, is_negative, std::move(digits));
}

/// As many of Java's characters as asked for.
std::string cut_text(std::string text, int32_t precision) {
  if (precision < 0) {
    return text;
  }
  std::string cut;
  append_java_prefix(cut, text, precision);
  return cut;
}

/// Java's hashCode, of texts Flink's.
std::optional<uint32_t> hash_at(const Column& column, int32_t row) {
  if (column.type().is_character()) {
    return flink_text_hash(column.string_at(row));
  }
  if (column.type().kind() == TypeKind::kBoolean) {
    return column.at<uint8_t>(row) != 0 ? 1231U : 1237U;
  }
  const auto number = integer_at(column, row);
  if (!number) {
    return std::nullopt;
  }
  const auto bits = static_cast<uint64_t>(number->value);
  return static_cast<uint32_t>(number->bits == 64 ? bits ^ bits >> 32U : bits);
}

std::optional<std::string> character_text(const Column& column, int32_t row) {
  const auto number = integer_at(column, row);
  if (!number || number->bits == 64 || number->value < 0 || number->value > 0x10FFFF) {
    return std::nullopt;
  }
  std::string text;
  utf8::append(text, static_cast<uint32_t>(number->value));
  return text;
}

/// nullopt when the value is not of a type that the conversion takes.
std::optional<std::string> conversion_text(const Directive& directive,
                                           const Column& column,
                                           int32_t row) {
  const char c = directive.conversion;
  if (c == 'b') {
    const bool value = !column.is_null(row) &&
                       (column.type().kind() != TypeKind::kBoolean || column.at<uint8_t>(row) != 0);
    return cut_text(value ? "true" : "false", directive.precision);
  }
  if (std::string_view("shcdxofeg").find(c) == std::string_view::npos) {
    return std::nullopt;
  }
  if (column.is_null(row)) {
    return cut_text("null", directive.precision);
  }
  if (c == 's') {
    if (const auto number = integer_at(column, row)) {
      return cut_text(std::to_string(number->value), directive.precision);
    }
    std::string text;
    text::append_value(text, column, row, text::Style::kPrint, TimeZone::utc());
    return cut_text(std::move(text), directive.precision);
  }
  if (c == 'h') {
    const auto hash = hash_at(column, row);
    return hash ? std::optional(cut_text(fmt::format("{:x}", *hash), directive.precision))
                : std::nullopt;
  }
  if (c == 'c') {
    return character_text(column, row);
  }
  if (c == 'd' || c == 'x' || c == 'o') {
    const auto value = integer_at(column, row);
    return value ? integer_text(directive, *value) : std::nullopt;
  }
  const auto value = double_at(column, row);
  return value ? std::optional(floating_text(directive, *value)) : std::nullopt;
}

std::optional<std::string> directive_text(const Directive& directive,
                                          const Column& column,
                                          int32_t row) {
  auto text = conversion_text(directive, column, row);
  if (text && directive.upper) {
    std::transform(text->begin(), text->end(), text->begin(), [](char letter) {
      return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    });
  }
  return text;
}

/// False when the format does not fit the arguments: NULL, as Flink turns the exception into.
bool print(std::string& out,
           std::string_view format,
           std::span<const ColumnPtr> arguments,
           int32_t row) {
  size_t next = 0;
  size_t last = arguments.size();
  while (!format.empty()) {
    const size_t percent = format.find('%');
    out += format.substr(0, percent);
    if (percent == std::string_view::npos) {
      return true;
    }
    format.remove_prefix(percent + 1);
    const auto directive = take_directive(format);
    if (!directive) {
      return false;
    }
    if (directive->conversion == 'n') {
      if (directive->width > 0) {
        return false;
      }
      out += '\n';
      continue;
    }
    if (directive->conversion == '%') {
      const std::string padding(static_cast<size_t>(std::max(0, directive->width - 1)), ' ');
      out += directive->left ? "%" + padding : padding + "%";
      continue;
    }
    const size_t index = directive->same_argument  ? last
                         : directive->argument > 0 ? static_cast<size_t>(directive->argument) - 1
                                                   : next++;
    if (index >= arguments.size()) {
      return false;
    }
    last = index;
    auto text = directive_text(*directive, *arguments[index], row);
    if (!text) {
      return false;
    }
    const auto missing = directive->width - java_length(*text);
    const auto padding = static_cast<size_t>(std::max<int64_t>(0, missing));
    out += directive->left ? *text + std::string(padding, ' ') : std::string(padding, ' ') + *text;
  }
  return true;
}

}  // namespace

void add_printf(FunctionRegistry& registry) {
  ScalarFunction function = documented(
      {{"PRINTF"},
       "'PRINTF(<CHARACTER> format, <ANY>, ...)'",
       "Values put into a format as Java's String.format does; NULL when they do not fit.",
       {"PRINTF('%d-%s', 1, 'x') -> 1-x",
        "PRINTF('%05.1f|%-3d|%x|%(d', 2.25E0, 7, -1, -5) -> 002.3|7  |ffffffff|(5)",
        "PRINTF('%d', 1.5) -> NULL"}},
      [](std::span<const BoundArgument> arguments) -> Bound {
        const Parameters parameters{{Family::kText}, {}, {Family::kAny}};
        auto types = match(parameters, arguments);
        return types ? Bound(Signature{std::move(*types), DataType::string()})
                     : Bound(mismatch(parameters, arguments.size()));
      });
  function.is_infallible = true;
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return column_kernel([type = signature.result](std::span<const ColumnPtr> arguments,
                                                   int32_t rows,
                                                   const EvaluationContext&,
                                                   RowErrors&) {
      auto result = Column::make(type, rows);
      std::string text;
      for (int32_t row = 0; row < rows; ++row) {
        text.clear();
        if (arguments[0]->is_null(row) ||
            !print(text, arguments[0]->string_at(row), arguments.subspan(1), row)) {
          result->set_null(row);
        } else {
          result->mutable_values<StringView>()[static_cast<size_t>(row)] = result->heap().add(text);
        }
      }
      return result;
    });
  };
  registry.add(std::move(function));
}

}  // namespace thalweg::functions
