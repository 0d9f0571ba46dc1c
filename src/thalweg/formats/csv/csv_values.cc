#include "thalweg/formats/csv/csv_values.h"

#include <limits>

#include <fmt/format.h>

#include "thalweg/formats/number_text.h"
#include "thalweg/formats/temporal_text.h"
#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

template <typename T, typename Parsed>
bool append_parsed(ColumnBuilder& builder, const std::optional<Parsed>& value) {
  if (!value) {
    return false;
  }
  builder.append(static_cast<T>(*value));
  return true;
}

template <typename T>
bool append_integer(std::string_view text, ColumnBuilder& builder) {
  return append_parsed<T>(
      builder,
      parse_java_integer(
          trim_java(text), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

bool append_double(std::string_view text, ColumnBuilder& builder) {
  double value = 0;
  if (parse_plain_double(text, value)) {
    builder.append(value);
    return true;
  }
  return append_parsed<double>(builder, text::parse_double(text));
}

bool append_boolean(std::string_view text, ColumnBuilder& builder) {
  text = trim_java(text);
  constexpr std::string_view kTrue = "true";
  const bool value =
      std::equal(text.begin(), text.end(), kTrue.begin(), kTrue.end(), [](char a, char b) {
        return (a | 0x20) == b;
      });
  builder.append(static_cast<uint8_t>(value ? 1 : 0));
  return true;
}

bool append_decimal(std::string_view text, const DataType& type, ColumnBuilder& builder) {
  const ParsedDecimal parsed = parse_java_decimal(text, type.precision(), type.scale());
  if (!parsed.is_number) {
    return false;
  }
  if (parsed.value) {
    builder.append(*parsed.value);
  } else {
    builder.append_null();
  }
  return true;
}

bool append_time(std::string_view text, int32_t precision, ColumnBuilder& builder) {
  const std::optional<int32_t> ms = parse_java_time(text, true);
  if (!ms) {
    return false;
  }
  const int32_t unit = precision == 0 ? 1000 : precision == 1 ? 100 : precision == 2 ? 10 : 1;
  builder.append(*ms / unit * unit);
  return true;
}

bool append_timestamp(std::string_view text, const DataType& type, ColumnBuilder& builder) {
  const TimestampStyle style{.zulu = type.kind() == TypeKind::kTimestampLtz};
  const auto value = parse_java_timestamp(trim_java(text), style, type.precision());
  return type.precision() <= 3 ? append_parsed<int64_t>(builder, value)
                               : append_parsed<Int128>(builder, value);
}

bool append_bytes(std::string_view text, ColumnBuilder& builder) {
  std::string bytes;
  if (!append_base64_decoded(bytes, text)) {
    return false;
  }
  builder.append_string(bytes);
  return true;
}

bool append_element(std::string_view text,
                    const CsvOptions& options,
                    ColumnBuilder& builder,
                    std::string& problem) {
  if (options.null_literal && text == *options.null_literal) {
    builder.append_null();
    return true;
  }
  if (append_csv_scalar(text, builder.type(), builder)) {
    return true;
  }
  if (options.ignore_parse_errors) {
    builder.append_null();
    return true;
  }
  problem = fmt::format("For input string: \"{}\"", text);
  return false;
}

/// Calls `take` for each element; a blank text has none.
template <typename Take>
bool for_each_element(std::string_view text, std::string_view delimiter, Take&& take) {
  if (trim_java(text).empty()) {
    return true;
  }
  for (;;) {
    const size_t end = text.find(delimiter);
    if (!take(text.substr(0, end))) {
      return false;
    }
    if (end == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(end + delimiter.size());
  }
}

bool append_array(std::string_view text,
                  const CsvOptions& options,
                  ColumnBuilder& builder,
                  std::string& problem) {
  const bool fits = for_each_element(text, options.array_delimiter, [&](std::string_view element) {
    return append_element(element, options, builder.child(0), problem);
  });
  if (fits) {
    builder.append_list();
  }
  return fits;
}

bool append_row(std::string_view text,
                const CsvOptions& options,
                ColumnBuilder& builder,
                std::string& problem) {
  const size_t arity = builder.child_count();
  size_t count = 0;
  const bool fits = for_each_element(text, options.array_delimiter, [&](std::string_view element) {
    const size_t field = count++;
    return field >= arity || append_element(element, options, builder.child(field), problem);
  });
  if (!fits) {
    return false;
  }
  if (count == 0) {
    builder.append_null();
    return true;
  }
  if (count != arity && !options.ignore_parse_errors) {
    problem = fmt::format("Row length mismatch. {} fields expected but was {}.", arity, count);
    return false;
  }
  for (size_t field = count; field < arity; ++field) {
    builder.child(field).append_null();
  }
  builder.append_struct();
  return true;
}

}  // namespace

bool append_csv_scalar(std::string_view text, const DataType& type, ColumnBuilder& builder) {
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return append_boolean(text, builder);
    case TypeKind::kTinyInt:
      return append_integer<int8_t>(text, builder);
    case TypeKind::kSmallInt:
      return append_integer<int16_t>(text, builder);
    case TypeKind::kInt:
      return append_integer<int32_t>(text, builder);
    case TypeKind::kBigInt:
      return append_integer<int64_t>(text, builder);
    case TypeKind::kFloat:
      return append_parsed<float>(builder, parse_java_float(text));
    case TypeKind::kDouble:
      return append_double(text, builder);
    case TypeKind::kDecimal:
      return append_decimal(text, type, builder);
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      builder.append_string(text);
      return true;
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return append_bytes(text, builder);
    case TypeKind::kDate:
      return append_parsed<int32_t>(builder, parse_sql_date(text));
    case TypeKind::kTime:
      return append_time(text, type.precision(), builder);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return append_timestamp(text, type, builder);
    case TypeKind::kNull:
      builder.append_null();
      return true;
    default:
      return false;
  }
}

bool append_csv_value(std::string_view text,
                      const CsvOptions& options,
                      ColumnBuilder& builder,
                      std::string& problem) {
  const TypeKind kind = builder.type().kind();
  if (kind != TypeKind::kArray && kind != TypeKind::kRow) {
    return append_element(text, options, builder, problem);
  }
  const int32_t size = builder.size();
  const bool fits = kind == TypeKind::kArray ? append_array(text, options, builder, problem)
                                             : append_row(text, options, builder, problem);
  if (!fits) {
    builder.truncate(size);
  }
  return fits;
}

}  // namespace thalweg::formats
