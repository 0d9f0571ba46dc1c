#include "functions/differential/values.h"

#include <cmath>
#include <limits>

#include "thalweg/types/column_builder.h"
#include "thalweg/types/column_operations.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions::differential {

namespace {

/// Numbers, times, documents, patterns and addresses as text, and plain text of all widths.
constexpr const char* kTexts[] = {
    "",
    " ",
    "a",
    "abc",
    "ABC def",
    "twelve chars",
    "thirteen chars",
    "a longer text, with comma, and more of it",
    "ünïcode ☃ and 😀",
    "ß",
    "pear,apple,,fig",
    "k1=v1,k2=v2",
    "12",
    "-7",
    "+3",
    " 42 ",
    "3.75",
    "-0.5",
    ".5",
    "1e3",
    "1.5E-2",
    "127",
    "128",
    "2147483648",
    "9223372036854775808",
    "99999999999999999999999999999999999999",
    "NaN",
    "Infinity",
    "true",
    "FALSE",
    "yes",
    "2024-02-29",
    "2023-02-29",
    "1999-12-31 23:59:59",
    "2024-03-31 02:30:00.123",
    "12:34:56",
    "2024-1-2",
    "{\"a\": 1, \"b\": [1, 2.50, \"x\"]}",
    "{\"a\": {\"b\": null}}",
    "[1, \"two\", null]",
    "{\"a\": ",
    "null",
    "\"text\"",
    "$.a",
    "lax $.b[0]",
    "$",
    "%b%",
    "a_c",
    "[a-c]+",
    "(\\w+),(\\w*)",
    "(",
    "yyyy-MM-dd",
    "HH:mm",
    "%s-%d",
    "https://host.example/path/file?q=1&r=two#frag",
    "HOST",
    "192.168.1.254",
    "aGVsbG8=",
    "4a4B",
    "UTF-8",
    "Europe/Berlin",
    "a%20b+c",
    "f0",
};

int64_t random_integer(int64_t low, int64_t high, Random& random) {
  switch (random.below(4)) {
    case 0: {
      const int64_t edges[] = {0, 1, -1, 2, low, high, low + 1, high - 1};
      return random.pick(edges);
    }
    case 1:
    case 2:
      return random.between(-20, 50);
    default:
      // The whole range of 64 bits has no size that fits into them.
      return low == std::numeric_limits<int64_t>::min() ? static_cast<int64_t>(random.bits())
                                                        : random.between(low, high);
  }
}

double random_double(Random& random) {
  constexpr double kEdges[] = {0.0,
                               -0.0,
                               0.5,
                               -2.5,
                               0.1,
                               1e20,
                               -1e-5,
                               123456.789,
                               2147483648.0,
                               9.3e18,
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN(),
                               1e308,
                               5e-324};
  switch (random.below(3)) {
    case 0:
      return random.pick(kEdges);
    case 1:
      return static_cast<double>(random.between(-1000, 1000)) / 8;
    default:
      return static_cast<double>(random.between(-1'000'000'000, 1'000'000'000)) / 1000;
  }
}

Int128 random_decimal(const DataType& type, Random& random) {
  const Int128 limit = power_of_ten(type.precision());
  const Int128 unit = power_of_ten(type.scale());
  switch (random.below(4)) {
    case 0: {
      const Int128 edges[] = {0, 1, -1, limit - 1, 1 - limit, unit % limit, limit / 2};
      return random.pick(edges);
    }
    case 1:
      return (Int128{random.between(-30, 30)} * unit / 4) % limit;
    default: {
      const Int128 wide = (Int128{static_cast<int64_t>(random.bits())} << 64U) +
                          Int128{static_cast<int64_t>(random.bits() >> 1U)};
      return wide % power_of_ten(static_cast<int32_t>(
                        random.between(1, static_cast<int64_t>(type.precision()))));
    }
  }
}

std::string random_text(Random& random) {
  if (random.chance(70)) {
    return random.pick(kTexts);
  }
  std::string text;
  for (size_t left = random.below(20); left > 0; --left) {
    text += static_cast<char>(random.between('!', '~'));
  }
  return text;
}

/// The first `length` characters, which are never cut within their bytes.
std::string cut(const std::string& text, int32_t length) {
  size_t at = 0;
  for (int32_t left = length; left > 0 && at < text.size(); --left) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) {
      ++at;
    }
  }
  return text.substr(0, at);
}

