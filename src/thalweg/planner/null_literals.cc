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
    "TO_TIMESTAMP_LTZ",
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

}  // namespace

bool refuses_null_literals(std::string_view function) {
  return std::binary_search(kCalciteFunctions.begin(), kCalciteFunctions.end(), function);
}

void refuse_null_literals(std::string_view function,
                          const std::vector<expression::ExpressionPtr>& arguments) {
  for (const expression::ExpressionPtr& argument : arguments) {
    const bool is_bare = argument->type.kind() == TypeKind::kNull &&
                         argument->kind == expression::ExpressionKind::kLiteral;
    // The Table API's literals stand nowhere.
    if (is_bare && argument->position != SourcePosition{} && refuses_null_literals(function)) {
      throw Error(ErrorCode::kValidation, "Illegal use of 'NULL'")
          .at(argument->position)
          .hint("Give it a type: CAST(NULL AS STRING).");
    }
  }
}

}  // namespace thalweg::planner
