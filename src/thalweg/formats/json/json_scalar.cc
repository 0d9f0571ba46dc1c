#include "thalweg/formats/json/json_scalar.h"

#include "thalweg/formats/json/json_text.h"
#include "thalweg/formats/number_text.h"
#include "thalweg/formats/temporal_text.h"
#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

template <typename T>
JsonOutcome done(ColumnBuilder& builder, T value) {
  builder.append(value);
  return JsonOutcome::kDone;
}

void append_integer(ColumnBuilder& builder, TypeKind kind, int64_t value) {
  switch (kind) {
    case TypeKind::kTinyInt:
      builder.append(static_cast<int8_t>(value));
      return;
    case TypeKind::kSmallInt:
      builder.append(static_cast<int16_t>(value));
      return;
    case TypeKind::kInt:
    case TypeKind::kIntervalYearMonth:
      builder.append(static_cast<int32_t>(value));
      return;
    default:
      builder.append(value);
  }
}

struct IntegerRange {
  int64_t least;
  int64_t most;

  bool contains(int64_t value) const { return value >= least && value <= most; }
};

IntegerRange range_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTinyInt:
      return {INT8_MIN, INT8_MAX};
    case TypeKind::kSmallInt:
      return {INT16_MIN, INT16_MAX};
    case TypeKind::kInt:
    case TypeKind::kIntervalYearMonth:
      return {INT32_MIN, INT32_MAX};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A whole number of up to 18 digits: nearly all there are.
bool parse_short_integer(std::string_view token, int64_t& value) {
  const bool negative = token.front() == '-';
  token.remove_prefix(negative ? 1 : 0);
  if (token.empty() || token.size() > 18 || (token.front() == '0' && token.size() > 1)) {
    return false;
  }
  int64_t digits = 0;
  for (const char c : token) {
    if (!is_digit(c)) {
      return false;
    }
    digits = digits * 10 + (c - '0');
  }
  value = negative ? -digits : digits;
  return true;
}

/// A whole number of more than 18 digits, or one with a fraction, which INT and BIGINT cut off.
JsonOutcome append_long_integer(std::string_view token, TypeKind kind, ColumnBuilder& builder) {
  const IntegerRange range = range_of(kind);
  if (token.find_first_of(".eE") == std::string_view::npos) {
    const std::optional<int64_t> value = parse_java_integer(token, range.least, range.most);
    if (!value) {
      return JsonOutcome::kUnfit;
    }
    append_integer(builder, kind, *value);
    return JsonOutcome::kDone;
  }
  const bool narrow = kind == TypeKind::kTinyInt || kind == TypeKind::kSmallInt;
  const std::optional<double> value = text::parse_double(token);
  if (narrow || !value || !(*value >= static_cast<double>(range.least)) || *value >= 0x1p63 ||
      *value > static_cast<double>(range.most)) {
    return JsonOutcome::kUnfit;
  }
  append_integer(builder, kind, static_cast<int64_t>(*value));
  return JsonOutcome::kDone;
}

JsonOutcome append_decimal(std::string_view text, ColumnBuilder& builder) {
  const ParsedDecimal parsed =
      parse_java_decimal(text, builder.type().precision(), builder.type().scale());
  if (!parsed.is_number) {
    return JsonOutcome::kUnfit;
  }
  if (parsed.value) {
    builder.append(*parsed.value);
  } else {
    builder.append_null();
  }
  return JsonOutcome::kDone;
}

JsonOutcome append_timestamp(std::string_view text,
                             const TimestampStyle& style,
                             ColumnBuilder& builder) {
  const int32_t precision = builder.type().precision();
  const std::optional<Int128> value = parse_java_timestamp(text, style, precision);
  if (!value) {
    return JsonOutcome::kUnfit;
  }
  return precision <= 3 ? done(builder, static_cast<int64_t>(*value)) : done(builder, *value);
}

bool is_true(std::string_view text) {
  constexpr std::string_view kTrue = "true";
  return std::equal(text.begin(), text.end(), kTrue.begin(), kTrue.end(), [](char a, char b) {
    return (a | 0x20) == b;
  });
}

}  // namespace

JsonOutcome append_json_text(std::string_view text,
                             const JsonOptions& options,
                             ColumnBuilder& builder) {
  const TypeKind kind = builder.type().kind();
  switch (kind) {
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      builder.append_string(text);
      return JsonOutcome::kDone;
    case TypeKind::kBoolean:
      return done(builder, static_cast<uint8_t>(is_true(trim_java(text)) ? 1 : 0));
    case TypeKind::kDecimal:
      return append_decimal(trim_java(text), builder);
    case TypeKind::kFloat: {
      const std::optional<float> value = parse_java_float(text);
      return value ? done(builder, *value) : JsonOutcome::kUnfit;
    }
    case TypeKind::kDouble: {
      const std::optional<double> value = text::parse_double(text);
      return value ? done(builder, *value) : JsonOutcome::kUnfit;
    }
    case TypeKind::kBinary:
    case TypeKind::kVarBinary: {
      std::string bytes;
      if (!append_base64_decoded(bytes, text)) {
        return JsonOutcome::kUnfit;
      }
      builder.append_string(bytes);
      return JsonOutcome::kDone;
    }
    case TypeKind::kDate: {
      const std::optional<int32_t> days = parse_iso_date(text);
      return days ? done(builder, *days) : JsonOutcome::kUnfit;
    }
    case TypeKind::kTime: {
      const std::optional<int32_t> ms = parse_java_time(text, false);
      return ms ? done(builder, *ms) : JsonOutcome::kUnfit;
    }
    case TypeKind::kTimestamp:
      return append_timestamp(text, options.timestamp, builder);
    case TypeKind::kTimestampLtz:
      return append_timestamp(text, options.timestamp_ltz, builder);
    case TypeKind::kNull:
      builder.append_null();
      return JsonOutcome::kDone;
    default:
      break;
  }
  const IntegerRange range = range_of(kind);
  const std::optional<int64_t> value = parse_java_integer(trim_java(text), range.least, range.most);
  if (!value) {
    return JsonOutcome::kUnfit;
  }
  append_integer(builder, kind, *value);
  return JsonOutcome::kDone;
}

JsonOutcome append_json_token(std::string_view token,
                              const JsonOptions& options,
                              ColumnBuilder& builder) {
  const DataType& type = builder.type();
  const bool whole = type.is_integer() || type.is_interval();
  int64_t integer = 0;
  if (whole && parse_short_integer(token, integer)) {
    if (!range_of(type.kind()).contains(integer)) {
      return JsonOutcome::kUnfit;
    }
    append_integer(builder, type.kind(), integer);
    return JsonOutcome::kDone;
  }
  double number = 0;
  if (type.kind() == TypeKind::kDouble && parse_plain_double(token, number)) {
    return done(builder, number);
  }
  if (!is_json_scalar(token)) {
    return JsonOutcome::kBroken;
  }
  if (whole && is_json_number(token)) {
    return append_long_integer(token, type.kind(), builder);
  }
  return append_json_text(token, options, builder);
}

}  // namespace thalweg::formats
