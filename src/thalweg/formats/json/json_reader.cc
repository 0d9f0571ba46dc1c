#include "thalweg/formats/json/json_reader.h"

#include <fmt/format.h>

#include "thalweg/formats/json/json_text.h"

namespace thalweg::formats {

namespace {

constexpr std::string_view kUnexpectedToken = "Unexpected token.";
constexpr std::string_view kEndOfInput = "Unexpected end-of-input.";

std::string_view unexpected(const JsonWalker& walker) {
  return walker.peek() == '\0' ? kEndOfInput : kUnexpectedToken;
}

bool is_collection(TypeKind kind) {
  return kind == TypeKind::kArray || kind == TypeKind::kMap || kind == TypeKind::kMultiset ||
         kind == TypeKind::kRow;
}

}  // namespace

JsonReader::JsonReader(const Schema& schema, JsonOptions options)
    : options_(std::move(options)),
      root_(DataType::row(schema)),
      exact_decimals_(has_decimal(root_.type())) {}

bool JsonReader::read_record(JsonWalker& walker, std::span<ColumnBuilder> builders, int32_t row) {
  problem_.clear();
  if (!walker.take('{')) {
    return broken(unexpected(walker)) == JsonOutcome::kDone;
  }
  return read_object(walker, root_, builders, row) == JsonOutcome::kDone;
}

/// The innermost reason is told.
JsonOutcome JsonReader::broken(std::string_view why) {
  if (problem_.empty()) {
    problem_ = why;
  }
  return JsonOutcome::kBroken;
}

/// The members of an object, whose brace is taken, into the builders of a row's fields.
JsonOutcome JsonReader::read_object(JsonWalker& walker,
                                    JsonPlan& plan,
                                    std::span<ColumnBuilder> builders,
                                    int32_t row) {
  if (walker.take('}')) {
    return fill_missing(builders, row);
  }
  // Flink counts the members it has converted, repeated ones too, and passes over the rest once
  // there are as many as fields (JsonParserToRowDataConverters, 2.3).
  size_t converted = 0;
  size_t position = 0;
  do {
    int32_t field = -1;
    JsonOutcome outcome = read_member(walker, plan, position++, field);
    if (outcome != JsonOutcome::kDone) {
      return outcome;
    }
    if (field < 0 || converted >= builders.size()) {
      outcome = walker.skip_value() ? JsonOutcome::kDone : broken(unexpected(walker));
    } else {
      ++converted;
      const auto index = static_cast<size_t>(field);
      outcome = read_field(walker, plan, index, builders[index], row);
    }
    if (outcome != JsonOutcome::kDone) {
      return outcome;
    }
  } while (walker.take(','));
  if (!walker.take('}')) {
    return broken(unexpected(walker));
  }
  plan.end_object(position);
  return fill_missing(builders, row);
}

/// A key and its colon.
JsonOutcome JsonReader::read_member(JsonWalker& walker,
                                    JsonPlan& plan,
                                    size_t position,
                                    int32_t& field) {
  if (walker.peek() != '"') {
    return broken(unexpected(walker));
  }
  field = plan.guess(position, walker.pointer() + 1);
  if (field == -2) {
    std::string_view name;
    if (!walker.take_string(scratch_, name)) {
      return broken("Unrecognized character escape.");
    }
    field = plan.find(position, name);
  } else {
    walker.skip();
  }
  return walker.take(':') ? JsonOutcome::kDone : broken(unexpected(walker));
}

JsonOutcome JsonReader::fill_missing(std::span<ColumnBuilder> builders, int32_t row) {
  for (ColumnBuilder& builder : builders) {
    if (builder.size() == row) {
      if (options_.fail_on_missing_field) {
        return broken("Some field is missing in the JSON data.");
      }
      builder.append_null();
    }
  }
  return JsonOutcome::kDone;
}

JsonOutcome JsonReader::read_field(
    JsonWalker& walker, JsonPlan& plan, size_t index, ColumnBuilder& builder, int32_t row) {
  if (builder.size() > row) {
    builder.truncate(row);  // a repeated member: the last one counts
  }
  const JsonOutcome outcome = read_value(walker, plan.child(index), builder);
  if (outcome == JsonOutcome::kDone) {
    return outcome;
  }
  if (outcome == JsonOutcome::kUnfit && options_.ignore_parse_errors) {
    builder.truncate(row);
    builder.append_null();
    return JsonOutcome::kDone;
  }
  if (problem_.empty()) {
    problem_ = fmt::format("Fail to deserialize at field: {}.", plan.type().fields()[index].name);
  }
  return JsonOutcome::kBroken;
}

JsonOutcome JsonReader::read_value(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder) {
  switch (walker.peek()) {
    case '\0':
      return broken(kEndOfInput);
    case '"':
      if (!is_collection(plan.kind())) {
        return read_text(walker, builder);
      }
      walker.take_raw_string();
      return JsonOutcome::kUnfit;
    case '{':
    case '[':
      return is_collection(plan.kind()) ? read_nested(walker, plan, builder)
                                        : read_container(walker, builder);
    default:
      break;
  }
  const std::string_view token = walker.take_scalar();
  if (token == "null") {
    builder.append_null();
    return JsonOutcome::kDone;
  }
  JsonOutcome outcome = JsonOutcome::kUnfit;
  if (!is_collection(plan.kind())) {
    outcome = append_json_token(token, options_, builder);
  } else if (!is_json_scalar(token)) {
    outcome = JsonOutcome::kBroken;
  }
  return outcome == JsonOutcome::kBroken ? broken(kUnexpectedToken) : outcome;
}

JsonOutcome JsonReader::read_text(JsonWalker& walker, ColumnBuilder& builder) {
  std::string_view text;
  if (!walker.take_string(scratch_, text)) {
    return broken("Unrecognized character escape.");
  }
  return append_json_text(text, options_, builder);
}

/// An object or array in a column of a plain type: only text takes it, as text.
JsonOutcome JsonReader::read_container(JsonWalker& walker, ColumnBuilder& builder) {
  std::string_view raw;
  if (!walker.take_value(raw)) {
    return broken(unexpected(walker));
  }
  if (builder.type().kind() == TypeKind::kBoolean) {
    builder.append(uint8_t{0});
    return JsonOutcome::kDone;
  }
  if (!builder.type().is_character()) {
    return JsonOutcome::kUnfit;
  }
  scratch_.clear();
  append_compact_json(scratch_, raw, exact_decimals_);
  builder.append_string(scratch_);
  return JsonOutcome::kDone;
}

JsonOutcome JsonReader::read_nested(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder) {
  const char open = plan.kind() == TypeKind::kArray ? '[' : '{';
  if (!walker.take(open)) {
    return walker.skip_value() ? JsonOutcome::kUnfit : broken(unexpected(walker));
  }
  switch (plan.kind()) {
    case TypeKind::kArray:
      return read_array(walker, plan, builder);
    case TypeKind::kRow:
      return read_row(walker, plan, builder);
    default:
      return read_map(walker, plan, builder);
  }
}

/// An element: NULL in place of what does not fit, when errors are ignored.
JsonOutcome JsonReader::read_element(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder) {
  const int32_t size = builder.size();
  const JsonOutcome outcome = read_value(walker, plan, builder);
  if (outcome == JsonOutcome::kUnfit && options_.ignore_parse_errors) {
    builder.truncate(size);
    builder.append_null();
    return JsonOutcome::kDone;
  }
  return outcome;
}

JsonOutcome JsonReader::read_array(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder) {
  if (!walker.take(']')) {
    do {
      const JsonOutcome outcome = read_element(walker, plan.child(0), builder.child(0));
      if (outcome != JsonOutcome::kDone) {
        return outcome;
      }
    } while (walker.take(','));
    if (!walker.take(']')) {
      return broken(unexpected(walker));
    }
  }
  builder.append_list();
  return JsonOutcome::kDone;
}

JsonOutcome JsonReader::read_map(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder) {
  if (!walker.take('}')) {
    do {
      std::string_view key;
      if (walker.peek() != '"') {
        return broken(unexpected(walker));
      }
      if (!walker.take_string(scratch_, key)) {
        return broken("Unrecognized character escape.");
      }
      builder.child(0).append_string(key);
      if (!walker.take(':')) {
        return broken(unexpected(walker));
      }
      const JsonOutcome outcome = read_element(walker, plan.child(1), builder.child(1));
      if (outcome != JsonOutcome::kDone) {
        return outcome;
      }
    } while (walker.take(','));
    if (!walker.take('}')) {
      return broken(unexpected(walker));
    }
  }
  builder.append_list();
  return JsonOutcome::kDone;
}

JsonOutcome JsonReader::read_row(JsonWalker& walker, JsonPlan& plan, ColumnBuilder& builder) {
  const size_t count = builder.child_count();
  const std::span<ColumnBuilder> fields =
      count == 0 ? std::span<ColumnBuilder>() : std::span(&builder.child(0), count);
  const JsonOutcome outcome = read_object(walker, plan, fields, builder.size());
  if (outcome == JsonOutcome::kDone) {
    builder.append_struct();
  }
  return outcome;
}

}  // namespace thalweg::formats
