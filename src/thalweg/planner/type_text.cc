#include "thalweg/planner/type_text.h"

#include <fmt/format.h>

#include "thalweg/expression/type_inference.h"

namespace thalweg::planner {

namespace {

constexpr std::string_view kCharset = " CHARACTER SET \"UTF-16LE\"";

std::string interval_text(const DataType& type) {
  std::string text = "INTERVAL " + type.interval_leading();
  if (!type.interval_trailing().empty() && type.interval_trailing() != type.interval_leading()) {
    text += " TO " + type.interval_trailing();
  }
  return text;
}

std::string row_text(const DataType& type, bool full) {
  std::string text = "RecordType:peek_no_expand(";
  const char* separator = "";
  for (const Field& field : type.fields()) {
    text += separator;
    text += full ? full_plan_type(field.type, true) : plan_type(field.type);
    text += " " + field.name;
    separator = ", ";
  }
  return text + ")";
}

std::string nested_text(const DataType& type, bool full) {
  const auto child = [&](size_t index) {
    return full ? full_plan_type(type.child(index), true) : plan_type(type.child(index));
  };
  switch (type.kind()) {
    case TypeKind::kArray:
      return child(0) + " ARRAY";
    case TypeKind::kMultiset:
      return child(0) + " MULTISET";
    case TypeKind::kMap:
      return fmt::format("({}, {}) MAP", child(0), child(1));
    default:
      return type.is_structured() ? type.as_nullable().to_serializable_string()
                                  : row_text(type, full);
  }
}

std::string timestamp_text(const DataType& type) {
  std::string text = fmt::format(
      "{}({})",
      type.kind() == TypeKind::kTimestamp ? "TIMESTAMP" : "TIMESTAMP_WITH_LOCAL_TIME_ZONE",
      type.precision());
  switch (type.time_attribute()) {
    case TimeAttribute::kEventTime:
      return text + " *ROWTIME*";
    case TimeAttribute::kProcessingTime:
      return text + " *PROCTIME*";
    case TimeAttribute::kNone:
      return text;
  }
  return text;
}

std::string base_text(const DataType& type, bool full) {
  switch (type.kind()) {
    case TypeKind::kInt:
      return "INTEGER";
    case TypeKind::kDecimal:
      return fmt::format("DECIMAL({}, {})", type.precision(), type.scale());
    case TypeKind::kChar:
      return fmt::format("CHAR({}){}", type.length(), full ? kCharset : "");
    case TypeKind::kVarChar:
      return fmt::format("VARCHAR({}){}", type.length(), full ? kCharset : "");
    case TypeKind::kBinary:
      return fmt::format("BINARY({})", type.length());
    case TypeKind::kVarBinary:
      return fmt::format("VARBINARY({})", type.length());
    case TypeKind::kTime:
      return fmt::format("TIME({})", type.precision());
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_text(type);
    case TypeKind::kIntervalDayTime:
    case TypeKind::kIntervalYearMonth:
      return interval_text(type);
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kMultiset:
    case TypeKind::kRow:
      return nested_text(type, full);
    case TypeKind::kOpaque:
      return "RAW('[B', '...')";
    default:
      return type.as_nullable().to_string();
  }
}

}  // namespace

std::string plan_type(const DataType& type) {
  return base_text(type, false);
}

std::string full_plan_type(const DataType& type, bool with_nullability) {
  std::string text = base_text(type, true);
  if (with_nullability && !type.is_nullable()) {
    text += " NOT NULL";
  }
  return text;
}

Schema resolved_schema(Schema schema) {
  for (Field& field : schema) {
    field.type = expression::resolved_type(field.type);
  }
  return schema;
}

std::string type_family(const DataType& type) {
  if (type.is_numeric()) {
    return "NUMERIC";
  }
  if (type.is_character()) {
    return "CHARACTER";
  }
  if (type.is_binary()) {
    return "BINARY";
  }
  if (type.is_timestamp()) {
    return "TIMESTAMP";
  }
  if (type.kind() == TypeKind::kIntervalDayTime) {
    return "INTERVAL_DAY_TIME";
  }
  if (type.kind() == TypeKind::kIntervalYearMonth) {
    return "INTERVAL_YEAR_MONTH";
  }
  return plan_type(type);
}

}  // namespace thalweg::planner
