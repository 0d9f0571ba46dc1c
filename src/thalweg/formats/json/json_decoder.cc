#include "thalweg/formats/json/json_decoder.h"

#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
// The one file that includes simdjson: its header costs seconds to compile.
#include <simdjson.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/json/json_text.h"
#include "thalweg/formats/number_text.h"
#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

namespace ondemand = simdjson::ondemand;

/// What became of one value.
enum class Outcome : uint8_t {
  kDone,
  /// JSON, but not what the column's type takes: NULL when errors are ignored.
  kUnfit,
  /// Not JSON: the record is lost.
  kBroken,
};

/// Where in a row a member of a record goes.
struct Member {
  std::string key;
  /// The field's index, or -1 when nobody wants it.
  int32_t field = -1;
};

/// One type's way from JSON, with those of its children. The members seen last are remembered in
/// order: records of a topic mostly look alike, so the next key is found by one comparison.
struct Node {
  DataType type;
  std::vector<Node> children;
  /// Of ROW: the index of each field by name.
  std::unordered_map<std::string, int32_t> fields;
  std::vector<Member> layout;
};

Node make_node(const DataType& type) {
  Node node{type, {}, {}, {}};
  for (size_t i = 0; i < type.child_count(); ++i) {
    node.children.push_back(make_node(type.child(i)));
    if (type.kind() == TypeKind::kRow) {
      node.fields[type.fields()[i].name] = static_cast<int32_t>(i);
    }
  }
  return node;
}

bool has_decimal(const DataType& type) {
  if (type.kind() == TypeKind::kDecimal) {
    return true;
  }
  for (size_t i = 0; i < type.child_count(); ++i) {
    if (has_decimal(type.child(i))) {
      return true;
    }
  }
  return false;
}

