#include "thalweg/functions/json/json_writer.h"

#include <algorithm>
#include <map>

#include "thalweg/functions/json/json_value.h"
#include "thalweg/types/civil_date.h"
#include "thalweg/types/text.h"
#include "thalweg/types/variant.h"

namespace thalweg::functions {

namespace {

/// DateTimeFormatter.ISO_LOCAL_DATE_TIME: as many fraction digits as there are.
void append_iso_timestamp(std::string& out, const Column& column, int32_t row) {
  const DataType& type = column.type();
  const bool is_short = type.physical() == PhysicalKind::kInt64;
  const Int128 value = is_short ? Int128{column.at<int64_t>(row)} : column.at<Int128>(row);
  std::string text;
  text::append_timestamp(text, value, is_short ? 3 : 9, 'T');
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') {
    text.pop_back();
  }
  out += '"' + text + (type.kind() == TypeKind::kTimestampLtz ? "Z\"" : "\"");
}

void append_fields(std::string& out, const std::map<std::string, std::string>& fields) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : fields) {
    out += first ? "" : ",";
    first = false;
    append_json_string(out, key);
    out += ':';
    out += value;
  }
  out += '}';
}

void append_nested(std::string& out, const Column& column, int32_t row) {
  const DataType& type = column.type();
  if (type.kind() == TypeKind::kArray) {
    out += '[';
    for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
      out += i == column.list_begin(row) ? "" : ",";
      append_json_of(out, *column.child(0), i);
    }
    out += ']';
    return;
  }
  std::map<std::string, std::string> fields;
  if (type.kind() == TypeKind::kRow) {
    for (size_t i = 0; i < column.child_count(); ++i) {
      append_json_of(
          fields[type.fields()[i].name], *column.child(i), column.is_constant() ? 0 : row);
    }
  } else {
    for (int32_t i = column.list_begin(row); i < column.list_end(row); ++i) {
      const Column& keys = *column.child(0);
      std::string& value = fields[keys.is_null(i) ? "null" : std::string(keys.string_at(i))];
      value.clear();
      append_json_of(value, *column.child(1), i);
    }
  }
  append_fields(out, fields);
}

}  // namespace

void append_json_of(std::string& out, const Column& column, int32_t row) {
  if (column.is_null(row)) {
    out += "null";
    return;
  }
  std::string text;
  switch (column.type().kind()) {
    case TypeKind::kBoolean:
      out += column.at<uint8_t>(row) != 0 ? "true" : "false";
      return;
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      append_json_string(out, column.string_at(row));
      return;
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      out += '"';
      text::append_base64(out, column.string_at(row));
      out += '"';
      return;
    case TypeKind::kFloat:
      text::append_double(text, column.at<float>(row));  // Flink's JSON knows doubles only
      out +=
          text == "NaN" || text.ends_with("Infinity") ? '"' + text + '"' : big_decimal_text(text);
      return;
    case TypeKind::kDouble:
    case TypeKind::kDecimal:
      text::append_value(text, column, row, text::Style::kPrint, TimeZone::utc());
      out +=
          text == "NaN" || text.ends_with("Infinity") ? '"' + text + '"' : big_decimal_text(text);
      return;
    case TypeKind::kDate:
    case TypeKind::kTime:
      text::append_value(text, column, row, text::Style::kCast, TimeZone::utc());
      out += '"' + text + '"';
      return;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      append_iso_timestamp(out, column, row);
      return;
    case TypeKind::kVariant:
      variant::View(column.string_at(row)).append_json(out);
      return;
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kMultiset:
    case TypeKind::kRow:
      append_nested(out, column, row);
      return;
    default:
      text::append_value(out, column, row, text::Style::kPrint, TimeZone::utc());
  }
}

bool has_json_form(const DataType& type) {
  if (type.is_interval() || type.kind() == TypeKind::kOpaque || type.kind() == TypeKind::kBitmap) {
    return false;
  }
  if (type.kind() == TypeKind::kMap || type.kind() == TypeKind::kMultiset) {
    return type.child(0).is_character() && has_json_form(type.child(1));
  }
  for (size_t i = 0; i < type.child_count(); ++i) {
    if (!has_json_form(type.child(i))) {
      return false;
    }
  }
  return true;
}

}  // namespace thalweg::functions
