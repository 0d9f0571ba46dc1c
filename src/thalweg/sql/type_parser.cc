#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "thalweg/common/nearest_name.h"
#include "thalweg/sql/grammar.h"

namespace thalweg::sql {

namespace {

using SimpleType = DataType (*)();

constexpr std::array<std::pair<std::string_view, SimpleType>, 12> kSimpleTypes = {{
    {"BOOLEAN", &DataType::boolean},
    {"TINYINT", &DataType::tiny_int},
    {"SMALLINT", &DataType::small_int},
    {"INT", &DataType::integer},
    {"INTEGER", &DataType::integer},
    {"BIGINT", &DataType::big_int},
    {"FLOAT", &DataType::float32},
    {"STRING", &DataType::string},
    {"BYTES", &DataType::bytes},
    {"DATE", &DataType::date},
    {"BITMAP", &DataType::bitmap},
    {"VARIANT", &DataType::variant},
}};

/// `(n)`, or nothing.
std::optional<int32_t> parse_length(TokenCursor& cursor) {
  if (!cursor.accept(TokenKind::kLeftParen)) {
    return std::nullopt;
  }
  const int32_t length = cursor.unsigned_int();
  cursor.expect(TokenKind::kRightParen, ")");
  return length;
}

[[noreturn]] void refuse(const TokenCursor& cursor, size_t first, std::string message) {
  throw Error(ErrorCode::kTypeMismatch, std::move(message)).at(cursor.since(first));
}

int32_t parse_positive_length(TokenCursor& cursor, int32_t otherwise, std::string_view type) {
  const size_t first = cursor.index();
  const int32_t length = parse_length(cursor).value_or(otherwise);
  if (length < 1) {
    refuse(
        cursor,
        first,
        fmt::format("The length of {} must be between 1 and 2147483647, but is {}", type, length));
  }
  return length;
}

/// More digits than a type has are cut to those, as Calcite does.
int32_t parse_fraction(TokenCursor& cursor, int32_t otherwise, int32_t most) {
  return std::min(parse_length(cursor).value_or(otherwise), most);
}

constexpr int32_t kMaxDecimalPrecision = 38;
/// TIME keeps milliseconds, timestamps nanoseconds.
constexpr int32_t kMaxTimePrecision = 3;
constexpr int32_t kMaxTimestampPrecision = 9;

DataType parse_decimal(TokenCursor& cursor) {
  const size_t first = cursor.index();
  int32_t precision = 10;
  int32_t scale = 0;
  if (cursor.accept(TokenKind::kLeftParen)) {
    precision = cursor.unsigned_int();
    if (cursor.accept(TokenKind::kComma)) {
      scale = cursor.unsigned_int();
    }
    cursor.expect(TokenKind::kRightParen, ")");
  }
  precision = std::min(precision, kMaxDecimalPrecision);
  if (precision < 1 || scale > precision) {
    refuse(cursor,
           first,
           fmt::format(
               "Decimal precision must be between 1 and 38 and scale between 0 and the precision, "
               "but is DECIMAL({}, {})",
               precision,
               scale));
  }
  return DataType::decimal(precision, scale);
}

DataType parse_time(TokenCursor& cursor) {
  const int32_t precision = parse_fraction(cursor, 0, kMaxTimePrecision);
  cursor.accept_all({"WITHOUT", "TIME", "ZONE"});
  return DataType::time(precision);
}

DataType parse_timestamp(TokenCursor& cursor, size_t first) {
  const int32_t precision = parse_fraction(cursor, 6, kMaxTimestampPrecision);
  if (cursor.accept_all({"WITH", "LOCAL", "TIME", "ZONE"})) {
    return DataType::timestamp_ltz(precision);
  }
  if (cursor.accept_all({"WITH", "TIME", "ZONE"})) {
    throw Error(ErrorCode::kNotSupported, "Type is not supported: TIMESTAMP WITH TIME ZONE")
        .at(cursor.since(first))
        .hint("use TIMESTAMP_LTZ, which is TIMESTAMP WITH LOCAL TIME ZONE");
  }
  cursor.accept_all({"WITHOUT", "TIME", "ZONE"});
  return DataType::timestamp(precision);
}

DataType parse_interval_type(TokenCursor& cursor) {
  const IntervalQualifier qualifier = parse_interval_qualifier(cursor);
  std::string leading(to_string(qualifier.leading));
  std::string trailing(to_string(qualifier.trailing.value_or(qualifier.leading)));
  if (qualifier.is_year_month()) {
    return DataType::interval_year_month(std::move(leading), std::move(trailing));
  }
  const int32_t fraction = qualifier.fraction_precision < 0 ? 6 : qualifier.fraction_precision;
  return DataType::interval_day_time(std::move(leading), std::move(trailing), fraction);
}

DataType parse_element(TokenCursor& cursor) {
  cursor.expect(TokenKind::kLess, "<");
  DataType element = parse_nullable_type(cursor);
  cursor.expect(TokenKind::kGreater, ">");
  return element;
}

DataType parse_map_type(TokenCursor& cursor) {
  cursor.expect(TokenKind::kLess, "<");
  DataType key = parse_nullable_type(cursor);
  cursor.expect(TokenKind::kComma, ",");
  DataType value = parse_nullable_type(cursor);
  cursor.expect(TokenKind::kGreater, ">");
  return DataType::map(std::move(key), std::move(value));
}

Field parse_row_field(TokenCursor& cursor) {
  Field field;
  field.name = cursor.name("a field name").text;
  field.type = parse_nullable_type(cursor);
  if (cursor.at(TokenKind::kString)) {
    field.description = cursor.next().text;
  }
  return field;
}

void require_unique_names(const TokenCursor& cursor,
                          size_t first,
                          const std::vector<Field>& fields) {
  std::set<std::string_view> names;
  for (const Field& field : fields) {
    if (!names.insert(field.name).second) {
      refuse(cursor,
             first,
             fmt::format("Field names must be unique. Found duplicates: [{}]", field.name));
    }
  }
}

/// ROW<a INT, b STRING> or ROW(a INT, b STRING); `<>` is one token.
DataType parse_row_type(TokenCursor& cursor) {
  std::vector<Field> fields;
  const size_t first = cursor.index();
  if (cursor.accept(TokenKind::kNotEquals)) {
    return DataType::row({});
  }
  const bool angle = cursor.accept(TokenKind::kLess);
  if (!angle) {
    cursor.expect(TokenKind::kLeftParen, "< or (");
  }
  const TokenKind close = angle ? TokenKind::kGreater : TokenKind::kRightParen;
  if (!cursor.at(close)) {
    do {
      fields.push_back(parse_row_field(cursor));
    } while (cursor.accept(TokenKind::kComma));
  }
  cursor.expect(close, angle ? ">" : ")");
  require_unique_names(cursor, first, fields);
  return DataType::row(std::move(fields));
}

/// STRUCTURED<'com.example.User', name STRING, age INT>.
DataType parse_structured_type(TokenCursor& cursor) {
  cursor.expect(TokenKind::kLess, "<");
  const size_t first = cursor.index();
  if (!cursor.at(TokenKind::kString)) {
    cursor.unexpected("a class name in quotes");
  }
  const std::string class_name = cursor.next().text;
  const SourcePosition position = cursor.since(first);
  std::vector<Field> fields;
  while (cursor.accept(TokenKind::kComma)) {
    fields.push_back(parse_row_field(cursor));
  }
  cursor.expect(TokenKind::kGreater, ">");
  try {
    return DataType::structured(class_name, std::move(fields));
  } catch (Error& error) {
    throw std::move(error).at(position);
  }
}

std::optional<DataType> parse_string_type(TokenCursor& cursor) {
  if (cursor.accept_all({"CHARACTER", "VARYING"}) || cursor.accept_all({"CHAR", "VARYING"}) ||
      cursor.accept("VARCHAR")) {
    return DataType::varchar(parse_positive_length(cursor, kMaxLength, "VARCHAR"));
  }
  if (cursor.accept("CHAR") || cursor.accept("CHARACTER")) {
    return DataType::character(parse_positive_length(cursor, 1, "CHAR"));
  }
  if (cursor.accept_all({"BINARY", "VARYING"}) || cursor.accept("VARBINARY")) {
    return DataType::varbinary(parse_positive_length(cursor, kMaxLength, "VARBINARY"));
  }
  if (cursor.accept("BINARY")) {
    return DataType::binary(parse_positive_length(cursor, 1, "BINARY"));
  }
  return std::nullopt;
}

std::optional<DataType> parse_time_type(TokenCursor& cursor) {
  const size_t first = cursor.index();
  if (cursor.accept("TIME")) {
    return parse_time(cursor);
  }
  if (cursor.accept("TIMESTAMP")) {
    return parse_timestamp(cursor, first);
  }
  if (cursor.accept("TIMESTAMP_LTZ")) {
    return DataType::timestamp_ltz(parse_fraction(cursor, 6, kMaxTimestampPrecision));
  }
  if (cursor.accept("INTERVAL")) {
    return parse_interval_type(cursor);
  }
  return std::nullopt;
}

std::optional<DataType> parse_nested_type(TokenCursor& cursor) {
  if (cursor.at("ARRAY") && cursor.at(TokenKind::kLess, 1)) {
    cursor.next();
    return DataType::array(parse_element(cursor));
  }
  if (cursor.at("MULTISET") && cursor.at(TokenKind::kLess, 1)) {
    cursor.next();
    return DataType::multiset(parse_element(cursor));
  }
  if (cursor.at("MAP") && cursor.at(TokenKind::kLess, 1)) {
    cursor.next();
    return parse_map_type(cursor);
  }
  if (cursor.accept("ROW")) {
    return parse_row_type(cursor);
  }
  if (cursor.at("STRUCTURED") && cursor.at(TokenKind::kLess, 1)) {
    cursor.next();
    return parse_structured_type(cursor);
  }
  return std::nullopt;
}

/// What a misspelt type may have meant.
const std::array<std::string, 26> kTypeNames{
    "CHAR",    "VARCHAR",  "STRING",  "BOOLEAN",  "BINARY",    "VARBINARY",     "BYTES",
    "DECIMAL", "NUMERIC",  "TINYINT", "SMALLINT", "INT",       "INTEGER",       "BIGINT",
    "FLOAT",   "DOUBLE",   "DATE",    "TIME",     "TIMESTAMP", "TIMESTAMP_LTZ", "INTERVAL",
    "ARRAY",   "MULTISET", "MAP",     "ROW",      "VARIANT"};

[[noreturn]] void refuse_type(TokenCursor& cursor) {
  const size_t first = cursor.index();
  if (cursor.at_any({"RAW", "REAL", "STRUCTURED", "DESCRIPTOR", "BLOB", "CLOB"}) ||
      cursor.at_name()) {
    const Token token = cursor.next();
    Error error(ErrorCode::kNotSupported, "Type is not supported: " + token.text);
    static_cast<void>(std::move(error).at(cursor.since(first)));
    if (const std::string near = nearest_name(token.text, kTypeNames); !near.empty()) {
      static_cast<void>(std::move(error).hint(fmt::format("Did you mean {}?", near)));
    }
    throw error;
  }
  cursor.unexpected("a data type");
}

DataType parse_base_type(TokenCursor& cursor) {
  for (const auto& [word, make] : kSimpleTypes) {
    if (cursor.accept(word)) {
      return make();
    }
  }
  if (cursor.accept("DOUBLE")) {
    cursor.accept("PRECISION");
    return DataType::float64();
  }
  if (cursor.accept("DECIMAL") || cursor.accept("DEC") || cursor.accept("NUMERIC")) {
    return parse_decimal(cursor);
  }
  if (cursor.accept("NULL")) {
    return DataType::null();
  }
  using TypeParser = std::optional<DataType> (*)(TokenCursor&);
  for (const TypeParser parser : {&parse_string_type, &parse_time_type, &parse_nested_type}) {
    if (std::optional<DataType> type = parser(cursor)) {
      return *type;
    }
  }
  refuse_type(cursor);
}

bool parse_nullability(TokenCursor& cursor) {
  if (cursor.accept_all({"NOT", "NULL"})) {
    return false;
  }
  cursor.accept("NULL");
  return true;
}

/// `INT ARRAY`, `INT NOT NULL MULTISET`: the collection's word after its element.
bool at_collection_suffix(const TokenCursor& cursor) {
  const size_t skip = cursor.at_all({"NOT", "NULL"}) ? 2 : 0;
  return cursor.at("ARRAY", skip) || cursor.at("MULTISET", skip);
}

}  // namespace

DataType parse_type(TokenCursor& cursor) {
  const TokenCursor::Nesting nesting(cursor);
  DataType type = parse_base_type(cursor);
  while (at_collection_suffix(cursor)) {
    type = type.as_nullable(parse_nullability(cursor));
    type =
        cursor.accept("ARRAY") ? DataType::array(type) : (cursor.next(), DataType::multiset(type));
  }
  return type;
}

DataType parse_nullable_type(TokenCursor& cursor) {
  DataType type = parse_type(cursor);
  return type.as_nullable(parse_nullability(cursor));
}

}  // namespace thalweg::sql
