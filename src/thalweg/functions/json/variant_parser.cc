#include "thalweg/functions/json/variant_parser.h"

#include <charconv>
#include <optional>

#include "thalweg/types/text.h"

namespace thalweg::functions {

namespace {

constexpr int32_t kMostDigits = 38;

struct Decimal {
  Int128 unscaled = 0;
  int32_t scale = 0;
};

/// nullopt for numbers with an exponent or too many digits.
std::optional<Decimal> exact_decimal(std::string_view token) {
  Decimal result;
  int32_t digits = 0;
  bool behind_point = false;
  for (const char c : token) {
    if (c == 'e' || c == 'E') {
      return std::nullopt;
    }
    if (c == '.') {
      behind_point = true;
    } else if (c != '-') {
      digits += digits > 0 || c != '0' ? 1 : 0;
      result.scale += behind_point ? 1 : 0;
      if (digits > kMostDigits || result.scale > kMostDigits) {
        return std::nullopt;
      }
      result.unscaled = result.unscaled * 10 + (c - '0');
    }
  }
  result.unscaled = token.front() == '-' ? -result.unscaled : result.unscaled;
  return result;
}

}  // namespace

VariantParser::Outcome VariantParser::parse(std::string_view json,
                                            bool allow_duplicate_keys,
                                            std::string& out) {
  builder_.clear();
  entries_.clear();
  keeps_last_ = allow_duplicate_keys;
  has_repeated_key_ = false;
  JsonCursor cursor(json);
  if (!value(cursor, 0)) {
    return has_repeated_key_ ? Outcome::kRepeatedKey : Outcome::kNotJson;
  }
  return builder_.finish(out) ? Outcome::kDone : Outcome::kTooLong;
}

bool VariantParser::value(JsonCursor& cursor, int depth) {
  const char first = cursor.peek();
  if (depth > JsonCursor::kDeepest) {
    return false;
  }
  switch (first) {
    case '{':
      return object(cursor, depth);
    case '[':
      return array(cursor, depth);
    case '"':
      return text(cursor);
    case 't':
    case 'f':
      builder_.append_boolean(first == 't');
      return cursor.word(first == 't' ? "true" : "false");
    case 'n':
      builder_.append_null();
      return cursor.word("null");
    default:
      return number(cursor);
  }
}

bool VariantParser::text(JsonCursor& cursor) {
  std::string_view token;
  if (!cursor.string_token(token, buffer_)) {
    return false;
  }
  builder_.append_string(token);
  return true;
}

bool VariantParser::object(JsonCursor& cursor, int depth) {
  const size_t begin = builder_.begin();
  const size_t first_entry = entries_.size();
  const bool is_json = cursor.members([&] {
    const uint32_t key = builder_.key(cursor.key());
    entries_.push_back({key, static_cast<uint32_t>(builder_.begin() - begin)});
    return value(cursor, depth + 1);
  });
  if (!is_json) {
    return false;
  }
  has_repeated_key_ = !builder_.finish_object(begin, entries_, first_entry, keeps_last_);
  return !has_repeated_key_;
}

bool VariantParser::array(JsonCursor& cursor, int depth) {
  const size_t begin = builder_.begin();
  const size_t first_entry = entries_.size();
  const bool is_json = cursor.elements([&] {
    entries_.push_back({0, static_cast<uint32_t>(builder_.begin() - begin)});
    return value(cursor, depth + 1);
  });
  if (is_json) {
    builder_.finish_array(begin, entries_, first_entry);
  }
  return is_json;
}

bool VariantParser::number(JsonCursor& cursor) {
  std::string_view token;
  if (!cursor.number(token)) {
    return false;
  }
  int64_t integer = 0;
  const auto end = std::from_chars(token.data(), token.data() + token.size(), integer);
  if (end.ec == std::errc{} && end.ptr == token.data() + token.size()) {
    builder_.append_integer(integer);
  } else if (const auto decimal = exact_decimal(token)) {
    builder_.append_decimal(decimal->unscaled, decimal->scale);
  } else {
    builder_.append_double(text::parse_double(token).value_or(0));
  }
  return true;
}

}  // namespace thalweg::functions
