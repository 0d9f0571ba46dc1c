#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// The type roots of Flink SQL (its LogicalTypeRoot).
enum class TypeKind : uint8_t {
  kNull,
  kBoolean,
  kTinyInt,
  kSmallInt,
  kInt,
  kBigInt,
  kFloat,
  kDouble,
  kDecimal,
  kChar,
  kVarChar,
  kBinary,
  kVarBinary,
  kDate,
  kTime,
  kTimestamp,
  kTimestampLtz,
  kIntervalYearMonth,
  kIntervalDayTime,
  kArray,
  kMap,
  kMultiset,
  kRow,
  /// A set of unsigned 32-bit integers, as a serialized Roaring bitmap.
  kBitmap,
  /// A semi-structured value, in Flink's binary variant encoding: metadata, then value.
  kVariant,
  /// A Python object that the engine carries without looking inside (PyFlink's pickled bytes).
  kOpaque,
};

/// How a value of a type lies in a column's data buffer.
///
/// | physical  | bytes | used by |
/// | kBool     | 1     | BOOLEAN |
/// | kInt8..64 | 1..8  | TINYINT..BIGINT; INT32: DATE (days), TIME (ms of day), INTERVAL YEAR-MONTH
/// (months);
///                       INT64: INTERVAL DAY-TIME (ms), TIMESTAMP and TIMESTAMP_LTZ up to precision
///                       3 (ms) |
/// | kInt128   | 16    | DECIMAL (unscaled), TIMESTAMP and TIMESTAMP_LTZ of precision 4..9
/// (nanoseconds) | | kString   | 16    | CHAR, VARCHAR, BINARY, VARBINARY, BITMAP, VARIANT
/// (StringView) | | kList | 4     | ARRAY, MAP, MULTISET (offsets; a map has two children: keys and
/// values) | | kStruct   | 0     | ROW (children only) | | kHandle   | 8     | opaque objects |
enum class PhysicalKind : uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kInt128,
  kFloat,
  kDouble,
  kString,
  kList,
  kStruct,
  kHandle,
};

using Int128 = __int128;

/// Whether a timestamp column is a time attribute of its table.
enum class TimeAttribute : uint8_t { kNone, kEventTime, kProcessingTime };

inline constexpr int32_t kMaxLength = 2147483647;

class DataType;

/// A named field of a ROW type.
struct Field;

/// A SQL data type: an immutable value, cheap to copy. Equality includes nullability but not the
/// time attribute.
class DataType {
 public:
  /// NULL's own type.
  DataType() = default;

  static DataType null() { return {}; }

  static DataType boolean() { return DataType(TypeKind::kBoolean); }

  static DataType tiny_int() { return DataType(TypeKind::kTinyInt); }

  static DataType small_int() { return DataType(TypeKind::kSmallInt); }

  static DataType integer() { return DataType(TypeKind::kInt); }

  static DataType big_int() { return DataType(TypeKind::kBigInt); }

  static DataType float32() { return DataType(TypeKind::kFloat); }

  static DataType float64() { return DataType(TypeKind::kDouble); }

  static DataType decimal(int32_t precision, int32_t scale);

  static DataType character(int32_t length) { return DataType(TypeKind::kChar, length); }

  static DataType varchar(int32_t length) { return DataType(TypeKind::kVarChar, length); }

  static DataType string() { return varchar(kMaxLength); }

  static DataType binary(int32_t length) { return DataType(TypeKind::kBinary, length); }

  static DataType varbinary(int32_t length) { return DataType(TypeKind::kVarBinary, length); }

  static DataType bytes() { return varbinary(kMaxLength); }

  static DataType date() { return DataType(TypeKind::kDate); }

  static DataType time(int32_t precision = 0) { return DataType(TypeKind::kTime, precision); }

  static DataType timestamp(int32_t precision) { return DataType(TypeKind::kTimestamp, precision); }

  static DataType timestamp_ltz(int32_t precision) {
    return DataType(TypeKind::kTimestampLtz, precision);
  }

