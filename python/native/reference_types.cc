// What the page of types is made of: every SQL type with its place in a column, and the casts.
#include "reference_types.h"

#include <limits>

#include <nanobind/stl/string.h>

#include "thalweg/expression/type_inference.h"
#include "thalweg/types/text.h"
#include "thalweg/types/value.h"
#include "thalweg/types/variant_builder.h"

namespace nb = nanobind;

namespace thalweg::binding {

namespace {

struct Sample {
  /// Without parameters, as in the table of casts.
  const char* name;
  const char* spelling;
  DataType type;
  Value value;
};

Value integer(int64_t value) {
  return Value(value);
}

Value text_value(const char* value) {
  return Value(std::string(value));
}

/// Of 1 and 3.
Value bitmap_value() {
  constexpr std::string_view kArray("\x3a\x30\0\0\1\0\0\0\0\0\1\0\x10\0\0\0\1\0\3\0", 20);
  return Value(std::string(kArray));
}

/// {"a": 1}.
Value variant_value() {
  variant::Builder builder;
  std::vector<variant::Builder::Entry> entries{{builder.key("a"), 0}};
  builder.append_integer(1);
  builder.finish_object(0, entries, 0, false);
  std::string bytes;
  builder.finish(bytes);
  return Value(std::move(bytes));
}

std::vector<Sample> samples() {
  const Int128 nanos = Int128{1'710'506'096} * 1'000'000'000 + 123'456'789;
  const DataType entry = DataType::row({{"a", DataType::integer()}, {"b", DataType::string()}});
  return {
      {"BOOLEAN", "BOOLEAN", DataType::boolean(), Value(true)},
      {"TINYINT", "TINYINT", DataType::tiny_int(), integer(-128)},
      {"SMALLINT", "SMALLINT", DataType::small_int(), integer(-32768)},
      {"INT", "INT, INTEGER", DataType::integer(), integer(42)},
      {"BIGINT", "BIGINT", DataType::big_int(), integer(42)},
      {"FLOAT", "FLOAT", DataType::float32(), Value(1.5)},
      {"DOUBLE", "DOUBLE, DOUBLE PRECISION", DataType::float64(), Value(1.5e10)},
      {"DECIMAL", "DECIMAL(p, s), DEC, NUMERIC", DataType::decimal(10, 2), Value(Int128{123456})},
      {"CHAR", "CHAR(n)", DataType::character(5), text_value("ab   ")},
      {"STRING", "VARCHAR(n), STRING", DataType::string(), text_value("größe")},
      {"BINARY", "BINARY(n)", DataType::binary(3), text_value("abc")},
      {"BYTES", "VARBINARY(n), BYTES", DataType::bytes(), text_value("abc")},
      {"DATE", "DATE", DataType::date(), integer(19797)},
      {"TIME", "TIME(p)", DataType::time(), integer(45'296'000)},
      {"TIMESTAMP", "TIMESTAMP(p) [WITHOUT TIME ZONE]", DataType::timestamp(9), Value(nanos)},
      {"TIMESTAMP_LTZ",
       "TIMESTAMP_LTZ(p), TIMESTAMP(p) WITH LOCAL TIME ZONE",
       DataType::timestamp_ltz(3),
       integer(1'710'506'096'123)},
      {"INTERVAL YEAR",
       "INTERVAL YEAR(p) TO MONTH",
       DataType::interval_year_month("YEAR", "MONTH"),
       integer(14)},
      {"INTERVAL DAY",
       "INTERVAL DAY(p) TO SECOND(f)",
       DataType::interval_day_time("DAY", "SECOND"),
       integer(93'784'005)},
      {"ARRAY",
       "ARRAY<t>, t ARRAY",
       DataType::array(DataType::integer()),
       Value(ValueList{integer(1), Value(), integer(3)})},
      {"MAP",
       "MAP<k, v>",
       DataType::map(DataType::string(), DataType::integer()),
       Value(ValueList{text_value("a"), integer(1), text_value("b"), Value()})},
      {"MULTISET",
       "MULTISET<t>, t MULTISET",
       DataType::multiset(DataType::string()),
       Value(ValueList{text_value("a"), integer(2)})},
      {"ROW",
       "ROW<name t, ...>, ROW(name t, ...)",
       entry,
       Value(ValueList{integer(1), text_value("x")})},
      {"STRUCTURED",
       "STRUCTURED<'class', name t, ...>",
       DataType::structured("c", entry.fields()),
       Value(ValueList{integer(1), text_value("x")})},
      {"BITMAP", "BITMAP", DataType::bitmap(), bitmap_value()},
      {"VARIANT", "VARIANT", DataType::variant(), variant_value()},
  };
}

template <typename T>
std::string limits() {
  return fmt::format("{} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

/// No default: a new type gets its line here.
std::string range_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBoolean:
      return "TRUE, FALSE, or UNKNOWN, which is NULL";
    case TypeKind::kTinyInt:
      return limits<int8_t>();
    case TypeKind::kSmallInt:
      return limits<int16_t>();
    case TypeKind::kInt:
      return limits<int32_t>();
    case TypeKind::kBigInt:
      return limits<int64_t>();
    case TypeKind::kFloat:
      return "IEEE 754 of 32 bits; 7 digits";
    case TypeKind::kDouble:
      return "IEEE 754 of 64 bits; 15 digits";
    case TypeKind::kDecimal:
      return "p digits, 1 to 38 (10), s of them behind the point, 0 to p (0)";
    case TypeKind::kChar:
      return "n characters, filled with spaces; n from 1 (1)";
    case TypeKind::kVarChar:
      return fmt::format("up to n characters of UTF-8; n from 1 (1); STRING is {}", kMaxLength);
    case TypeKind::kBinary:
      return "n bytes, filled with zeros; n from 1 (1)";
    case TypeKind::kVarBinary:
      return fmt::format("up to n bytes; n from 1 (1); BYTES is {}", kMaxLength);
    case TypeKind::kDate:
      return "0000-01-01 to 9999-12-31 as text; days since 1970-01-01";
    case TypeKind::kTime:
      return "00:00:00.000 to 23:59:59.999; p from 0 to 3 (0) fraction digits, more count as "
             "three";
    case TypeKind::kTimestamp:
      return "years 0000 to 9999 as text; p from 0 to 9 (6) fraction digits";
    case TypeKind::kTimestampLtz:
      return "as TIMESTAMP; an instant, shown in the zone of table.local-time-zone";
    case TypeKind::kIntervalYearMonth:
      return "months, in 32 bits; p from 1 to 4 (2)";
    case TypeKind::kIntervalDayTime:
      return "milliseconds, in 64 bits; p from 1 to 6 (2), f from 0 to 9 (6)";
    case TypeKind::kBitmap:
      return "sets of unsigned 32-bit integers, compressed; INT stands for the number with its "
             "bits";
    case TypeKind::kVariant:
      return "what JSON has; whole numbers in the smallest integer type, others as DECIMAL of up "
             "to 38 digits or DOUBLE; up to 16 MiB";
    case TypeKind::kArray:
    case TypeKind::kMap:
    case TypeKind::kMultiset:
    case TypeKind::kRow:
    case TypeKind::kNull:
    case TypeKind::kOpaque:
      return "";
  }
  return "";
}

const char* stored_as(const DataType& type) {
  const bool is_number = type.is_numeric();
  switch (type.physical()) {
    case PhysicalKind::kBool:
      return "a byte";
    case PhysicalKind::kInt8:
    case PhysicalKind::kInt16:
      return "an integer";
    case PhysicalKind::kInt32:
      return is_number                        ? "an integer"
             : type.kind() == TypeKind::kDate ? "days"
             : type.kind() == TypeKind::kTime ? "milliseconds of the day"
                                              : "months";
    case PhysicalKind::kInt64:
      return is_number ? "an integer" : "milliseconds";
    case PhysicalKind::kInt128:
      return is_number ? "an integer without its point" : "nanoseconds";
    case PhysicalKind::kFloat:
    case PhysicalKind::kDouble:
      return "a floating number";
    case PhysicalKind::kString:
      return "a view: up to 12 bytes in place, longer ones in a heap of the column";
    case PhysicalKind::kList:
      return "the end of its part of the elements' own column";
    case PhysicalKind::kStruct:
      return "a column for each field";
    case PhysicalKind::kHandle:
      return "a handle";
  }
  return "";
}

/// One place in a column, with the other width of a timestamp beside it.
std::string place_of(const DataType& type) {
  if (!type.is_timestamp()) {
    return stored_as(type);
  }
  const DataType few =
      type.kind() == TypeKind::kTimestamp ? DataType::timestamp(3) : DataType::timestamp_ltz(3);
  const DataType many =
      type.kind() == TypeKind::kTimestamp ? DataType::timestamp(4) : DataType::timestamp_ltz(4);
  return fmt::format("{}, {} bytes, for p up to 3; {}, {} bytes, beyond",
                     stored_as(few),
                     width_of(few.physical()),
                     stored_as(many),
                     width_of(many.physical()));
}

std::string text_of(const Sample& sample) {
  std::string shown;
  text::append_value(shown,
                     *constant_column(sample.type, sample.value, 1),
                     0,
                     text::Style::kCast,
                     TimeZone::find("UTC"));
  return shown;
}

}  // namespace

nb::list reference_types() {
  nb::list result;
  for (const Sample& sample : samples()) {
    const std::string bytes =
        sample.type.is_timestamp() ? "" : std::to_string(width_of(sample.type.physical()));
    result.append(nb::make_tuple(sample.name,
                                 sample.spelling,
                                 range_of(sample.type.kind()),
                                 place_of(sample.type),
                                 bytes,
                                 text_of(sample)));
  }
  return result;
}

nb::list reference_casts() {
  nb::list result;
  const std::vector<Sample> all = samples();
  for (const Sample& source : all) {
    for (const Sample& target : all) {
      if (!expression::can_cast(source.type, target.type)) {
        continue;
      }
      const char* kind = expression::can_implicitly_cast(source.type, target.type) ? "implicit"
                         : expression::cast_can_fail(source.type, target.type)     ? "checked"
                                                                                   : "total";
      result.append(nb::make_tuple(source.name, target.name, kind));
    }
  }
  return result;
}

}  // namespace thalweg::binding