bool is_number_start(char c) {
  return c == '-' || (c >= '0' && c <= '9');
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

std::pair<int64_t, int64_t> integer_range(TypeKind kind) {
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

/// A whole number of up to 18 digits with nothing but spaces behind it: nearly all there are.
bool parse_short_integer(std::string_view token, int64_t& value) {
  const char* c = token.data();
  const char* const end = c + token.size();
  const bool negative = *c == '-';
  c += negative ? 1 : 0;
  const char* const begin = c;
  uint64_t digits = 0;
  while (c != end && *c >= '0' && *c <= '9') {
    digits = digits * 10 + static_cast<uint64_t>(*c - '0');
    ++c;
  }
  const auto count = c - begin;
  if (count == 0 || count > 18 || (*begin == '0' && count > 1)) {
    return false;
  }
  for (; c != end; ++c) {
    if (static_cast<unsigned char>(*c) > ' ') {
      return false;
    }
  }
  value = negative ? -static_cast<int64_t>(digits) : static_cast<int64_t>(digits);
  return true;
}

class JsonDecoder final : public stream::Decoder {
 public:
  JsonDecoder(const Schema& schema, JsonOptions options)
      : options_(std::move(options)),
        root_(make_node(DataType::row(schema))),
        exact_decimals_(has_decimal(root_.type)) {}

  stream::DecodeResult decode(std::span<const std::string_view> records,
                              std::span<ColumnBuilder> builders,
                              std::vector<int32_t>* rows_per_record,
                              std::vector<RowKind>* kinds) override {
    static_cast<void>(kinds);
    stream::DecodeResult result;
    int32_t rows = builders.empty() ? 0 : builders.front().size();
    for (const std::string_view record : records) {
      const bool row = !record.empty() && decode_record(record, builders, rows);
      if (!row && !record.empty()) {
        if (!options_.ignore_parse_errors) {
          result.failure =
              Error(ErrorCode::kBadRecord,
                    fmt::format("Failed to deserialize JSON '{}'. {}", record, problem_));
          return result;
        }
        ++result.skipped;
      }
      rows += row ? 1 : 0;
      ++result.records;
      if (rows_per_record != nullptr) {
        rows_per_record->push_back(row ? 1 : 0);
      }
    }
    return result;
  }

 private:
  bool decode_record(std::string_view record, std::span<ColumnBuilder> builders, int32_t row) {
    problem_.clear();
    if (parse(record, builders, row)) {
      return true;
    }
    truncate(builders, row);
    if (const std::optional<std::string> repaired = tolerate_json(record)) {
      problem_.clear();
      if (parse(*repaired, builders, row)) {
        return true;
      }
      truncate(builders, row);
    }
    return false;
  }

  static void truncate(std::span<ColumnBuilder> builders, int32_t row) {
    for (ColumnBuilder& builder : builders) {
      builder.truncate(row);
    }
  }

  bool parse(std::string_view record, std::span<ColumnBuilder> builders, int32_t row) {
    const size_t needed = record.size() + simdjson::SIMDJSON_PADDING;
    if (buffer_.size() < needed) {
      buffer_.resize(needed * 2);
    }
    std::memcpy(buffer_.data(), record.data(), record.size());
    // Zeroed, so that what an earlier record left can't be taken for the end of this one.
    std::memset(buffer_.data() + record.size(), 0, simdjson::SIMDJSON_PADDING);
    ondemand::document document;
    ondemand::object object;
    const simdjson::padded_string_view padded(buffer_.data(), record.size(), buffer_.size());
    simdjson::error_code error = parser_.iterate(padded).get(document);
    if (error == simdjson::SUCCESS) {
      error = document.get_object().get(object);
    }
    if (error != simdjson::SUCCESS) {
      return broken(simdjson::error_message(error)) == Outcome::kDone;
    }
    return decode_object(object, root_, builders, row) == Outcome::kDone;
  }

  Outcome broken(std::string_view why) {
    if (problem_.empty()) {
      problem_ = why;
    }
    return Outcome::kBroken;
  }

  /// The members of one object into the builders of a row's fields, each of which gets one value.
  Outcome decode_object(ondemand::object object,
                        Node& node,
                        std::span<ColumnBuilder> builders,
                        int32_t row) {
    // Flink counts the members it has converted, repeated ones too, and passes over the rest once
    // there are as many as fields (JsonParserToRowDataConverters, 2.3).
    size_t converted = 0;
    size_t position = 0;
    for (simdjson::simdjson_result<ondemand::field> member : object) {
      ondemand::field field;
      if (const auto error = std::move(member).get(field); error != simdjson::SUCCESS) {
        return broken(simdjson::error_message(error));
      }
      const int32_t target = find_field(field, node, position++);
      Outcome outcome = Outcome::kDone;
      if (target < 0 || converted >= builders.size()) {
        outcome = check_skipped(field.value());
      } else {
        ++converted;
        const auto index = static_cast<size_t>(target);
        outcome = decode_field(field.value(), node, index, builders[index], row);
      }
      if (outcome != Outcome::kDone) {
        return outcome;
      }
    }
    for (ColumnBuilder& builder : builders) {
      if (builder.size() == row) {
        if (options_.fail_on_missing_field) {
          return broken("Some field is missing in the JSON data.");
        }
        builder.append_null();
      }
    }
    return Outcome::kDone;
  }

  Outcome decode_field(
      ondemand::value value, Node& node, size_t index, ColumnBuilder& builder, int32_t row) {
    if (builder.size() > row) {
      builder.truncate(row);  // a repeated member: the last one counts
    }
    const Outcome outcome = decode_value(value, node.children[index], builder);
    if (outcome == Outcome::kDone) {
      return outcome;
    }
    if (outcome == Outcome::kUnfit && options_.ignore_parse_errors) {
      builder.truncate(row);
      builder.append_null();
      return Outcome::kDone;
    }
    if (problem_.empty()) {
      problem_ = fmt::format("Fail to deserialize at field: {}.", node.type.fields()[index].name);
    }
    return Outcome::kBroken;
  }

  static int32_t find_field(ondemand::field& field, Node& node, size_t position) {
    const ondemand::raw_json_string key = field.key();
    if (position < node.layout.size() && key.unsafe_is_equal(node.layout[position].key)) {
      return node.layout[position].field;
    }
    std::string_view name;
    if (field.unescaped_key().get(name) != simdjson::SUCCESS) {
      return -1;
    }
    const auto found = node.fields.find(std::string(name));
    const Member member{std::string(name), found == node.fields.end() ? -1 : found->second};
    if (name.find('"') == std::string_view::npos && position <= node.layout.size() &&
        position < 1000) {
      if (position == node.layout.size()) {
        node.layout.push_back(member);
      } else {
        node.layout[position] = member;
      }
    }
    return member.field;
  }

  /// Jackson reads every token, wanted or not, so bad ones spoil the record.
  Outcome check_skipped(ondemand::value value) {
    const std::string_view token = value.raw_json_token();
    const char first = token.front();
    if (first != '{' && first != '[') {
      return is_json_scalar(token) ? Outcome::kDone : broken("Unexpected token.");
    }
    std::string_view raw;
    return take_raw(value, first, raw) && is_json(raw) ? Outcome::kDone
                                                       : broken("Unexpected token.");
  }

  static bool take_raw(ondemand::value value, char first, std::string_view& raw) {
    if (first == '{') {
      ondemand::object object;
      return value.get_object().get(object) == simdjson::SUCCESS &&
             object.raw_json().get(raw) == simdjson::SUCCESS;
    }
    ondemand::array array;
    return value.get_array().get(array) == simdjson::SUCCESS &&
           array.raw_json().get(raw) == simdjson::SUCCESS;
  }

  Outcome decode_value(ondemand::value value, Node& node, ColumnBuilder& builder) {
    const std::string_view token = value.raw_json_token();
    const char first = token.front();
    if (first == 'n') {
      if (!is_json_scalar(token)) {
        return broken("Unexpected token.");
      }
      builder.append_null();
      return Outcome::kDone;
    }
    switch (node.type.kind()) {
      case TypeKind::kArray:
        return decode_array(value, first, node, builder);
      case TypeKind::kMap:
      case TypeKind::kMultiset:
        return decode_map(value, first, node, builder);
      case TypeKind::kRow:
        return decode_row(value, first, node, builder);
      default:
        break;
    }
    if (first == '{' || first == '[') {
      return decode_container(value, first, node, builder);
    }
    if (first == '"') {
      std::string_view text;
      if (value.get_string().get(text) != simdjson::SUCCESS) {
        return broken("Unexpected escape in a string.");
      }
      return decode_text(text, node.type, builder);
    }
    return decode_token(value, token, node.type, builder);
  }

  /// An object or array in a column of a plain type: only text takes it, as text.
  Outcome decode_container(ondemand::value value,
                           char first,
                           const Node& node,
                           ColumnBuilder& builder) {
    std::string_view raw;
    if (!take_raw(value, first, raw) || !is_json(raw)) {
      return broken("Unexpected token.");
    }
    if (node.type.kind() == TypeKind::kBoolean) {
      builder.append(uint8_t{0});
      return Outcome::kDone;
    }
    if (!node.type.is_character()) {
      return Outcome::kUnfit;
    }
    scratch_.clear();
    append_compact_json(scratch_, raw, exact_decimals_);
    builder.append_string(scratch_);
    return Outcome::kDone;
  }

  /// A number, true or false.
  Outcome decode_token(ondemand::value value,
                       std::string_view token,
                       const DataType& type,
                       ColumnBuilder& builder) {
    if (!is_number_start(token.front())) {
      const std::string_view word = trim_java(token);
      return is_json_scalar(word) ? decode_text(word, type, builder) : broken("Unexpected token.");
    }
    int64_t whole = 0;
    if (type.is_integer() || type.is_interval()) {
      const auto [least, most] = integer_range(type.kind());
      if (parse_short_integer(token, whole)) {
        if (whole < least || whole > most) {
          return Outcome::kUnfit;
        }
        append_integer(builder, type.kind(), whole);
        return Outcome::kDone;
      }
      return decode_long_integer(trim_java(token), type, builder);
    }
    double number = 0;
    if (type.kind() == TypeKind::kDouble && value.get_double().get(number) == simdjson::SUCCESS) {
      builder.append(number);
      return Outcome::kDone;
    }
    token = trim_java(token);
    return is_json_number(token) ? decode_text(token, type, builder) : broken("Unexpected token.");
  }

  /// A whole number of more than 18 digits, or one with a fraction, which INT and BIGINT cut off.
  Outcome decode_long_integer(std::string_view token,
                              const DataType& type,
                              ColumnBuilder& builder) {
    if (!is_json_number(token)) {
      return broken("Unexpected token.");
    }
    const auto [least, most] = integer_range(type.kind());
    if (token.find_first_of(".eE") == std::string_view::npos) {
      const std::optional<int64_t> value = parse_java_integer(token, least, most);
      if (!value) {
        return Outcome::kUnfit;
      }
      append_integer(builder, type.kind(), *value);
      return Outcome::kDone;
    }
    const bool narrow = type.kind() == TypeKind::kTinyInt || type.kind() == TypeKind::kSmallInt;
    const std::optional<double> value = text::parse_double(token);
    if (narrow || !value || !(*value >= static_cast<double>(least)) ||
        !(*value <= static_cast<double>(most)) || *value >= 0x1p63) {
      return Outcome::kUnfit;
    }
    append_integer(builder, type.kind(), static_cast<int64_t>(*value));
    return Outcome::kDone;
  }

  /// The text of a string, a number or a word, as its type reads it.
  Outcome decode_text(std::string_view text, const DataType& type, ColumnBuilder& builder) {
    switch (type.kind()) {
      case TypeKind::kChar:
      case TypeKind::kVarChar:
        builder.append_string(text);
        return Outcome::kDone;
      case TypeKind::kBoolean:
        builder.append(static_cast<uint8_t>(is_true(trim_java(text)) ? 1 : 0));
        return Outcome::kDone;
      case TypeKind::kDecimal:
        return decode_decimal(trim_java(text), type, builder);
      case TypeKind::kFloat: {
        const std::optional<float> value = parse_java_float(text);
        return value ? done(builder, *value) : Outcome::kUnfit;
      }
      case TypeKind::kDouble: {
        const std::optional<double> value = text::parse_double(text);
        return value ? done(builder, *value) : Outcome::kUnfit;
      }
      case TypeKind::kBinary:
      case TypeKind::kVarBinary:
        scratch_.clear();
        if (!append_base64_decoded(scratch_, text)) {
          return Outcome::kUnfit;
        }
        builder.append_string(scratch_);
        return Outcome::kDone;
      case TypeKind::kDate: {
        const std::optional<int32_t> days = parse_iso_date(text);
        return days ? done(builder, *days) : Outcome::kUnfit;
      }
      case TypeKind::kTime: {
        const std::optional<int32_t> ms = parse_java_time(text, false);
        return ms ? done(builder, *ms) : Outcome::kUnfit;
      }
      case TypeKind::kTimestamp:
      case TypeKind::kTimestampLtz:
        return decode_timestamp(text, type, builder);
      case TypeKind::kNull:
        builder.append_null();
        return Outcome::kDone;
      default:
        break;
    }
    const auto [least, most] = integer_range(type.kind());
    const std::optional<int64_t> value = parse_java_integer(trim_java(text), least, most);
    if (!value) {
      return Outcome::kUnfit;
    }
    append_integer(builder, type.kind(), *value);
    return Outcome::kDone;
  }

  static bool is_true(std::string_view text) {
    constexpr std::string_view kTrue = "true";
    return std::equal(text.begin(), text.end(), kTrue.begin(), kTrue.end(), [](char a, char b) {
      return (a | 0x20) == b;
    });
  }

  template <typename T>
  static Outcome done(ColumnBuilder& builder, T value) {
    builder.append(value);
    return Outcome::kDone;
  }

  static Outcome decode_decimal(std::string_view text,
                                const DataType& type,
                                ColumnBuilder& builder) {
    const ParsedDecimal parsed = parse_java_decimal(text, type.precision(), type.scale());
    if (!parsed.is_number) {
      return Outcome::kUnfit;
    }
    if (parsed.value) {
      builder.append(*parsed.value);
    } else {
      builder.append_null();
    }
    return Outcome::kDone;
  }

  Outcome decode_timestamp(std::string_view text, const DataType& type, ColumnBuilder& builder) {
    const TimestampStyle& style =
        type.kind() == TypeKind::kTimestampLtz ? options_.timestamp_ltz : options_.timestamp;
    const std::optional<Int128> value = parse_java_timestamp(text, style, type.precision());
    if (!value) {
      return Outcome::kUnfit;
    }
    if (type.precision() <= 3) {
      builder.append(static_cast<int64_t>(*value));
    } else {
      builder.append(*value);
    }
    return Outcome::kDone;
  }

  /// An element: NULL in place of what does not fit, when errors are ignored.
  Outcome decode_element(ondemand::value value, Node& node, ColumnBuilder& builder) {
    const int32_t size = builder.size();
    const Outcome outcome = decode_value(value, node, builder);
    if (outcome == Outcome::kUnfit && options_.ignore_parse_errors) {
      builder.truncate(size);
      builder.append_null();
      return Outcome::kDone;
    }
    return outcome;
  }

  Outcome decode_array(ondemand::value value, char first, Node& node, ColumnBuilder& builder) {
    ondemand::array array;
    if (first != '[') {
      return unfit(value);
    }
    if (const auto error = value.get_array().get(array); error != simdjson::SUCCESS) {
      return broken(simdjson::error_message(error));
    }
    for (simdjson::simdjson_result<ondemand::value> item : array) {
      ondemand::value element;
      if (const auto error = std::move(item).get(element); error != simdjson::SUCCESS) {
        return broken(simdjson::error_message(error));
      }
      const Outcome outcome = decode_element(element, node.children[0], builder.child(0));
      if (outcome != Outcome::kDone) {
        return outcome;
      }
    }
    builder.append_list();
    return Outcome::kDone;
  }

  Outcome decode_map(ondemand::value value, char first, Node& node, ColumnBuilder& builder) {
    ondemand::object object;
    if (first != '{') {
      return unfit(value);
    }
    if (const auto error = value.get_object().get(object); error != simdjson::SUCCESS) {
      return broken(simdjson::error_message(error));
    }
    for (simdjson::simdjson_result<ondemand::field> member : object) {
      ondemand::field field;
      std::string_view key;
      auto error = std::move(member).get(field);
      if (error == simdjson::SUCCESS) {
        error = field.unescaped_key().get(key);
      }
      if (error != simdjson::SUCCESS) {
        return broken(simdjson::error_message(error));
      }
      builder.child(0).append_string(key);
      const Outcome outcome = decode_element(field.value(), node.children[1], builder.child(1));
      if (outcome != Outcome::kDone) {
        return outcome;
      }
    }
    builder.append_list();
    return Outcome::kDone;
  }

  Outcome decode_row(ondemand::value value, char first, Node& node, ColumnBuilder& builder) {
    ondemand::object object;
    if (first != '{') {
      return unfit(value);
    }
    if (const auto error = value.get_object().get(object); error != simdjson::SUCCESS) {
      return broken(simdjson::error_message(error));
    }
    const size_t count = builder.child_count();
    const std::span<ColumnBuilder> fields =
        count == 0 ? std::span<ColumnBuilder>() : std::span(&builder.child(0), count);
    const Outcome outcome = decode_object(object, node, fields, builder.size());
    if (outcome == Outcome::kDone) {
      builder.append_struct();
    }
    return outcome;
  }

  /// A value of another kind where an object or array should be.
  Outcome unfit(ondemand::value value) {
    const Outcome outcome = check_skipped(value);
    return outcome == Outcome::kDone ? Outcome::kUnfit : outcome;
  }

  JsonOptions options_;
  Node root_;
  bool exact_decimals_;
  ondemand::parser parser_;
  std::vector<char> buffer_;
  std::string scratch_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<stream::Decoder> make_json_decoder(const Schema& schema, JsonOptions options) {
  return std::make_unique<JsonDecoder>(schema, std::move(options));
}

}  // namespace thalweg::formats
