#include "thalweg/planner/json_clauses.h"

#include <string_view>

namespace thalweg::planner {

using expression::ExpressionPtr;
using expression::make_literal;
using sql::JsonBehaviour;

namespace {

std::string_view word_of(JsonBehaviour behaviour, std::string_view unset) {
  switch (behaviour) {
    case JsonBehaviour::kUnset:
      return unset;
    case JsonBehaviour::kNull:
      return "NULL";
    case JsonBehaviour::kError:
      return "ERROR";
    case JsonBehaviour::kDefault:
      return "DEFAULT";
    case JsonBehaviour::kEmptyArray:
      return "EMPTY ARRAY";
    case JsonBehaviour::kEmptyObject:
      return "EMPTY OBJECT";
    case JsonBehaviour::kTrue:
      return "TRUE";
    case JsonBehaviour::kFalse:
      return "FALSE";
    case JsonBehaviour::kUnknown:
      return "UNKNOWN";
  }
  return unset;
}

std::string_view word_of(sql::JsonWrapper wrapper) {
  switch (wrapper) {
    case sql::JsonWrapper::kConditional:
      return "CONDITIONAL";
    case sql::JsonWrapper::kUnconditional:
      return "UNCONDITIONAL";
    default:
      return "WITHOUT";
  }
}

ExpressionPtr word(std::string_view text, SourcePosition position) {
  return make_literal(DataType::character(static_cast<int32_t>(text.size())).not_null(),
                      Value(std::string(text)),
                      position);
}

/// A NULL that carries the type of RETURNING.
ExpressionPtr returning(const sql::JsonClauses& clauses, SourcePosition position) {
  return make_literal(clauses.returning.value_or(DataType::string()).as_nullable(),
                      Value(),
                      clauses.returning ? position : SourcePosition{});
}

bool has_behaviour(const sql::JsonClauses& clauses) {
  return clauses.on_empty != JsonBehaviour::kUnset || clauses.on_error != JsonBehaviour::kUnset;
}

}  // namespace

std::string json_function(const std::string& name, const sql::JsonClauses& clauses) {
  const bool keeps_by_default = name == "JSON_OBJECT" || name == "JSON_OBJECTAGG";
  if (clauses.on_null == sql::JsonOnNull::kAbsent && keeps_by_default) {
    return name == "JSON_OBJECT" ? "$JSON_OBJECT_ABSENT_ON_NULL" : "JSON_OBJECTAGG_ABSENT_ON_NULL";
  }
  if (clauses.on_null == sql::JsonOnNull::kNull && !keeps_by_default) {
    return name == "JSON_ARRAY" ? "$JSON_ARRAY_NULL_ON_NULL" : "JSON_ARRAYAGG_NULL_ON_NULL";
  }
  return name;
}

void add_json_clauses(const std::string& name,
                      const sql::JsonClauses& clauses,
                      const JsonDefaults& defaults,
                      SourcePosition position,
                      std::vector<ExpressionPtr>& operands) {
  const ExpressionPtr type = returning(clauses, position);
  const auto default_or_null = [&](const ExpressionPtr& value) {
    return value ? value : make_literal(type->type, Value(), position);
  };
  if (name == "JSON_VALUE" && (clauses.returning || has_behaviour(clauses))) {
    operands.push_back(type);
    operands.push_back(word(word_of(clauses.on_empty, "NULL"), position));
    operands.push_back(default_or_null(defaults.on_empty));
    operands.push_back(word(word_of(clauses.on_error, "NULL"), position));
    operands.push_back(default_or_null(defaults.on_error));
  } else if (name == "JSON_QUERY" && (clauses.returning || has_behaviour(clauses) ||
                                      clauses.wrapper != sql::JsonWrapper::kUnset)) {
    operands.push_back(type);
    operands.push_back(word(word_of(clauses.wrapper), position));
    operands.push_back(word(word_of(clauses.on_empty, "NULL"), position));
    operands.push_back(word(word_of(clauses.on_error, "NULL"), position));
  } else if (name == "JSON_EXISTS" && clauses.on_error != JsonBehaviour::kUnset) {
    operands.push_back(word(word_of(clauses.on_error, "FALSE"), position));
  }
}

}  // namespace thalweg::planner
