#include "thalweg/connectors/filesystem/partition_path.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/types/text.h"

namespace thalweg::connectors {

namespace {

/// Flink's PartitionPathUtils (2.3).
bool needs_escape(char c) {
  constexpr std::string_view kSpecial = "\"#%'*/:=?\\{[]^\x7f";
  return static_cast<unsigned char>(c) < 0x20 || kSpecial.find(c) != std::string_view::npos;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

template <typename T, typename Parsed>
Value checked(const std::optional<Parsed>& parsed,
              const std::string& key,
              const std::string& text) {
  if (!parsed) {
    throw Error(ErrorCode::kBadRecord,
                fmt::format("The directory '{}={}' does not fit the type of partition column '{}'.",
                            key,
                            text,
                            key));
  }
  return Value(static_cast<T>(*parsed));
}

}  // namespace

std::string escape_partition_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (needs_escape(c)) {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string unescape_partition_text(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
        hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

PartitionTexts parse_partition_path(std::string_view relative_path) {
  PartitionTexts texts;
  while (!relative_path.empty()) {
    const size_t slash = relative_path.find('/');
    const std::string_view part = relative_path.substr(0, slash);
    const size_t equals = part.find('=');
    if (equals != std::string_view::npos && slash != std::string_view::npos) {
      texts[unescape_partition_text(part.substr(0, equals))] =
          unescape_partition_text(part.substr(equals + 1));
    }
    relative_path.remove_prefix(slash == std::string_view::npos ? relative_path.size() : slash + 1);
  }
  return texts;
}

std::string partition_path_of(const std::vector<std::string>& keys,
                              const std::vector<ColumnPtr>& columns,
                              int32_t row,
                              const std::string& default_name,
                              bool with_names) {
  std::string path;
  for (size_t i = 0; i < keys.size(); ++i) {
    std::string text;
    if (!columns[i]->is_null(row)) {
      text::append_value(text, *columns[i], row, text::Style::kPrint, TimeZone::utc());
    }
    if (i > 0) {
      path += '/';
    }
    const std::string& value = text.empty() ? default_name : text;
    path += with_names
                ? fmt::format("{}={}", escape_partition_text(keys[i]), escape_partition_text(value))
                : value;
  }
  return path;
}

Value parse_partition_value(const std::string& key,
                            const std::string& text,
                            const DataType& type,
                            const std::string& default_name) {
  if (text == default_name) {
    return Value();
  }
  switch (type.kind()) {
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return Value(text);
    case TypeKind::kBoolean:
      return checked<bool>(text::parse_boolean(text), key, text);
    case TypeKind::kTinyInt:
    case TypeKind::kSmallInt:
    case TypeKind::kInt:
    case TypeKind::kBigInt:
      return checked<int64_t>(text::parse_int64(text), key, text);
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return checked<double>(text::parse_double(text), key, text);
    case TypeKind::kDecimal:
      return checked<Int128>(text::parse_decimal(text, type.precision(), type.scale()), key, text);
    case TypeKind::kDate:
      return checked<int64_t>(text::parse_date(text), key, text);
    case TypeKind::kTime:
      return checked<int64_t>(text::parse_time(text), key, text);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz: {
      const char separator = text.find('T') == std::string::npos ? ' ' : 'T';
      const auto parsed = text::parse_timestamp(text, type.precision(), separator);
      return type.precision() <= 3 ? checked<int64_t>(parsed, key, text)
                                   : checked<Int128>(parsed, key, text);
    }
    default:
      throw Error(ErrorCode::kNotSupported,
                  fmt::format("Type {} of partition column '{}'.", type.to_string(), key));
  }
}

}  // namespace thalweg::connectors
