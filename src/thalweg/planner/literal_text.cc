#include <array>
#include <charconv>

#include <fmt/format.h>

#include "thalweg/planner/expression_text.h"
#include "thalweg/planner/type_text.h"
#include "thalweg/types/text.h"

namespace thalweg::planner {

namespace {

std::string quoted(std::string_view text, PlanStyle style) {
  std::string result = style == PlanStyle::kExecution ? "'" : "_UTF-16LE'";
  for (const char c : text) {
    result += c;
    if (c == '\'') {
      result += c;
    }
  }
  return result + "'";
}

/// Calcite's scientific form: 1.5E3.
std::string scientific(double value) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  const std::string text(buffer.data(), end.ptr);
  const size_t e = text.find('e');
  if (e == std::string::npos) {
    return text;
  }
  return fmt::format("{}E{}", text.substr(0, e), std::stoi(text.substr(e + 1)));
}

std::string timestamp_value(const Value& value, const DataType& type) {
  std::string text;
  const Int128 stored = type.precision() <= 3 ? static_cast<Int128>(std::get<int64_t>(value.data))
                                              : std::get<Int128>(value.data);
  text::append_timestamp(text, stored, type.precision());
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text;
}

std::string hex(std::string_view bytes) {
  std::string text = "X'";
  for (const char c : bytes) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return text + "'";
}

std::string value_text(const Value& value, const DataType& type, PlanStyle style) {
  std::string text;
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return std::get<bool>(value.data) ? "true" : "false";
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return scientific(std::get<double>(value.data));
    case TypeKind::kDecimal:
      text::append_decimal(text, std::get<Int128>(value.data), type.scale());
      return text;
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return quoted(std::get<std::string>(value.data), style);
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
      return hex(std::get<std::string>(value.data));
    case TypeKind::kDate:
      text::append_date(text, static_cast<int32_t>(std::get<int64_t>(value.data)));
      return text;
    case TypeKind::kTime:
      text::append_time(text, static_cast<int32_t>(std::get<int64_t>(value.data)), 0);
      return text;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return timestamp_value(value, type);
    default:
      if (const auto* number = std::get_if<int64_t>(&value.data)) {
        return fmt::format("{}", *number);
      }
      return "?";
  }
}

/// Calcite's RexLiteral.shouldIncludeType: types that the value itself tells are left out.
bool shows_type(const DataType& type, PlanStyle style) {
  if (style == PlanStyle::kExecution) {
    return type.is_interval();
  }
  switch (type.kind()) {
    case TypeKind::kBoolean:
    case TypeKind::kInt:
    case TypeKind::kChar:
    case TypeKind::kDate:
      return false;
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
      return type.precision() > 0;
    default:
      return true;
  }
}

}  // namespace

std::string literal_text(const Value& value,
                         const DataType& type,
                         PlanStyle style,
                         bool with_type) {
  if (value.is_null()) {
    return "null:" +
           (style == PlanStyle::kExecution ? plan_type(type) : full_plan_type(type, false));
  }
  std::string text = value_text(value, type, style);
  if (with_type && shows_type(type, style)) {
    text += ":" + full_plan_type(type, false);
  }
  return text;
}

std::string tuple_text(const std::vector<Value>& row, const Schema& schema, PlanStyle style) {
  std::string text = "{ ";
  for (size_t i = 0; i < row.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += row[i].is_null() ? "null" : literal_text(row[i], schema[i].type, style, false);
  }
  return text + " }";
}

std::string duration_text(int64_t ms) {
  struct Unit {
    int64_t size;
    std::string_view name;
  };

  constexpr std::array<Unit, 5> kUnits = {
      {{86'400'000, "d"}, {3'600'000, "h"}, {60'000, "min"}, {1'000, "s"}, {1, "ms"}}};
  for (const Unit& unit : kUnits) {
    if (ms % unit.size == 0 && ms >= unit.size) {
      return fmt::format("{} {}", ms / unit.size, unit.name);
    }
  }
  return fmt::format("{} ms", ms);
}

}  // namespace thalweg::planner
