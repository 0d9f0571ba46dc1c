// PARSE_JSON and TRY_PARSE_JSON. Access to the parts of a variant is the item operator's
// (construct.cc), its text JSON_STRING's (json_build.cc).
#include "thalweg/functions/json/variant_parser.h"
#include "thalweg/functions/simple_function.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::map_rows;
using expression::RowErrors;
using expression::RowFault;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

std::string_view reason(VariantParser::Outcome outcome) {
  switch (outcome) {
    case VariantParser::Outcome::kRepeatedKey:
      return "an object has two fields of one name (VARIANT_DUPLICATE_KEY); TRUE as second "
             "argument keeps the last";
    case VariantParser::Outcome::kTooLong:
      return "the variant would be longer than 16 MiB (VARIANT_SIZE_LIMIT)";
    default:
      return "it is not JSON; TRY_PARSE_JSON gives NULL for such a text";
  }
}

class ParseJson final : public ScalarKernel {
 public:
  ParseJson(DataType type, bool gives_null) : type_(std::move(type)), gives_null_(gives_null) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors& errors) override {
    if (arguments.size() == 1) {
      return map_rows<std::string_view, std::string_view>(
          arguments,
          rows,
          type_,
          errors,
          [this](RowFault& fault, std::string& out, std::string_view json) {
            return parse(fault, out, json, false);
          });
    }
    return map_rows<std::string_view, std::string_view, bool>(
        arguments,
        rows,
        type_,
        errors,
        [this](RowFault& fault, std::string& out, std::string_view json, bool allow_duplicates) {
          return parse(fault, out, json, allow_duplicates);
        });
  }

 private:
  bool parse(RowFault& fault, std::string& out, std::string_view json, bool allow_duplicates) {
    const VariantParser::Outcome outcome = parser_.parse(json, allow_duplicates, out);
    if (outcome == VariantParser::Outcome::kDone) {
      return true;
    }
    if (!gives_null_) {
      fault.raise(
          Error(ErrorCode::kInvalidArgument, fmt::format("Failed to parse json string: {}", json))
              .hint(std::string(reason(outcome))));
    }
    return false;
  }

  DataType type_;
  bool gives_null_;
  VariantParser parser_;
};

ScalarFunction parse_function(Documentation documentation, bool gives_null) {
  const Parameters parameters = {{Family::kText}, {Family::kBoolean}};
  ScalarFunction function = documented(std::move(documentation),
                                       gives_null ? nullable(parameters, DataType::variant())
                                                  : strict(parameters, DataType::variant()));
  function.is_infallible = gives_null;
  function.make_kernel = [gives_null](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<ParseJson>(signature.result, gives_null);
  };
  return function;
}

}  // namespace

void add_variant(FunctionRegistry& registry) {
  registry.add(parse_function(
      {{"PARSE_JSON"},
       "'PARSE_JSON(<CHARACTER>[, <BOOLEAN> allow_duplicate_keys])'",
       "A JSON text as a VARIANT; an error when it is not JSON. An object with two fields of one "
       "name is an error too, unless duplicate keys are allowed: then the last of them stays.",
       {"PARSE_JSON('{\"b\": [1, 2.50], \"a\": null}') -> {\"a\":null,\"b\":[1,2.5]}",
        "PARSE_JSON('{\"a\": 1, \"a\": 2}', TRUE) -> {\"a\":2}",
        "PARSE_JSON('\"text\"') -> \"text\""}},
      false));
  registry.add(parse_function(
      {{"TRY_PARSE_JSON"},
       "'TRY_PARSE_JSON(<CHARACTER>[, <BOOLEAN> allow_duplicate_keys])'",
       "As PARSE_JSON, but NULL where that is an error.",
       {"TRY_PARSE_JSON('{\"a\": 1}') -> {\"a\":1}", "TRY_PARSE_JSON('no json') -> NULL"}},
      true));
}

}  // namespace thalweg::functions
