#include "thalweg/sql/operator_text.h"

#include <array>

#include "thalweg/sql/unparser.h"

namespace thalweg::sql {

namespace {

struct Entry {
  Op op;
  OpText text;
};

constexpr std::array kEntries = {
    Entry{Op::kOr, {"OR", OpForm::kBinary, 22}},
    Entry{Op::kAnd, {"AND", OpForm::kBinary, 24}},
    Entry{Op::kNot, {"NOT", OpForm::kPrefix, 26}},
    Entry{Op::kEquals, {"=", OpForm::kBinary, 30}},
    Entry{Op::kNotEquals, {"<>", OpForm::kBinary, 30}},
    Entry{Op::kLess, {"<", OpForm::kBinary, 30}},
    Entry{Op::kLessOrEqual, {"<=", OpForm::kBinary, 30}},
    Entry{Op::kGreater, {">", OpForm::kBinary, 30}},
    Entry{Op::kGreaterOrEqual, {">=", OpForm::kBinary, 30}},
    Entry{Op::kIsNull, {"IS NULL", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotNull, {"IS NOT NULL", OpForm::kPostfix, 28}},
    Entry{Op::kIsTrue, {"IS TRUE", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotTrue, {"IS NOT TRUE", OpForm::kPostfix, 28}},
    Entry{Op::kIsFalse, {"IS FALSE", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotFalse, {"IS NOT FALSE", OpForm::kPostfix, 28}},
    Entry{Op::kIsUnknown, {"IS UNKNOWN", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotUnknown, {"IS NOT UNKNOWN", OpForm::kPostfix, 28}},
    Entry{Op::kIsDistinctFrom, {"IS DISTINCT FROM", OpForm::kBinary, 30}},
    Entry{Op::kIsNotDistinctFrom, {"IS NOT DISTINCT FROM", OpForm::kBinary, 30}},
    Entry{Op::kIsJsonValue, {"IS JSON VALUE", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotJsonValue, {"IS NOT JSON VALUE", OpForm::kPostfix, 28}},
    Entry{Op::kIsJsonObject, {"IS JSON OBJECT", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotJsonObject, {"IS NOT JSON OBJECT", OpForm::kPostfix, 28}},
    Entry{Op::kIsJsonArray, {"IS JSON ARRAY", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotJsonArray, {"IS NOT JSON ARRAY", OpForm::kPostfix, 28}},
    Entry{Op::kIsJsonScalar, {"IS JSON SCALAR", OpForm::kPostfix, 28}},
    Entry{Op::kIsNotJsonScalar, {"IS NOT JSON SCALAR", OpForm::kPostfix, 28}},
    Entry{Op::kLike, {"LIKE", OpForm::kLike, 32}},
    Entry{Op::kNotLike, {"NOT LIKE", OpForm::kLike, 32}},
    Entry{Op::kSimilarTo, {"SIMILAR TO", OpForm::kLike, 32}},
    Entry{Op::kNotSimilarTo, {"NOT SIMILAR TO", OpForm::kLike, 32}},
    Entry{Op::kBetween, {"BETWEEN ASYMMETRIC", OpForm::kRange, 32}},
    Entry{Op::kNotBetween, {"NOT BETWEEN ASYMMETRIC", OpForm::kRange, 32}},
    Entry{Op::kBetweenSymmetric, {"BETWEEN SYMMETRIC", OpForm::kRange, 32}},
    Entry{Op::kNotBetweenSymmetric, {"NOT BETWEEN SYMMETRIC", OpForm::kRange, 32}},
    Entry{Op::kPlus, {"+", OpForm::kBinary, 40}},
    Entry{Op::kMinus, {"-", OpForm::kBinary, 40}},
    Entry{Op::kMultiply, {"*", OpForm::kBinary, 60}},
    Entry{Op::kDivide, {"/", OpForm::kBinary, 60}},
    Entry{Op::kModulo, {"%", OpForm::kBinary, 60}},
    Entry{Op::kConcat, {"||", OpForm::kBinary, 60}},
    Entry{Op::kUnaryPlus, {"+", OpForm::kPrefix, 80}},
    Entry{Op::kUnaryMinus, {"-", OpForm::kPrefix, 80}},
    Entry{Op::kItem, {"ITEM", OpForm::kItem, 100}},
    Entry{Op::kOverlaps, {"OVERLAPS", OpForm::kBinary, 30}},
};

constexpr bool in_order() {
  for (size_t i = 0; i < kEntries.size(); ++i) {
    if (static_cast<size_t>(kEntries[i].op) != i) {
      return false;
    }
  }
  return true;
}

static_assert(in_order(), "one entry for each Op, in the order of the enumeration");

}  // namespace

const OpText& op_text(Op op) {
  return kEntries[static_cast<size_t>(op)].text;
}

std::string_view to_string(Op op) {
  return op_text(op).text;
}

}  // namespace thalweg::sql
