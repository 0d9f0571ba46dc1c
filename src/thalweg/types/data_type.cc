#include "thalweg/types/data_type.h"

#include <fmt/format.h>

#include "thalweg/common/check.h"
#include "thalweg/common/error.h"

namespace thalweg {

struct DataType::Nested {
  std::vector<Field> fields;
  std::string leading;
  std::string trailing;
  std::string class_name = {};

  bool operator==(const Nested&) const = default;
};

namespace {

/// The spelling of kinds that have no parameters.
std::string_view plain_name(TypeKind kind) {
  switch (kind) {
    case TypeKind::kNull:
      return "NULL";
    case TypeKind::kBoolean:
      return "BOOLEAN";
    case TypeKind::kTinyInt:
      return "TINYINT";
    case TypeKind::kSmallInt:
      return "SMALLINT";
    case TypeKind::kInt:
      return "INT";
    case TypeKind::kBigInt:
      return "BIGINT";
    case TypeKind::kFloat:
      return "FLOAT";
    case TypeKind::kDouble:
      return "DOUBLE";
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kBitmap:
      return "BITMAP";
    case TypeKind::kVariant:
      return "VARIANT";
    default:
      unreachable("a type kind with parameters");
  }
}

/// Java's rules for the names of classes: identifiers with dots between them.
bool is_class_name(std::string_view name) {
  bool starts = true;
  for (const char c : name) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                           c == '$' || static_cast<unsigned char>(c) >= 0x80;
    const bool is_digit = c >= '0' && c <= '9';
    if (starts ? !is_letter : !is_letter && !is_digit && c != '.') {
      return false;
    }
    starts = c == '.';
  }
  return !starts;
}

/// In quotes, with inner quotes doubled.
std::string quote_text(std::string_view value) {
  std::string text = "'";
  for (const char c : value) {
    text += c;
    if (c == '\'') {
      text += c;
    }
  }
  return text + "'";
}

bool same_fields_ignoring_outer_nullability(const DataType& left, const DataType& right) {
  return left.fields() == right.fields();
}

}  // namespace

DataType DataType::decimal(int32_t precision, int32_t scale) {
  if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
    throw Error(
        ErrorCode::kTypeMismatch,
        fmt::format(
            "Decimal precision must be between 1 and 38 and scale between 0 and the precision, "
            "but is DECIMAL({}, {})",
            precision,
            scale));
  }
  return DataType(TypeKind::kDecimal, precision, scale);
}

DataType DataType::interval_year_month(std::string leading, std::string trailing) {
  DataType type(TypeKind::kIntervalYearMonth, 2);
  type.nested_ = std::make_shared<Nested>(Nested{{}, std::move(leading), std::move(trailing)});
  return type;
}

DataType DataType::interval_day_time(std::string leading, std::string trailing, int32_t fraction) {
  DataType type(TypeKind::kIntervalDayTime, 2, fraction);
  type.nested_ = std::make_shared<Nested>(Nested{{}, std::move(leading), std::move(trailing)});
  return type;
}

DataType DataType::array(DataType element) {
  DataType type(TypeKind::kArray);
  type.nested_ = std::make_shared<Nested>(Nested{{{"element", std::move(element)}}, {}, {}});
  return type;
}

DataType DataType::map(DataType key, DataType value) {
  DataType type(TypeKind::kMap);
  type.nested_ = std::make_shared<Nested>(
      Nested{{{"key", std::move(key)}, {"value", std::move(value)}}, {}, {}});
  return type;
}

DataType DataType::multiset(DataType element) {
  DataType type(TypeKind::kMultiset);
  type.nested_ = std::make_shared<Nested>(
      Nested{{{"element", std::move(element)}, {"count", integer().not_null()}}, {}, {}});
  return type;
}

DataType DataType::row(std::vector<Field> fields) {
  DataType type(TypeKind::kRow);
  type.nested_ = std::make_shared<Nested>(Nested{std::move(fields), {}, {}});
  return type;
}

DataType DataType::structured(std::string class_name, std::vector<Field> fields) {
  if (!is_class_name(class_name)) {
    throw Error(ErrorCode::kTypeMismatch,
                fmt::format("Invalid class name '{}'. The class name must comply with JVM "
                            "identifier rules.",
                            class_name));
  }
  DataType type(TypeKind::kRow);
  type.nested_ = std::make_shared<Nested>(Nested{std::move(fields), {}, {}, std::move(class_name)});
  return type;
}

DataType DataType::as_nullable(bool nullable) const {
  DataType copy = *this;
  copy.nullable_ = nullable;
  return copy;
}

DataType DataType::with_time_attribute(TimeAttribute attribute) const {
  DataType copy = *this;
  copy.attribute_ = attribute;
  return copy;
}

const std::vector<Field>& DataType::fields() const {
  check(is_nested(), "fields of a type that is not nested");
  return nested_->fields;
}

size_t DataType::child_count() const {
  return is_nested() ? nested_->fields.size() : 0;
}

const DataType& DataType::child(size_t index) const {
  return fields().at(index).type;
}

const std::string& DataType::class_name() const {
  static const std::string kNone;
  return kind_ == TypeKind::kRow ? nested_->class_name : kNone;
}

const std::string& DataType::interval_leading() const {
  check(is_interval(), "interval units of another type");
  return nested_->leading;
}

const std::string& DataType::interval_trailing() const {
  check(is_interval(), "interval units of another type");
  return nested_->trailing;
}

