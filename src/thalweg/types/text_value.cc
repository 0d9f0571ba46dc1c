#include <array>

#include "thalweg/common/check.h"
#include "thalweg/types/bitmap_format.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/decimal.h"
#include "thalweg/types/java_map_order.h"
#include "thalweg/types/text.h"
#include "thalweg/types/variant.h"

namespace thalweg::text {

namespace {

/// What every step of one append_value needs.
struct Printer {
  std::string& out;
  Style style;
  const TimeZone& zone;

  void value(const Column& column, int32_t row) const;
  void list(const Column& column, int32_t row) const;
  void map(const Column& column, int32_t row) const;
  void row(const Column& column, int32_t row) const;
  void bytes(std::string_view bytes) const;
  void decimal(Int128 unscaled, int32_t scale) const;
  void timestamp(Int128 value, const DataType& type) const;
  void time(int32_t ms_of_day, int32_t precision) const;
  void number(const Column& column, int32_t row) const;
  void interval(const Column& column, int32_t row) const;
};

void append_two(std::string& out, int64_t value) {
  out += static_cast<char>('0' + value / 10);
  out += static_cast<char>('0' + value % 10);
}

/// java.time's fraction: none, or three, six or nine digits.
void append_grouped_fraction(std::string& out, int64_t nanos) {
  if (nanos == 0) {
    return;
  }
  int32_t digits = 9;
  while (digits > 3 && nanos % 1000 == 0) {
    nanos /= 1000;
    digits -= 3;
  }
  const std::string text = std::to_string(nanos);
  out += '.';
  out.append(static_cast<size_t>(digits) - text.size(), '0');
  out += text;
}

/// java.time's LocalTime.toString; an Instant always shows its seconds.
void append_java_time(std::string& out, int64_t nanos_of_day, bool always_seconds) {
  const int64_t seconds = nanos_of_day / 1'000'000'000;
  const int64_t nanos = nanos_of_day % 1'000'000'000;
  append_two(out, seconds / 3600);
  out += ':';
  append_two(out, seconds / 60 % 60);
  if (always_seconds || seconds % 60 != 0 || nanos != 0) {
    out += ':';
    append_two(out, seconds % 60);
    append_grouped_fraction(out, nanos);
  }
}

/// Duration.toString: "PT24H", "PT1M0.5S".
void append_java_duration(std::string& out, int64_t ms) {
  if (ms == 0) {
    out += "PT0S";
    return;
  }
  out += "PT";
  if (ms / kMsPerHour != 0) {
    out += std::to_string(ms / kMsPerHour) + "H";
  }
  if (ms / kMsPerMinute % 60 != 0) {
    out += std::to_string(ms / kMsPerMinute % 60) + "M";
  }
  const int64_t rest = ms % kMsPerMinute;
  if (rest == 0) {
    return;
  }
  out += rest < 0 ? "-" : "";
  const int64_t magnitude = rest < 0 ? -rest : rest;
  out += std::to_string(magnitude / 1000);
  if (magnitude % 1000 != 0) {
    std::string fraction = std::to_string(1000 + magnitude % 1000).substr(1);
    fraction.erase(fraction.find_last_not_of('0') + 1);
    out += "." + fraction;
  }
  out += 'S';
}

/// Period.toString: "P1Y2M".
void append_java_period(std::string& out, int32_t months) {
  if (months == 0) {
    out += "P0D";
    return;
  }
  out += 'P';
  if (months / 12 != 0) {
    out += std::to_string(months / 12) + "Y";
  }
  if (months % 12 != 0) {
    out += std::to_string(months % 12) + "M";
  }
}

void Printer::bytes(std::string_view bytes) const {
  if (style == Style::kPrint) {
    out += '[';
    for (size_t i = 0; i < bytes.size(); ++i) {
      out += i == 0 ? "" : ", ";
      out += std::to_string(static_cast<int>(static_cast<signed char>(bytes[i])));
    }
    out += ']';
    return;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "x'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  out += '\'';
}

void Printer::decimal(Int128 unscaled, int32_t scale) const {
  std::string plain;
  append_decimal(plain, unscaled, 0);
  const auto digits = static_cast<int32_t>(plain.size()) - (unscaled < 0 ? 1 : 0);
  // BigDecimal.toString turns to exponents below 1E-6; DecimalData never does.
  const int32_t exponent = digits - 1 - scale;
  if (style == Style::kCast || exponent >= -6) {
    append_decimal(out, unscaled, scale);
    return;
  }
  const size_t first = unscaled < 0 ? 2 : 1;
  out += plain.substr(0, first);
  if (digits > 1) {
    out += "." + plain.substr(first);
  }
  out += "E" + std::to_string(exponent);
}

void Printer::timestamp(Int128 value, const DataType& type) const {
  const int32_t precision = type.precision();
  const bool is_ltz = type.kind() == TypeKind::kTimestampLtz;
  const Int128 per_ms = precision <= 3 ? 1 : kNanosPerMs;
  if (style == Style::kCast) {
    if (is_ltz) {
      value += zone.offset_at(static_cast<int64_t>(floor_divide(value, per_ms))) * per_ms;
    }
    append_timestamp(out, value, precision);
    return;
  }
  const Int128 per_day = kMsPerDay * per_ms;
  const Int128 days = floor_divide(value, per_day);
  append_date(out, static_cast<int32_t>(days));
  out += 'T';
  const Int128 of_day = (value - days * per_day) * (kNanosPerMs / per_ms);
  append_java_time(out, static_cast<int64_t>(of_day), is_ltz);
  out += is_ltz ? "Z" : "";
}

void Printer::time(int32_t ms_of_day, int32_t precision) const {
  if (style == Style::kCast) {
    append_time(out, ms_of_day, precision);
  } else {
    append_java_time(out, ms_of_day * kNanosPerMs, false);
  }
}

void Printer::interval(const Column& column, int32_t row) const {
  if (column.type().kind() == TypeKind::kIntervalYearMonth) {
    const auto months = column.at<int32_t>(row);
    style == Style::kCast ? append_interval_year_month(out, months)
                          : append_java_period(out, months);
  } else {
    const auto ms = column.at<int64_t>(row);
    style == Style::kCast ? append_interval_day_time(out, ms) : append_java_duration(out, ms);
  }
}

void Printer::list(const Column& column, int32_t row) const {
  out += '[';
  for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
    out += i == column.list_begin(row) ? "" : ", ";
    value(*column.child(0), i);
  }
  out += ']';
}

void Printer::map(const Column& column, int32_t row) const {
  out += '{';
  const auto entry = [&](int32_t i, bool is_first) {
    out += is_first ? "" : ", ";
    value(*column.child(0), i);
    out += '=';
    value(*column.child(1), i);
  };
  if (style == Style::kPrint) {
    const std::vector<int32_t> order = java_map_order(column, row);
    for (const int32_t i : order) {
      entry(i, i == order.front());
    }
  } else {
    for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
      entry(i, i == column.list_begin(row));
    }
  }
  out += '}';
}

void Printer::row(const Column& column, int32_t row) const {
  const bool names_fields = style == Style::kCast && column.type().is_structured();
  out += style == Style::kCast ? "(" : "+I[";
  for (size_t i = 0; i < column.child_count(); ++i) {
    out += i == 0 ? "" : ", ";
    if (names_fields) {
      out += column.type().fields()[i].name + "=";
    }
    value(*column.child(i), column.is_constant() ? 0 : row);
  }
  out += style == Style::kCast ? ')' : ']';
}

void Printer::number(const Column& column, int32_t row) const {
  std::array<char, 24> buffer;
  int64_t integer = 0;
  switch (column.type().physical()) {
    case PhysicalKind::kInt8:
      integer = column.at<int8_t>(row);
      break;
    case PhysicalKind::kInt16:
      integer = column.at<int16_t>(row);
      break;
    case PhysicalKind::kInt32:
      integer = column.at<int32_t>(row);
      break;
    default:
      integer = column.at<int64_t>(row);
  }
  const auto end = fmt::format_to_n(buffer.data(), buffer.size(), "{}", integer);
  out.append(buffer.data(), end.size);
}

void Printer::value(const Column& column, int32_t row) const {
  if (column.is_null(row)) {
    out += style == Style::kCast ? "NULL" : "null";
    return;
  }
  const DataType& type = column.type();
  switch (type.kind()) {
    case TypeKind::kNull:
    case TypeKind::kBoolean: {
      const bool is_true = column.at<uint8_t>(row) != 0;
      out += style == Style::kCast ? (is_true ? "TRUE" : "FALSE") : (is_true ? "true" : "false");
      return;
    }
    case TypeKind::kTinyInt:
    case TypeKind::kSmallInt:
    case TypeKind::kInt:
    case TypeKind::kBigInt:
      return number(column, row);
    case TypeKind::kFloat:
      return append_float(out, column.at<float>(row));
    case TypeKind::kDouble:
      return append_double(out, column.at<double>(row));
    case TypeKind::kDecimal:
      return decimal(column.at<Int128>(row), type.scale());
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      out += column.string_at(row);
      return;
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return bytes(column.string_at(row));
    case TypeKind::kVariant:
      return variant::View(column.string_at(row)).append_json(out);
    case TypeKind::kBitmap:
      return bitmap::append_text(out, column.string_at(row));
    case TypeKind::kDate:
      return append_date(out, column.at<int32_t>(row));
    case TypeKind::kTime:
      return time(column.at<int32_t>(row), type.precision());
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp(type.physical() == PhysicalKind::kInt64 ? Int128{column.at<int64_t>(row)}
                                                               : column.at<Int128>(row),
                       type);
    case TypeKind::kIntervalYearMonth:
    case TypeKind::kIntervalDayTime:
      return interval(column, row);
    case TypeKind::kArray:
      return list(column, row);
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return map(column, row);
    case TypeKind::kRow:
      return this->row(column, row);
    case TypeKind::kOpaque:
      out += column.opaque_operations()->print(column.at<void*>(row));
      return;
  }
  unreachable("type kind");
}

}  // namespace

void append_value(
    std::string& out, const Column& column, int32_t row, Style style, const TimeZone& zone) {
  Printer{out, style, zone}.value(column, row);
}

}  // namespace thalweg::text
