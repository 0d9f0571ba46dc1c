#include "thalweg/planner/null_literals.h"

#include <algorithm>
#include <array>

#include "thalweg/common/error.h"

namespace thalweg::planner {

namespace {

/// Canonical names, sorted.
constexpr auto kCalciteFunctions = std::to_array<std::string_view>({
    "ABS",
    "ACOS",
    "AND",
    "ASCII",
    "ASIN",
    "ATAN",
    "ATAN2",
    "AVG",
    "BIN",
    "CEIL",
    "CHARACTER_LENGTH",
    "CHAR_LENGTH",
    "CHR",
    "COLLECT",
    "CONCAT",
    "CONCAT_WS",
    "CONVERT_TZ",
    "COS",
    "COSH",
    "COT",
    "COUNT",
    "DATE_FORMAT",
    "DECODE",
    "DEGREES",
    "ENCODE",
    "EXP",
    "FIRST_VALUE",
    "FLOOR",
    "FROM_BASE64",
    "FROM_UNIXTIME",
    "HEX",
    "IF",
    "INITCAP",
    "INSTR",
    "IS FALSE",
    "IS JSON ARRAY",
    "IS JSON OBJECT",
    "IS JSON SCALAR",
    "IS JSON VALUE",
    "IS NOT FALSE",
    "IS NOT JSON ARRAY",
    "IS NOT JSON OBJECT",
    "IS NOT JSON SCALAR",
    "IS NOT JSON VALUE",
    "IS NOT TRUE",
    "IS TRUE",
    "IS_ALPHA",
    "IS_DECIMAL",
    "IS_DIGIT",
    "JSON_EXISTS",
    "JSON_QUERY",
    "JSON_VALUE",
    "LAST_VALUE",
    "LEFT",
    "LIKE",
    "LISTAGG",
    "LN",
    "LOCATE",
    "LOG",
    "LOG10",
    "LOG2",
    "LOWER",
    "LPAD",
    "LTRIM",
    "MAX",
    "MD5",
    "MIN",
    "MOD",
    "NOT",
    "OR",
    "OVERLAPS",
    "OVERLAY",
    "PARSE_URL",
    "POSITION",
    "POWER",
    "RADIANS",
    "RAND",
    "RAND_INTEGER",
    "REGEXP",
    "REGEXP_EXTRACT",
    "REGEXP_REPLACE",
    "REPEAT",
    "REPLACE",
    "REVERSE",
    "RIGHT",
    "ROUND",
    "ROW",
    "RPAD",
    "RTRIM",
    "SHA1",
    "SHA2",
    "SHA224",
    "SHA256",
    "SHA384",
    "SHA512",
    "SIGN",
    "SIMILAR TO",
    "SIN",
    "SINGLE_VALUE",
    "SINH",
    "SPLIT_INDEX",
    "SQRT",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "STR_TO_MAP",
    "SUBSTRING",
    "SUM",
    "TAN",
    "TANH",
    "TIMESTAMPADD",
    "TIMESTAMPDIFF",
    "TO_BASE64",
    "TO_DATE",
    "TO_TIMESTAMP",

    "TRANSLATE",
    "TRANSLATE3",
    "TRIM",
    "TRUNCATE",
    "UNIX_TIMESTAMP",
    "UPPER",
    "VAR_POP",
    "VAR_SAMP",
    "[]",
    "||",
});
static_assert(std::is_sorted(kCalciteFunctions.begin(), kCalciteFunctions.end()));

struct UntypedArgument {
  std::string_view function;
  size_t index;
};

constexpr size_t kAny = static_cast<size_t>(-1);

/// Arguments of Flink's own functions whose types it infers from what is given alone.
constexpr auto kUntypedArguments =
    std::to_array<UntypedArgument>({{"ARRAY_AGG", 0},
                                    {"ARRAY_JOIN", 0},
                                    {"ARRAY_REVERSE", 0},
                                    {"ARRAY_SLICE", 0},
                                    {"ARRAY_SORT", 0},
                                    {"ELT", 0},
                                    {"JSON_OBJECTAGG", 0},
                                    {"JSON_OBJECTAGG_ABSENT_ON_NULL", 0},
                                    {"PERCENTILE", 1},
                                    {"MAP_FROM_ARRAYS", kAny},
                                    {"MAP_UNION", kAny},
                                    {"TRY_PARSE_JSON", kAny},
                                    {"TYPEOF", 1}});

bool is_refused(std::string_view function,
                const std::vector<expression::ExpressionPtr>& arguments,
                size_t index) {
  if (function == "TO_TIMESTAMP_LTZ") {
    // A text where a format follows; a number of unknown type where a precision does.
    return index > 0 || (arguments.size() > 1 && arguments[1]->type.is_numeric());
  }
  const auto is_untyped = [&](const UntypedArgument& untyped) {
    return untyped.function == function && (untyped.index == kAny || untyped.index == index);
  };
  return std::binary_search(kCalciteFunctions.begin(), kCalciteFunctions.end(), function) ||
         std::any_of(kUntypedArguments.begin(), kUntypedArguments.end(), is_untyped);
}

}  // namespace

void refuse_null_literals(std::string_view function,
                          const std::vector<expression::ExpressionPtr>& arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const expression::ExpressionPtr& argument = arguments[i];
    const bool is_bare = argument->type.kind() == TypeKind::kNull &&
                         argument->kind == expression::ExpressionKind::kLiteral;
    // The Table API's literals stand nowhere.
    if (is_bare && argument->position != SourcePosition{} && is_refused(function, arguments, i)) {
      throw Error(ErrorCode::kValidation, "Illegal use of 'NULL'")
          .at(argument->position)
          .hint("Give it a type: CAST(NULL AS STRING).");
    }
  }
}

}  // namespace thalweg::planner