  /// `leading` and `trailing` are the units as written: "YEAR", "MONTH", "DAY", "HOUR", "MINUTE",
  /// "SECOND".
  static DataType interval_year_month(std::string leading, std::string trailing);
  static DataType interval_day_time(std::string leading,
                                    std::string trailing,
                                    int32_t fraction = 3);
  static DataType array(DataType element);
  static DataType map(DataType key, DataType value);
  static DataType multiset(DataType element);
  static DataType row(std::vector<Field> fields);
  /// STRUCTURED<'class_name', ...>: a row whose values are only comparable with those of its class.
  static DataType structured(std::string class_name, std::vector<Field> fields);

  static DataType bitmap() { return DataType(TypeKind::kBitmap); }

  static DataType variant() { return DataType(TypeKind::kVariant); }

  static DataType opaque() { return DataType(TypeKind::kOpaque); }

  TypeKind kind() const { return kind_; }

  bool is_nullable() const { return nullable_; }

  TimeAttribute time_attribute() const { return attribute_; }

  bool is_time_attribute() const { return attribute_ != TimeAttribute::kNone; }

  DataType as_nullable(bool nullable = true) const;

  DataType not_null() const { return as_nullable(false); }

  DataType with_time_attribute(TimeAttribute attribute) const;

  /// Characters, bytes, decimal digits or fraction digits, by kind.
  int32_t length() const { return length_; }

  int32_t precision() const { return length_; }

  int32_t scale() const { return scale_; }

  /// The element of ARRAY and MULTISET, key and value of MAP, fields of ROW.
  size_t child_count() const;
  const DataType& child(size_t index) const;
  const std::vector<Field>& fields() const;
  /// Of a structured type; empty for every other.
  const std::string& class_name() const;
  const std::string& interval_leading() const;
  const std::string& interval_trailing() const;

  PhysicalKind physical() const;

  bool is_integer() const { return kind_ >= TypeKind::kTinyInt && kind_ <= TypeKind::kBigInt; }

  bool is_approximate() const { return kind_ == TypeKind::kFloat || kind_ == TypeKind::kDouble; }

  bool is_numeric() const { return kind_ >= TypeKind::kTinyInt && kind_ <= TypeKind::kDecimal; }

  bool is_character() const { return kind_ == TypeKind::kChar || kind_ == TypeKind::kVarChar; }

  bool is_binary() const { return kind_ == TypeKind::kBinary || kind_ == TypeKind::kVarBinary; }

  bool is_timestamp() const {
    return kind_ == TypeKind::kTimestamp || kind_ == TypeKind::kTimestampLtz;
  }

  bool is_interval() const {
    return kind_ == TypeKind::kIntervalYearMonth || kind_ == TypeKind::kIntervalDayTime;
  }

  bool is_structured() const { return kind_ == TypeKind::kRow && !class_name().empty(); }

  bool is_nested() const { return kind_ >= TypeKind::kArray && kind_ <= TypeKind::kRow; }

  /// True when both have one kind and parameters, whatever their nullability.
  bool equals_ignoring_nullability(const DataType& other) const;
  bool operator==(const DataType& other) const;

  /// Flink's summary text, for example "ROW<`a` INT NOT NULL, `b` STRING>" or "TIMESTAMP(3)
  /// *ROWTIME* NOT NULL".
  std::string to_string() const;

  /// As to_string, but VARCHAR(2147483647) instead of STRING and so on (SHOW CREATE TABLE's
  /// spelling).
  std::string to_serializable_string() const;

 private:
  struct Nested;

  explicit DataType(TypeKind kind, int32_t length = 0, int32_t scale = 0)
      : kind_(kind), length_(length), scale_(scale) {}

  std::string spell(bool serializable) const;
  std::string spell_kind(bool serializable) const;
  std::string spell_interval() const;
  std::string spell_nested(bool serializable) const;

  TypeKind kind_ = TypeKind::kNull;
  bool nullable_ = true;
  TimeAttribute attribute_ = TimeAttribute::kNone;
  int32_t length_ = 0;
  int32_t scale_ = 0;
  std::shared_ptr<const Nested> nested_;
};

struct Field {
  std::string name;
  DataType type;
  std::string description = {};

  bool operator==(const Field&) const = default;
};

/// The columns of a table or batch.
using Schema = std::vector<Field>;

/// Back-quoted, with inner back quotes doubled.
std::string quote_identifier(std::string_view name);

}  // namespace thalweg
