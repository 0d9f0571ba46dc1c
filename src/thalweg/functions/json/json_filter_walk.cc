// Whether an item meets the condition of a path's filter, by the rules of Jayway's evaluators.
#include <algorithm>

#include "thalweg/functions/java_text.h"
#include "thalweg/functions/json/json_filter.h"
#include "thalweg/functions/json/json_number.h"
#include "thalweg/functions/json/json_path_walk.h"

namespace thalweg::functions::json_path {

namespace {

/// A side of a comparison for one item.
struct Side {
  enum class Kind : uint8_t { kMissing, kNull, kBoolean, kNumber, kString, kJson, kPattern };

  Kind kind = Kind::kMissing;
  bool boolean = false;
  std::string_view text = {};
  /// An array or object; nullptr for one that is no JSON. `is_written`: in the path itself.
  const JsonValue* json = nullptr;
  bool is_written = false;
  Regex* pattern = nullptr;

  bool is_array() const {
    return kind == Kind::kJson && json != nullptr && json->kind == JsonValue::Kind::kArray;
  }
};

Side side_of(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return {Side::Kind::kNull};
    case JsonValue::Kind::kBoolean:
      return {Side::Kind::kBoolean, value.boolean};
    case JsonValue::Kind::kNumber:
      return {Side::Kind::kNumber, false, value.text};
    case JsonValue::Kind::kString:
      return {Side::Kind::kString, false, value.text};
    case JsonValue::Kind::kArray:
    case JsonValue::Kind::kObject:
      return {Side::Kind::kJson, false, {}, &value};
  }
  return {};
}

bool equal_json(const JsonValue& left, const JsonValue& right) {
  if (left.kind != right.kind || left.items.size() != right.items.size()) {
    return false;
  }
  if (left.is_scalar()) {
    return scalar_text(left) == scalar_text(right);
  }
  for (size_t i = 0; i < left.items.size(); ++i) {
    const JsonValue* other =
        left.kind == JsonValue::Kind::kObject ? right.member(left.keys[i]) : &right.items[i];
    if (other == nullptr || !equal_json(left.items[i], *other)) {
      return false;
    }
  }
  return true;
}

/// From the left side's view: a text equals a number that is written as it is, a number equals a
/// text of its value. What the path itself says in JSON equals no other JSON.
bool equal(const Side& left, const Side& right) {
  using Kind = Side::Kind;
  switch (left.kind) {
    case Kind::kNull:
      return right.kind == Kind::kNull;
    case Kind::kBoolean:
      return right.kind == Kind::kBoolean && left.boolean == right.boolean;
    case Kind::kString:
      return (right.kind == Kind::kString || right.kind == Kind::kNumber) &&
             left.text == right.text;
    case Kind::kNumber:
      return right.kind == Kind::kNumber || (right.kind == Kind::kString && is_number(right.text))
                 ? compare_numbers(left.text, right.text) == 0
                 : false;
    case Kind::kJson:
      return right.kind == Kind::kJson && !left.is_written && left.json != nullptr &&
             right.json != nullptr && equal_json(*left.json, *right.json);
    case Kind::kMissing:
    case Kind::kPattern:
      return false;
  }
  return false;
}

bool contains(const Side& list, const Side& value) {
  return std::any_of(list.json->items.begin(), list.json->items.end(), [&](const JsonValue& item) {
    return equal(value, side_of(item));
  });
}

/// Numbers with numbers, texts with texts; nothing else has an order.
std::partial_ordering order(const Side& left, const Side& right) {
  if (left.kind != right.kind) {
    return std::partial_ordering::unordered;
  }
  if (left.kind == Side::Kind::kNumber) {
    return compare_numbers(left.text, right.text);
  }
  return left.kind == Side::Kind::kString ? std::partial_ordering(left.text <=> right.text)
                                          : std::partial_ordering::unordered;
}

bool matches(const Side& left, const Side& right) {
  const bool is_left = left.kind == Side::Kind::kPattern;
  if (is_left == (right.kind == Side::Kind::kPattern)) {
    return false;
  }
  Regex& pattern = *(is_left ? left : right).pattern;
  const Side& value = is_left ? right : left;
  const auto matches_one = [&](const Side& side) {
    if (side.kind == Side::Kind::kBoolean) {
      return pattern.matches(side.boolean ? "true" : "false");
    }
    return pattern.matches(side.text);
  };
  if (!value.is_array()) {
    return matches_one(value);
  }
  return std::any_of(value.json->items.begin(),
                     value.json->items.end(),
                     [&](const JsonValue& item) { return matches_one(side_of(item)); });
}

bool has_size(const Side& left, const Side& right) {
  if (right.kind != Side::Kind::kNumber) {
    return false;
  }
  int64_t size = -1;
  if (left.kind == Side::Kind::kString) {
    size = java_length(left.text);
  } else if (left.kind != Side::Kind::kJson) {
    return false;
  } else if (left.is_array()) {
    size = static_cast<int64_t>(left.json->items.size());
  }
  return compare_numbers(std::to_string(size), right.text) == 0;
}

/// An object is a failure, as in Jayway.
End is_empty(const Side& left, const Side& right, bool& result) {
  if (left.kind == Side::Kind::kString || left.kind == Side::Kind::kJson) {
    if (left.kind == Side::Kind::kJson && !left.is_array()) {
      return End::kFailed;
    }
    if (right.kind != Side::Kind::kBoolean) {
      return End::kInvalid;
    }
    const bool has_none =
        left.kind == Side::Kind::kString ? left.text.empty() : left.json->items.empty();
    result = has_none == right.boolean;
  }
  return End::kDone;
}

/// IN and the like: the right side is a list, and for some the left one too.
End compare_lists(Comparison comparison, const Side& left, const Side& right, bool& result) {
  const bool takes_value = comparison == Comparison::kIn || comparison == Comparison::kNotIn;
  for (const Side* side : {&right, &left}) {
    if (takes_value && side == &left) {
      break;
    }
    if (side->kind != Side::Kind::kJson) {
      return End::kInvalid;
    }
    if (!side->is_array()) {
      result = comparison == Comparison::kNotIn;
      return End::kDone;
    }
  }
  if (takes_value) {
    result = contains(right, left) == (comparison == Comparison::kIn);
    return End::kDone;
  }
  const auto is_on_right = [&](const JsonValue& item) { return contains(right, side_of(item)); };
  const std::vector<JsonValue>& items = left.json->items;
  if (comparison == Comparison::kSubsetOf) {
    result = std::all_of(items.begin(), items.end(), is_on_right);
  } else {
    const bool has_any = std::any_of(items.begin(), items.end(), is_on_right);
    result = has_any == (comparison == Comparison::kAnyOf);
  }
  return End::kDone;
}

End compare(Comparison comparison, const Side& left, const Side& right, bool& result) {
  result = false;
  switch (comparison) {
    case Comparison::kEqual:
      result = equal(left, right);
      return End::kDone;
    case Comparison::kNotEqual:
      result = !equal(left, right);
      return End::kDone;
    case Comparison::kSameEqual:
      result = left.kind == right.kind && equal(left, right);
      return End::kDone;
    case Comparison::kNotSameEqual:
      result = left.kind != right.kind || !equal(left, right);
      return End::kDone;
    case Comparison::kLess:
      result = order(left, right) < 0;
      return End::kDone;
    case Comparison::kLessOrEqual:
      result = order(left, right) <= 0;
      return End::kDone;
    case Comparison::kGreater:
      result = order(left, right) > 0;
      return End::kDone;
    case Comparison::kGreaterOrEqual:
      result = order(left, right) >= 0;
      return End::kDone;
    case Comparison::kPattern:
      result = matches(left, right);
      return End::kDone;
    case Comparison::kContains:
      if (left.kind == Side::Kind::kString && right.kind == Side::Kind::kString) {
        result = left.text.find(right.text) != std::string_view::npos;
      } else if (left.is_array()) {
        result = contains(left, right);
      }
      return End::kDone;
    case Comparison::kSize:
      result = has_size(left, right);
      return End::kDone;
    case Comparison::kEmpty:
      return is_empty(left, right, result);
    case Comparison::kIn:
    case Comparison::kNotIn:
    case Comparison::kSubsetOf:
    case Comparison::kAnyOf:
    case Comparison::kNoneOf:
      return compare_lists(comparison, left, right, result);
    case Comparison::kNever:
      return End::kInvalid;
  }
  return End::kFailed;
}

const JsonValue& start_of(const Steps& path,
                          const JsonValue& item,
                          const Surroundings& surroundings) {
  return path.starts_at_item ? item : surroundings.document;
}

End evaluate(const Operand& operand,
             const JsonValue& item,
             const Surroundings& surroundings,
             Side& side) {
  switch (operand.kind) {
    case Operand::Kind::kNull:
      side.kind = Side::Kind::kNull;
      return End::kDone;
    case Operand::Kind::kBoolean:
      side = {Side::Kind::kBoolean, operand.boolean};
      return End::kDone;
    case Operand::Kind::kNumber:
      side = {Side::Kind::kNumber, false, operand.text};
      return End::kDone;
    case Operand::Kind::kString:
      side = {Side::Kind::kString, false, operand.text};
      return End::kDone;
    case Operand::Kind::kPattern:
      side.kind = Side::Kind::kPattern;
      side.pattern = operand.pattern.get();
      return End::kDone;
    case Operand::Kind::kJson:
      side = {Side::Kind::kJson, false, {}, operand.json ? &*operand.json : nullptr, true};
      return operand.json ? End::kDone : End::kFailed;
    case Operand::Kind::kPath:
      break;
  }
  const JsonValue* value = nullptr;
  const End end =
      find_value(*operand.path, surroundings, start_of(*operand.path, item, surroundings), value);
  if (end == End::kDone) {
    side = value == nullptr ? Side{Side::Kind::kNull} : side_of(*value);
  }
  return end == End::kNotFound ? End::kDone : end;
}

/// The path is followed from the item, also where it starts with $ (Jayway's exists check).
End exists(const Operand& operand,
           const JsonValue& item,
           const Surroundings& surroundings,
           bool& result) {
  const JsonValue* value = nullptr;
  const End end = find_value(
      *operand.path, {surroundings.document, false, true, surroundings.made}, item, value);
  result = (end == End::kDone) != operand.is_negated;
  return end == End::kNotFound ? End::kDone : end;
}

/// As `meets`, with kInvalid where the condition cannot be judged.
End judge(const Filter& filter,
          const JsonValue& item,
          const Surroundings& surroundings,
          bool& result) {
  switch (filter.kind) {
    case Filter::Kind::kAnd:
    case Filter::Kind::kOr:
      for (const Filter& part : filter.parts) {
        const End end = judge(part, item, surroundings, result);
        if (end != End::kDone || result == (filter.kind == Filter::Kind::kOr)) {
          return end;
        }
      }
      return End::kDone;
    case Filter::Kind::kNot: {
      const End end = judge(filter.parts.front(), item, surroundings, result);
      result = !result;
      return end;
    }
    case Filter::Kind::kExists:
      return exists(filter.left, item, surroundings, result);
    case Filter::Kind::kCompare:
      break;
  }
  Side left;
  Side right;
  End end = evaluate(filter.left, item, surroundings, left);
  end = end == End::kDone ? evaluate(filter.right, item, surroundings, right) : end;
  return end == End::kDone ? compare(filter.comparison, left, right, result) : end;
}

}  // namespace

End meets(const Filter& filter,
          const JsonValue& item,
          const Surroundings& surroundings,
          bool& result) {
  result = false;
  const End end = judge(filter, item, surroundings, result);
  if (end == End::kInvalid || end == End::kNotFound) {
    result = false;
    return End::kDone;
  }
  return end;
}

}  // namespace thalweg::functions::json_path
