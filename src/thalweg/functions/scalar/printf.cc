// PRINTF, in the manner of java.util.Formatter.
#include <array>
#include <charconv>
#include <cmath>

#include "thalweg/functions/simple_function.h"
#include "thalweg/types/decimal.h"
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
  bool left = false;
  bool zero = false;
  bool plus = false;
  bool space = false;
  bool grouped = false;
  bool alternate = false;
  int32_t width = 0;
  int32_t precision = -1;
  char conversion = 0;
};

int32_t take_digits(std::string_view& text) {
  int32_t value = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9' && value < 100'000) {
    value = value * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  return value;
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
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text[0];
    directive.left = directive.left || c == '-';
    directive.zero = directive.zero || c == '0';
    directive.plus = directive.plus || c == '+';
    directive.space = directive.space || c == ' ';
    directive.grouped = directive.grouped || c == ',';
    directive.alternate = directive.alternate || c == '#';
    if (std::string_view("-0+ ,#").find(c) == std::string_view::npos) {
      break;
    }
  }
  directive.width = take_digits(text);
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    directive.precision = take_digits(text);
  }
  if (text.empty()) {
    return std::nullopt;
  }
  directive.conversion = text[0];
  text.remove_prefix(1);
  return directive;
}

std::string grouped(const std::string& digits) {
  const size_t end = digits.find('.');
  const size_t whole = end == std::string::npos ? digits.size() : end;
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
  std::string sign = negative ? "-" : (directive.plus ? "+" : (directive.space ? " " : ""));
  const auto wanted = static_cast<size_t>(directive.width);
  if (directive.zero && digits.size() + sign.size() < wanted) {
    digits.insert(0, wanted - digits.size() - sign.size(), '0');
  }
  return sign + digits;
}

std::optional<int64_t> integer_at(const Column& column, int32_t row) {
  switch (column.type().kind()) {
    case TypeKind::kTinyInt:
      return column.at<int8_t>(row);
    case TypeKind::kSmallInt:
      return column.at<int16_t>(row);
    case TypeKind::kInt:
      return column.at<int32_t>(row);
    case TypeKind::kBigInt:
      return column.at<int64_t>(row);
    default:
      return std::nullopt;
  }
}

std::optional<double> double_at(const Column& column, int32_t row) {
  switch (column.type().kind()) {
    case TypeKind::kFloat:
      return column.at<float>(row);
    case TypeKind::kDouble:
      return column.at<double>(row);
    case TypeKind::kDecimal:
      return decimal_to_double(column.at<Int128>(row), column.type().scale());
    default:
      return std::nullopt;
  }
}

std::optional<std::string> integer_text(const Directive& directive, int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  switch (directive.conversion) {
    case 'd':
      return number_text(
          directive, value < 0, std::to_string(value < 0 ? uint64_t{0} - bits : bits));
    case 'x':
      return number_text(
          directive, false, fmt::format("{}{:x}", directive.alternate ? "0x" : "", bits));
    case 'X':
      return number_text(
          directive, false, fmt::format("{}{:X}", directive.alternate ? "0X" : "", bits));
    default:
      return number_text(
          directive, false, fmt::format("{}{:o}", directive.alternate ? "0" : "", bits));
  }
}

std::string floating_text(const Directive& directive, double value) {
  if (!std::isfinite(value)) {
    std::string text;
    text::append_double(text, value);
    return text;
  }
  const int32_t precision = directive.precision < 0 ? 6 : directive.precision;
  const double magnitude = std::abs(value);
  const char lower = static_cast<char>(directive.conversion | 0x20);
  std::string digits = lower == 'e'   ? fmt::format("{:.{}e}", magnitude, precision)
                       : lower == 'g' ? fmt::format("{:#.{}g}", magnitude, std::max(1, precision))
                                      : fmt::format("{:.{}f}", magnitude, precision);
  if (directive.conversion == 'E' || directive.conversion == 'G') {
    for (char& c : digits) {
      c = c == 'e' ? 'E' : c;
    }
  }
  return number_text(directive, std::signbit(value), digits);
}

std::optional<std::string> directive_text(const Directive& directive,
                                          const Column& column,
                                          int32_t row) {
  const char c = directive.conversion;
  if (c == 's' || c == 'S' || column.is_null(row)) {
    std::string text;
    if (column.is_null(row)) {
      text = "null";
    } else {
      text::append_value(text, column, row, text::Style::kPrint, TimeZone::utc());
    }
    if (directive.precision >= 0) {
      text.resize(std::min(text.size(), static_cast<size_t>(directive.precision)));
    }
    if (c == 'S') {
      for (char& letter : text) {
        letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
      }
    }
    return text;
  }
  if (std::string_view("dxXo").find(c) != std::string_view::npos) {
    const auto value = integer_at(column, row);
    return value ? integer_text(directive, *value) : std::nullopt;
  }
  if (std::string_view("feEgG").find(c) != std::string_view::npos) {
    const auto value = double_at(column, row);
    return value ? std::optional(floating_text(directive, *value)) : std::nullopt;
  }
  if (c == 'b' && column.type().kind() == TypeKind::kBoolean) {
    return column.at<uint8_t>(row) != 0 ? "true" : "false";
  }
  return std::nullopt;
}

/// False when the format does not fit the arguments: NULL, as Flink turns the exception into.
bool print(std::string& out,
           std::string_view format,
           std::span<const ColumnPtr> arguments,
           int32_t row) {
  size_t next = 0;
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
    if (directive->conversion == '%' || directive->conversion == 'n') {
      out += directive->conversion == '%' ? '%' : '\n';
      continue;
    }
    const size_t index =
        directive->argument > 0 ? static_cast<size_t>(directive->argument) - 1 : next++;
    if (index >= arguments.size()) {
      return false;
    }
    auto text = directive_text(*directive, *arguments[index], row);
    if (!text) {
      return false;
    }
    const auto width = static_cast<size_t>(directive->width);
    const size_t padding = text->size() < width ? width - text->size() : 0;
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
        "PRINTF('%05.1f|%-3d|%x', CAST(2.25 AS DOUBLE), 7, 255) -> 002.2|7  |ff"}},
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
