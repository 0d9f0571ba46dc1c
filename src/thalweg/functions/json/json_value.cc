#include "thalweg/functions/json/json_value.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "thalweg/expression/utf8.h"

namespace thalweg::functions {

namespace {

constexpr int kDeepest = 1000;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool value(JsonValue& out, int depth) {
    skip_space();
    if (at_ == text_.size() || depth > kDeepest) {
      return false;
    }
    switch (text_[at_]) {
      case '{':
        return object(out, depth);
      case '[':
        return array(out, depth);
      case '"':
        out.kind = JsonValue::Kind::kString;
        out.text.clear();
        return string(out.text);
      case 't':
        out.kind = JsonValue::Kind::kBoolean;
        out.boolean = true;
        return word("true");
      case 'f':
        out.kind = JsonValue::Kind::kBoolean;
        return word("false");
      case 'n':
        return word("null");
      default:
        return number(out);
    }
  }

  /// As value, keeping nothing of it.
  bool skip(int depth) {
    skip_space();
    if (at_ == text_.size() || depth > kDeepest) {
      return false;
    }
    switch (text_[at_]) {
      case '{':
        return members([this, depth] { return skip(depth + 1); });
      case '[':
        return elements([this, depth] { return skip(depth + 1); });
      case '"':
        return skip_string();
      default:
        return value(scratch_, depth);
    }
  }

  /// The member that `names` lead to, one in the other: the last of equal ones. Reads all of the
  /// text, which may be wrong behind it.
  bool find(std::span<const std::string> names, int depth, std::optional<JsonValue>& out) {
    skip_space();
    if (names.empty()) {
      return value(out.emplace(), depth);
    }
    out.reset();
    if (at_ == text_.size() || text_[at_] != '{') {
      return skip(depth);
    }
    return members([&] {
      return key_ == names[0] ? find(names.subspan(1), depth + 1, out) : skip(depth + 1);
    });
  }

 private:
  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_space();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  /// A word or number ends here.
  bool at_end_of_token() const {
    return at_ == text_.size() ||
           std::string_view(" \t\r\n,]}:").find(text_[at_]) != std::string_view::npos;
  }

  bool word(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) {
      return false;
    }
    at_ += expected.size();
    return at_end_of_token();
  }

  size_t digits() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      ++at_;
    }
    return at_ - begin;
  }

  bool number(JsonValue& out) {
    const size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '-') {
      ++at_;
    }
    const bool leading_zero = at_ < text_.size() && text_[at_] == '0';
    const size_t whole = digits();
    if (whole == 0 || (leading_zero && whole > 1)) {
      return false;
    }
    bool is_decimal = false;
    if (at_ < text_.size() && text_[at_] == '.') {
      is_decimal = true;
      ++at_;
      if (digits() == 0) {
        return false;
      }
    }
    if (at_ < text_.size() && (text_[at_] | 0x20) == 'e') {
      is_decimal = true;
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) {
        ++at_;
      }
      if (digits() == 0) {
        return false;
      }
    }
    out.kind = JsonValue::Kind::kNumber;
    const std::string_view token = text_.substr(begin, at_ - begin);
    out.text = is_decimal ? big_decimal_text(token) : (token == "-0" ? "0" : std::string(token));
    return at_end_of_token();
  }

  bool hex4(uint32_t& code) {
    if (at_ + 4 > text_.size()) {
      return false;
    }
    const char* begin = text_.data() + at_;
    const auto end = std::from_chars(begin, begin + 4, code, 16);
    at_ += 4;
    return end.ec == std::errc{} && end.ptr == begin + 4;
  }

  bool escape(std::string& out) {
    if (at_ == text_.size()) {
      return false;
    }
    const char c = text_[at_++];
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const size_t plain = kNames.find(c);
    if (plain != std::string_view::npos) {
      out += kMeanings[plain];
      return true;
    }
    uint32_t code = 0;
    if (c != 'u' || !hex4(code)) {
      return false;
    }
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      uint32_t low = 0;
      if (!hex4(low)) {
        return false;
      }
      code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
    }
    utf8::append(out, code);
    return true;
  }

  /// To the next quote, escape or control character.
  std::string_view plain_text() {
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' &&
           static_cast<unsigned char>(text_[at_]) >= 0x20) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  bool string(std::string& out) {
    ++at_;
    while (true) {
      out += plain_text();
      if (at_ == text_.size()) {
        return false;
      }
      const char c = text_[at_++];
      if (c == '"') {
        return true;
      }
      if (c != '\\' || !escape(out)) {
        return false;
      }
    }
  }

  bool skip_string() {
    const size_t begin = at_++;
    plain_text();
    if (at_ < text_.size() && text_[at_] == '"') {
      ++at_;
      return true;
    }
    at_ = begin;
    scratch_.text.clear();
    return string(scratch_.text);
  }

  /// `[`, and `element()` for each element.
  template <typename Element>
  bool elements(Element element) {
    ++at_;
    if (take(']')) {
      return true;
    }
    do {
      if (!element()) {
        return false;
      }
    } while (take(','));
    return take(']');
  }

  /// `{`, and `member()` for each value, whose key is then in key_.
  template <typename Member>
  bool members(Member member) {
    ++at_;
    if (take('}')) {
      return true;
    }
    do {
      skip_space();
      key_.clear();
      if (at_ == text_.size() || text_[at_] != '"' || !string(key_) || !take(':') || !member()) {
        return false;
      }
    } while (take(','));
    return take('}');
  }

  bool array(JsonValue& out, int depth) {
    out.kind = JsonValue::Kind::kArray;
    return elements([&] { return value(out.items.emplace_back(), depth + 1); });
  }

  bool object(JsonValue& out, int depth) {
    out.kind = JsonValue::Kind::kObject;
    return members([&] {
      std::string key = std::move(key_);
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

  std::string_view text_;
  size_t at_ = 0;
  /// Of the member that is being read.
  std::string key_;
  /// For what is not kept.
  JsonValue scratch_;
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

std::optional<JsonValue> find_member(std::string_view text, std::span<const std::string> names) {
  std::optional<JsonValue> found;
  return Parser(text).find(names, 0, found) ? found : std::nullopt;
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

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

std::string scalar_text(const JsonValue& value) {
  return value.kind == JsonValue::Kind::kBoolean ? (value.boolean ? "true" : "false") : value.text;
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