Value random_characters(const DataType& type, Random& random) {
  std::string text = random_text(random);
  if (type.length() != kMaxLength) {
    text = cut(text, type.length());
    while (type.kind() == TypeKind::kChar && cut(text, type.length()) == text &&
           cut(text + " ", type.length()) != text) {
      text += ' ';
    }
  }
  return Value(std::move(text));
}

Value random_bytes(int32_t length, Random& random) {
  std::string bytes;
  for (int32_t i = 0; i < length; ++i) {
    bytes += static_cast<char>(random.chance(30) ? 0 : random.bits());
  }
  return Value(std::move(bytes));
}

int64_t random_ms(Random& random) {
  constexpr int64_t kEdges[] = {0,
                                -1,
                                1'711'846'800'000,
                                1'729'990'800'000,
                                951'782'400'000,
                                -62'135'596'800'000,
                                253'402'300'799'999,
                                // The last day of 32 bits, and beyond it.
                                185'542'587'187'199'999,
                                185'542'587'187'200'000,
                                -185'542'587'187'200'001,
                                4'000'000'000'000'000'000,
                                -4'000'000'000'000'000'000};
  return random.chance(25) ? random.pick(kEdges)
                           : random.between(-2'208'988'800'000, 4'102'444'800'000);
}

/// Without the digits that the type does not have.
Value random_timestamp(const DataType& type, Random& random) {
  const int64_t ms = random_ms(random);
  if (type.physical() == PhysicalKind::kInt64) {
    return Value(ms - ms % static_cast<int64_t>(power_of_ten(3 - type.precision())));
  }
  const int64_t nanos = random.between(0, 999'999);
  return Value(Int128{ms} * 1'000'000 + nanos - nanos % power_of_ten(9 - type.precision()));
}

Value random_list(const DataType& type, Random& random) {
  ValueList values;
  for (size_t left = random.below(4); left > 0; --left) {
    values.push_back(random_value(type.child(0), random));
  }
  return Value(std::move(values));
}

Value random_map(const DataType& type, Random& random) {
  ValueList values;
  for (size_t left = random.below(4); left > 0; --left) {
    Value key = random_value(type.child(0).not_null(), random);
    bool is_new = true;
    for (size_t i = 0; i < values.size(); i += 2) {
      is_new = is_new && !(values[i] == key);
    }
    if (is_new) {
      values.push_back(std::move(key));
      values.push_back(random_value(type.child(1), random));
    }
  }
  return Value(std::move(values));
}

Value random_row(const DataType& type, Random& random) {
  ValueList values;
  for (size_t i = 0; i < type.child_count(); ++i) {
    values.push_back(random_value(type.child(i), random));
  }
  return Value(std::move(values));
}

template <typename T>
Value integer_of(Random& random) {
  return Value(
      random_integer(std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), random));
}

}  // namespace

const std::vector<DataType>& sample_types() {
  static const std::vector<DataType> types = {
      DataType::boolean(),
      DataType::tiny_int(),
      DataType::small_int(),
      DataType::integer(),
      DataType::big_int(),
      DataType::float32(),
      DataType::float64(),
      DataType::decimal(10, 2),
      DataType::decimal(38, 18),
      DataType::decimal(20, 0),
      DataType::string(),
      DataType::character(3),
      DataType::varchar(5),
      DataType::bytes(),
      DataType::date(),
      DataType::time(),
      DataType::timestamp(3),
      DataType::timestamp(9),
      DataType::timestamp_ltz(3),
      DataType::interval_day_time("DAY", "SECOND"),
      DataType::interval_year_month("YEAR", "MONTH"),
      DataType::array(DataType::integer()),
      DataType::array(DataType::string()),
      DataType::map(DataType::string(), DataType::integer()),
      DataType::row({{"f0", DataType::integer()}, {"f1", DataType::string()}}),
      DataType::decimal(38, 0),
      DataType::decimal(38, 38),
      DataType::decimal(5, 5),
      DataType::binary(4),
      DataType::timestamp_ltz(9),
      DataType::array(DataType::array(DataType::decimal(10, 2))),
      DataType::array(DataType::row({{"a", DataType::timestamp(3)}, {"b", DataType::boolean()}})),
      DataType::map(DataType::integer(), DataType::array(DataType::string())),
  };
  return types;
}

