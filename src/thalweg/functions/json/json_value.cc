#include "thalweg/functions/json/json_value.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>

#include "thalweg/functions/json/json_cursor.h"

namespace thalweg::functions {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  /// `out` may hold another value, whose memory is used again.
  bool value(JsonValue& out, int depth) {
    const char first = cursor_.peek();
    if (depth > JsonCursor::kDeepest) {
      return false;
    }
    out.items.clear();
    out.keys.clear();
    switch (first) {
      case '{':
        return object(out, depth);
      case '[':
        return array(out, depth);
      case '"':
        out.kind = JsonValue::Kind::kString;
        out.text.clear();
        return cursor_.string(out.text);
      case 't':
      case 'f':
        out.kind = JsonValue::Kind::kBoolean;
        out.boolean = first == 't';
        return cursor_.word(out.boolean ? "true" : "false");
      case 'n':
        out.kind = JsonValue::Kind::kNull;
        return cursor_.word("null");
      default:
        return number(out);
    }
  }

  /// As value, keeping nothing of it.
  bool skip(int depth) {
    const char first = cursor_.peek();
    if (depth > JsonCursor::kDeepest) {
      return false;
    }
    switch (first) {
      case '{':
        return cursor_.members([this, depth] { return skip(depth + 1); });
      case '[':
        return cursor_.elements([this, depth] { return skip(depth + 1); });
      case '"':
        return cursor_.skip_string();
      case 't':
        return cursor_.word("true");
      case 'f':
        return cursor_.word("false");
      case 'n':
        return cursor_.word("null");
      default: {
        std::string_view token;
        return cursor_.number(token);
      }
    }
  }

  /// Puts the member that `names` lead to, one in the other, into `out` and sets `found`: the last
  /// of equal ones. Reads all of the text, which may be wrong behind it.
  bool find(std::span<const std::string> names, int depth, JsonValue& out, bool& found) {
    if (names.empty()) {
      found = true;
      return value(out, depth);
    }
    found = false;
    if (cursor_.peek() != '{') {
      return skip(depth);
    }
    return cursor_.members([&] {
      return cursor_.key() == names[0] ? find(names.subspan(1), depth + 1, out, found)
                                       : skip(depth + 1);
    });
  }

 private:
  bool number(JsonValue& out) {
    std::string_view token;
    if (!cursor_.number(token)) {
      return false;
    }
    out.kind = JsonValue::Kind::kNumber;
    const bool is_decimal = token.find_first_of(".eE") != std::string_view::npos;
    if (is_decimal) {
      out.text = big_decimal_text(token);
    } else {
      out.text = token == "-0" ? "0" : token;
    }
    return true;
  }

  bool array(JsonValue& out, int depth) {
    out.kind = JsonValue::Kind::kArray;
    return cursor_.elements([&] { return value(out.items.emplace_back(), depth + 1); });
  }

  bool object(JsonValue& out, int depth) {
    out.kind = JsonValue::Kind::kObject;
    return cursor_.members([&] {
      std::string key(cursor_.key());
      JsonValue member;
      if (!value(member, depth + 1)) {
        return false;
      }
      const auto known = std::find(out.keys.begin(), out.keys.end(), key);
      if (known != out.keys.end()) {
        out.items[static_cast<size_t>(known - out.keys.begin())] = std::move(member);
      } else {
        out.keys.push_back(std::move(key));
        out.items.push_back(std::move(member));
      }
      return true;
    });
  }

  JsonCursor cursor_;
};

}  // namespace

const JsonValue* JsonValue::member(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<size_t>(found - keys.begin())];
}

std::optional<JsonValue> parse_json(std::string_view text) {
  JsonValue value;
  return Parser(text).value(value, 0) ? std::optional(std::move(value)) : std::nullopt;
}

bool find_member(std::string_view text, std::span<const std::string> names, JsonValue& out) {
  bool found = false;
  return Parser(text).find(names, 0, out, found) && found;
}

std::string big_decimal_text(std::string_view number) {
  const bool negative = number.starts_with('-');
  number.remove_prefix(negative || number.starts_with('+') ? 1 : 0);
  const size_t mark = number.find_first_of("eE");
  int64_t exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view digits = number.substr(mark + 1);
    digits.remove_prefix(digits.starts_with('+') ? 1 : 0);
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    number = number.substr(0, mark);
  }
  std::string digits;
  int64_t scale = -exponent;
  bool behind_point = false;
  for (const char c : number) {
    if (c == '.') {
      behind_point = true;
    } else {
      digits += c;
      scale += behind_point ? 1 : 0;
    }
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  const auto count = static_cast<int64_t>(digits.size());
  const std::string sign = negative && digits != "0" ? "-" : "";
  const int64_t first_exponent = count - 1 - scale;
  if (scale >= 0 && first_exponent >= -6) {
    if (scale == 0) {
      return sign + digits;
    }
    if (count <= scale) {
      digits.insert(0, static_cast<size_t>(scale - count + 1), '0');
    }
    digits.insert(digits.size() - static_cast<size_t>(scale), ".");
    return sign + digits;
  }
  std::string text = sign + digits.substr(0, 1);
  if (count > 1) {
    text += "." + digits.substr(1);
  }
  return text + (first_exponent < 0 ? "E" : "E+") + std::to_string(first_exponent);
}

std::string_view scalar_text(const JsonValue& value) {
  return value.kind == JsonValue::Kind::kBoolean ? (value.boolean ? "true" : "false")
                                                 : std::string_view(value.text);
}

void append_json(std::string& out, const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      out += "null";
      return;
    case JsonValue::Kind::kBoolean:
    case JsonValue::Kind::kNumber:
      out += scalar_text(value);
      return;
    case JsonValue::Kind::kString:
      append_json_string(out, value.text);
      return;
    case JsonValue::Kind::kArray:
      out += '[';
      for (const JsonValue& item : value.items) {
        out += &item == value.items.data() ? "" : ",";
        append_json(out, item);
      }
      out += ']';
      return;
    case JsonValue::Kind::kObject: {
      std::vector<size_t> order(value.keys.size());
      std::iota(order.begin(), order.end(), size_t{0});
      std::sort(order.begin(), order.end(), [&value](size_t left, size_t right) {
        return value.keys[left] < value.keys[right];
      });
      out += '{';
      for (size_t i = 0; i < order.size(); ++i) {
        out += i == 0 ? "" : ",";
        append_json_string(out, value.keys[order[i]]);
        out += ':';
        append_json(out, value.items[order[i]]);
      }
      out += '}';
      return;
    }
  }
}

}  // namespace thalweg::functions
