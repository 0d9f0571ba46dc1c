#include "thalweg/formats/json/json_options.h"

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/formats/substitute.h"

namespace thalweg::formats {

std::vector<stream::OptionSpec> json_option_specs() {
  using stream::OptionType;
  return {
      {.key = "fail-on-missing-field",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Fail when a record lacks a field that the query reads; otherwise the field "
                      "is NULL."},
      {.key = "ignore-parse-errors",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Skip records that are not JSON, and set fields of a wrong type to NULL, "
                      "instead of failing. Skipped records are counted."},
      {.key = "timestamp-format.standard",
       .type = OptionType::kEnum,
       .default_value = "SQL",
       .description = "How timestamps are written: SQL ('2024-01-02 03:04:05.678') or ISO-8601 "
                      "('2024-01-02T03:04:05.678'); TIMESTAMP_LTZ has a 'Z' at its end.",
       .values = {"SQL", "ISO-8601"}},
      {.key = "map-null-key.mode",
       .type = OptionType::kEnum,
       .default_value = "FAIL",
       .description = "What to do with a NULL key of a map when writing: FAIL, DROP the entry, or "
                      "write the LITERAL of 'map-null-key.literal'.",
       .values = {"FAIL", "DROP", "LITERAL"}},
      {.key = "map-null-key.literal",
       .default_value = "null",
       .description = "The key written for NULL when 'map-null-key.mode' is LITERAL."},
      {.key = "encode.decimal-as-plain-number",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Write 0.00000027 and not 2.7E-7 for a DECIMAL, all its digits included."},
      {.key = "encode.ignore-null-fields",
       .type = OptionType::kBoolean,
       .default_value = "false",
       .description = "Leave NULL fields out of the records written."},
      {.key = "decode.json-parser.enabled",
       .type = OptionType::kBoolean,
       .default_value = "true",
       .description = "Accepted for Flink's sake; there is one parser here."},
  };
}

JsonOptions read_json_options(const stream::OptionMap& values) {
  const stream::Options options("json", json_option_specs(), values);
  JsonOptions result;
  result.fail_on_missing_field = options.get_bool("fail-on-missing-field");
  result.ignore_parse_errors = options.get_bool("ignore-parse-errors");
  if (result.fail_on_missing_field && result.ignore_parse_errors) {
    throw Error(ErrorCode::kInvalidOption,
                "fail-on-missing-field and ignore-parse-errors shouldn't both be true.")
        .hint("Set one of 'json.fail-on-missing-field' and 'json.ignore-parse-errors' to 'false'.");
  }
  if (options.get_string("timestamp-format.standard") == "ISO-8601") {
    result.timestamp = {.separator = 'T', .seconds_optional = true, .zulu = false};
  }
  result.timestamp_ltz = result.timestamp;
  result.timestamp_ltz.zulu = true;
  const std::string mode = options.get_string("map-null-key.mode");
  result.map_null_key_mode = mode == "FAIL"   ? MapNullKeyMode::kFail
                             : mode == "DROP" ? MapNullKeyMode::kDrop
                                              : MapNullKeyMode::kLiteral;
  result.map_null_key_literal = options.get_string("map-null-key.literal");
  result.encode_decimal_as_plain_number = options.get_bool("encode.decimal-as-plain-number");
  result.encode_ignore_null_fields = options.get_bool("encode.ignore-null-fields");
  return result;
}

void check_json_type(const DataType& type) {
  if (type.kind() == TypeKind::kOpaque || type.kind() == TypeKind::kBitmap ||
      type.kind() == TypeKind::kVariant || type.is_structured()) {
    throw Error(ErrorCode::kUnsupportedFormatType,
                fmt::format("The json format doesn't support type: {}", type.to_string()))
        .hint(substitute_for(type));
  }
  const bool has_key = type.kind() == TypeKind::kMap || type.kind() == TypeKind::kMultiset;
  if (has_key && !type.child(0).is_character()) {
    throw Error(ErrorCode::kUnsupportedFormatType,
                fmt::format("JSON format doesn't support non-string as key type of map. The type "
                            "is: {}",
                            type.to_string()));
  }
  for (size_t i = 0; i < type.child_count(); ++i) {
    check_json_type(type.child(i));
  }
}

}  // namespace thalweg::formats