PhysicalKind DataType::physical() const {
  switch (kind_) {
    case TypeKind::kNull:
    case TypeKind::kBoolean:
      return PhysicalKind::kBool;
    case TypeKind::kTinyInt:
      return PhysicalKind::kInt8;
    case TypeKind::kSmallInt:
      return PhysicalKind::kInt16;
    case TypeKind::kInt:
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kIntervalYearMonth:
      return PhysicalKind::kInt32;
    case TypeKind::kBigInt:
    case TypeKind::kIntervalDayTime:
      return PhysicalKind::kInt64;
    case TypeKind::kFloat:
      return PhysicalKind::kFloat;
    case TypeKind::kDouble:
      return PhysicalKind::kDouble;
    case TypeKind::kDecimal:
      return PhysicalKind::kInt128;
    case TypeKind::kChar:
    case TypeKind::kVarChar:
    case TypeKind::kBinary:
    case TypeKind::kVarBinary:
    case TypeKind::kBitmap:
    case TypeKind::kVariant:
      return PhysicalKind::kString;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return length_ <= 3 ? PhysicalKind::kInt64 : PhysicalKind::kInt128;
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kMultiset:
      return PhysicalKind::kList;
    case TypeKind::kRow:
      return PhysicalKind::kStruct;
    case TypeKind::kOpaque:
      return PhysicalKind::kHandle;
  }
  unreachable("type kind");
}

bool DataType::equals_ignoring_nullability(const DataType& other) const {
  if (kind_ != other.kind_ || length_ != other.length_ || scale_ != other.scale_) {
    return false;
  }
  return !is_nested() || (class_name() == other.class_name() &&
                          same_fields_ignoring_outer_nullability(*this, other));
}

bool DataType::operator==(const DataType& other) const {
  return nullable_ == other.nullable_ && equals_ignoring_nullability(other);
}

std::string DataType::spell_nested(bool serializable) const {
  switch (kind_) {
    case TypeKind::kArray:
      return fmt::format("ARRAY<{}>", child(0).spell(serializable));
    case TypeKind::kMap:
      return fmt::format("MAP<{}, {}>", child(0).spell(serializable), child(1).spell(serializable));
    case TypeKind::kMultiset:
      return fmt::format("MULTISET<{}>", child(0).spell(serializable));
    default: {
      std::string text = "ROW<";
      if (is_structured()) {
        text = fmt::format("STRUCTURED<'{}'{}", class_name(), fields().empty() ? "" : ", ");
      }
      for (const Field& field : fields()) {
        text += fmt::format("{}{} {}",
                            &field == fields().data() ? "" : ", ",
                            quote_identifier(field.name),
                            field.type.spell(serializable));
        if (!field.description.empty()) {
          text += " " + quote_text(field.description);
        }
      }
      return text + ">";
    }
  }
}

std::string DataType::spell_interval() const {
  const std::string& leading = nested_->leading;
  const std::string& trailing = nested_->trailing;
  std::string text = "INTERVAL " + leading;
  const bool has_precision =
      kind_ == TypeKind::kIntervalYearMonth ? leading != "MONTH" : leading == "DAY";
  if (has_precision) {
    text += fmt::format("({})", length_);
  }
  if (trailing != leading) {
    text += " TO " + trailing;
  }
  if (trailing == "SECOND") {
    text += fmt::format("({})", scale_);
  }
  return text;
}

std::string DataType::spell_kind(bool serializable) const {
  switch (kind_) {
    case TypeKind::kDecimal:
      return fmt::format("DECIMAL({}, {})", length_, scale_);
    case TypeKind::kChar:
      return fmt::format("CHAR({})", length_);
    case TypeKind::kVarChar:
      return length_ == kMaxLength && !serializable ? "STRING"
                                                    : fmt::format("VARCHAR({})", length_);
    case TypeKind::kBinary:
      return fmt::format("BINARY({})", length_);
    case TypeKind::kVarBinary:
      return length_ == kMaxLength && !serializable ? "BYTES"
                                                    : fmt::format("VARBINARY({})", length_);
    case TypeKind::kTime:
      return fmt::format("TIME({})", length_);
    case TypeKind::kTimestamp:
      return fmt::format("TIMESTAMP({})", length_);
    case TypeKind::kTimestampLtz:
      return serializable ? fmt::format("TIMESTAMP({}) WITH LOCAL TIME ZONE", length_)
                          : fmt::format("TIMESTAMP_LTZ({})", length_);
    case TypeKind::kIntervalYearMonth:
    case TypeKind::kIntervalDayTime:
      return spell_interval();
    case TypeKind::kOpaque:
      return "RAW('[B', ...)";
    default:
      return is_nested() ? spell_nested(serializable) : std::string(plain_name(kind_));
  }
}

std::string DataType::spell(bool serializable) const {
  std::string text = spell_kind(serializable);
  if (!serializable && attribute_ == TimeAttribute::kEventTime) {
    text += " *ROWTIME*";
  } else if (!serializable && attribute_ == TimeAttribute::kProcessingTime) {
    text += " *PROCTIME*";
  }
  return nullable_ || kind_ == TypeKind::kNull ? text : text + " NOT NULL";
}

std::string DataType::to_string() const {
  return spell(false);
}

std::string DataType::to_serializable_string() const {
  return spell(true);
}

std::string quote_identifier(std::string_view name) {
  std::string text = "`";
  for (const char c : name) {
    text += c;
    if (c == '`') {
      text += c;
    }
  }
  return text + "`";
}

}  // namespace thalweg