DataType random_type(int depth, Random& random) {
  const auto length = [&random] { return static_cast<int32_t>(random.between(1, 12)); };
  const auto precision = [&random] { return static_cast<int32_t>(random.between(0, 9)); };
  const auto inner = [&random, depth] { return random_type(depth - 1, random); };
  switch (random.below(depth > 0 ? 13 : 10)) {
    case 0: {
      const auto digits = static_cast<int32_t>(random.between(1, 38));
      return DataType::decimal(digits, static_cast<int32_t>(random.between(0, digits)));
    }
    case 1:
      return DataType::character(length());
    case 2:
      return DataType::varchar(length());
    case 3:
      return DataType::binary(length());
    case 4:
      return DataType::varbinary(length());
    case 5:
      return DataType::timestamp(precision());
    case 6:
      return DataType::timestamp_ltz(precision());
    case 10:
      return DataType::array(inner());
    case 11:
      return DataType::map(inner().not_null(), inner());
    case 12:
      return DataType::row({{"p", inner()}, {"q", inner()}});
    default:
      return random.pick(sample_types());
  }
}

const Schema& sample_schema() {
  static const Schema schema = [] {
    Schema made;
    for (const DataType& type : sample_types()) {
      const std::string name = fmt::format("c{}", made.size() / 2);
      made.push_back({name, type});
      made.push_back({name + "_nn", type.not_null()});
    }
    return made;
  }();
  return schema;
}

Value random_value(const DataType& type, Random& random) {
  if (type.is_nullable() && random.chance(15)) {
    return {};
  }
  switch (type.kind()) {
    case TypeKind::kBoolean:
      return Value(random.chance(50));
    case TypeKind::kTinyInt:
      return integer_of<int8_t>(random);
    case TypeKind::kSmallInt:
      return integer_of<int16_t>(random);
    case TypeKind::kInt:
      return integer_of<int32_t>(random);
    case TypeKind::kBigInt:
      return integer_of<int64_t>(random);
    case TypeKind::kFloat:
      return Value(double{static_cast<float>(random_double(random))});
    case TypeKind::kDouble:
      return Value(random_double(random));
    case TypeKind::kDecimal:
      return Value(random_decimal(type, random));
    case TypeKind::kDate:
      return Value(random.chance(20) ? random.between(-719'162, 2'932'896)
                                     : random.between(-25'000, 47'000));
    case TypeKind::kTime:
      return Value(random.between(0, 86'399'999) / 1000 * 1000);
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampLtz:
      return random_timestamp(type, random);
    case TypeKind::kIntervalDayTime:
      return Value(random.between(-200'000'000, 200'000'000));
    case TypeKind::kIntervalYearMonth:
      return Value(random.between(-40, 40));
    case TypeKind::kArray:
      return random_list(type, random);
    case TypeKind::kMap:
      return random_map(type, random);
    case TypeKind::kRow:
      return random_row(type, random);
    case TypeKind::kBinary:
      return random_bytes(type.length(), random);
    default:
      return random_characters(type, random);
  }
}

Batch random_batch(const Schema& schema, int32_t rows, Random& random) {
  std::vector<ColumnPtr> columns;
  for (const Field& field : schema) {
    if (random.chance(15)) {
      columns.push_back(constant_column(field.type, random_value(field.type, random), rows));
      continue;
    }
    ColumnBuilder builder(field.type);
    for (int32_t row = 0; row < rows; ++row) {
      builder.append_value(random_value(field.type, random));
    }
    columns.push_back(builder.finish());
  }
  return Batch(rows, std::move(columns));
}

}  // namespace thalweg::functions::differential
