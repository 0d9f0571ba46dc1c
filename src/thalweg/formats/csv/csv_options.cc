#include "thalweg/formats/csv/csv_options.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/substitute.h"
#include "thalweg/formats/utf8.h"

namespace thalweg::formats {

namespace {

void append_code_unit(std::string& out, uint32_t unit) {
  if (unit < 0x80) {
    out += static_cast<char>(unit);
  } else if (unit < 0x800) {
    out += static_cast<char>(0xC0U | unit >> 6U);
    out += static_cast<char>(0x80U | (unit & 63U));
  } else {
    out += static_cast<char>(0xE0U | unit >> 12U);
    out += static_cast<char>(0x80U | (unit >> 6U & 63U));
    out += static_cast<char>(0x80U | (unit & 63U));
  }
}

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

/// Java's escapes: users write '\t' or '\u0001' for what they can't type.
std::string unescape_java(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    constexpr std::string_view kLetters = "btnfr";
    constexpr std::string_view kMeant = "\b\t\n\f\r";
    if (const size_t named = kLetters.find(next); named != std::string_view::npos) {
      out += kMeant[named];
    } else if (next == 'u' && i + 4 < text.size() && is_hex(text[i + 1]) && is_hex(text[i + 2]) &&
               is_hex(text[i + 3]) && is_hex(text[i + 4])) {
      append_code_unit(
          out, static_cast<uint32_t>(std::stoul(std::string(text.substr(i + 1, 4)), nullptr, 16)));
      i += 4;
    } else {
      out += next;
    }
  }
  return out;
}

Error not_one_character(const std::string& key, const std::string& value) {
  return Error(
      ErrorCode::kInvalidOption,
      fmt::format(
          "Option 'csv.{}' must be a string with single character, but was: {}", key, value));
}

std::optional<char> read_character(const stream::Options& options, const std::string& key) {
  const std::optional<std::string> value = options.find_string(key);
  if (!value) {
    return std::nullopt;
  }
  if (utf16_length(*value) != 1) {
    throw not_one_character(key, *value);
  }
  if (value->size() != 1) {
    throw Error(
        ErrorCode::kNotSupported,
        fmt::format("Option 'csv.{}' must be an ASCII character, but was: {}", key, *value));
  }
  return value->front();
}

bool is_simple(const DataType& type) {
  return !type.is_nested() && type.kind() != TypeKind::kOpaque &&
         type.kind() != TypeKind::kBitmap && type.kind() != TypeKind::kVariant &&
         !type.is_interval();
}

}  // namespace

std::vector<stream::OptionSpec> csv_option_specs() {
  using stream::OptionType;
  return {
      {.key = "field-delimiter",
       .default_value = ",",
       .description = "The character between fields; Java escapes like \\t and \\u0001 are taken."},
      {.key = "quote-character",
       .default_value = "\"",
       .description = "The character around values that hold the delimiter, a quote or a new "
                      "line; doubled inside of them."},
      {.key = "disable-quote-character",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Quotes are plain text. 'quote-character' can't be set then."},
      {.key = "allow-comments",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Lines that start with # are skipped, and empty ones."},
      {.key = "ignore-parse-errors",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Set fields that can't be read to NULL, pad short rows with NULL and skip "
                      "rows that are too long, instead of failing. Skipped rows are counted."},
      {.key = "array-element-delimiter",
       .default_value = ";",
       .description = "What stands between the elements of an ARRAY and the fields of a ROW."},
      {.key = "escape-character",
       .description = "The character that takes the meaning from the one behind it."},
      {.key = "null-literal", .description = "The text that stands for NULL, read and written."},
      {.key = "write-bigdecimal-in-scientific-notation",
       .type = OptionType::kBoolean,
       .default_value = "true",
       .description = "Write a DECIMAL like 100000 as 1E+5."},
  };
}

CsvOptions read_csv_options(const stream::OptionMap& values) {
  const stream::Options options("csv", csv_option_specs(), values);
  CsvOptions result;
  const std::string delimiter = options.get_string("field-delimiter");
  result.delimiter = unescape_java(delimiter);
  if (utf16_length(result.delimiter) != 1) {
    throw not_one_character("field-delimiter", delimiter);
  }
  if (options.get_bool("disable-quote-character")) {
    if (options.has("quote-character")) {
      throw Error(ErrorCode::kInvalidOption,
                  "Format cannot define a quote character and disabled quote character at the "
                  "same time.");
    }
    result.quote = std::nullopt;
  } else {
    result.quote = read_character(options, "quote-character");
  }
  result.escape = read_character(options, "escape-character");
  result.allow_comments = options.get_bool("allow-comments");
  result.ignore_parse_errors = options.get_bool("ignore-parse-errors");
  result.array_delimiter = options.get_string("array-element-delimiter");
  if (utf16_length(result.array_delimiter) != 1) {
    throw not_one_character("array-element-delimiter", result.array_delimiter);
  }
  result.null_literal = options.find_string("null-literal");
  result.scientific_decimals = options.get_bool("write-bigdecimal-in-scientific-notation");
  return result;
}

void check_csv_schema(const Schema& schema) {
  for (const Field& field : schema) {
    const TypeKind kind = field.type.kind();
    if (kind == TypeKind::kArray || (kind == TypeKind::kRow && !field.type.is_structured())) {
      for (size_t i = 0; i < field.type.child_count(); ++i) {
        if (!is_simple(field.type.child(i))) {
          throw Error(ErrorCode::kUnsupportedFormatType,
                      fmt::format("Only simple types are supported in the second level nesting of "
                                  "fields '{}' but was: {}",
                                  field.name,
                                  field.type.child(i).to_string()));
        }
      }
    } else if (!is_simple(field.type)) {
      throw Error(
          ErrorCode::kUnsupportedFormatType,
          fmt::format("Unsupported type '{}' for field '{}'.", field.type.to_string(), field.name))
          .hint(substitute_for(field.type));
    }
    if (kind == TypeKind::kTime && field.type.precision() > 3) {
      throw Error(ErrorCode::kUnsupportedFormatType,
                  fmt::format("Csv does not support TIME type with precision: {}, it only supports "
                              "precision 0 ~ 3.",
                              field.type.precision()));
    }
  }
}

}  // namespace thalweg::formats
