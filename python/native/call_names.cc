#include "call_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace thalweg::binding {

namespace {

using sql::Op;

constexpr std::array kOperators = {
    std::pair{std::string_view("OR"), Op::kOr},
    std::pair{std::string_view("AND"), Op::kAnd},
    std::pair{std::string_view("NOT"), Op::kNot},
    std::pair{std::string_view("="), Op::kEquals},
    std::pair{std::string_view("<>"), Op::kNotEquals},
    std::pair{std::string_view("<"), Op::kLess},
    std::pair{std::string_view("<="), Op::kLessOrEqual},
    std::pair{std::string_view(">"), Op::kGreater},
    std::pair{std::string_view(">="), Op::kGreaterOrEqual},
    std::pair{std::string_view("IS NULL"), Op::kIsNull},
    std::pair{std::string_view("IS NOT NULL"), Op::kIsNotNull},
    std::pair{std::string_view("IS TRUE"), Op::kIsTrue},
    std::pair{std::string_view("IS NOT TRUE"), Op::kIsNotTrue},
    std::pair{std::string_view("IS FALSE"), Op::kIsFalse},
    std::pair{std::string_view("IS NOT FALSE"), Op::kIsNotFalse},
    std::pair{std::string_view("IS JSON VALUE"), Op::kIsJsonValue},
    std::pair{std::string_view("IS JSON OBJECT"), Op::kIsJsonObject},
    std::pair{std::string_view("IS JSON ARRAY"), Op::kIsJsonArray},
    std::pair{std::string_view("IS JSON SCALAR"), Op::kIsJsonScalar},
    std::pair{std::string_view("LIKE"), Op::kLike},
    std::pair{std::string_view("SIMILAR TO"), Op::kSimilarTo},
    std::pair{std::string_view("BETWEEN"), Op::kBetween},
    std::pair{std::string_view("NOT BETWEEN"), Op::kNotBetween},
    std::pair{std::string_view("+"), Op::kPlus},
    std::pair{std::string_view("-"), Op::kMinus},
    std::pair{std::string_view("*"), Op::kMultiply},
    std::pair{std::string_view("/"), Op::kDivide},
    std::pair{std::string_view("%"), Op::kModulo},
    std::pair{std::string_view("[]"), Op::kItem},
    std::pair{std::string_view("OVERLAPS"), Op::kOverlaps},
};

constexpr std::array<std::string_view, 5> kNiladic = {
    "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP"};

}  // namespace

std::optional<sql::Op> operator_named(std::string_view name, size_t operands) {
  if (name == "-" && operands == 1) {
    return Op::kUnaryMinus;
  }
  const auto* found = std::find_if(
      kOperators.begin(), kOperators.end(), [&](const auto& entry) { return entry.first == name; });
  return found == kOperators.end() ? std::nullopt : std::optional(found->second);
}

bool is_niladic(std::string_view name) {
  return std::find(kNiladic.begin(), kNiladic.end(), name) != kNiladic.end();
}

}  // namespace thalweg::binding
