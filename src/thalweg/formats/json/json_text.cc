#include "thalweg/formats/json/json_text.h"

#include <array>
#include <cstdlib>

#include "thalweg/formats/number_text.h"
#include "thalweg/types/text.h"

namespace thalweg::formats {

namespace {

constexpr int kMaxDepth = 1000;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}

/// The length of the number at the front, 0 when there is none.
size_t number_length(std::string_view text) {
  size_t at = 0;
  const auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at])) {
      ++at;
    }
    return at - begin;
  };
  at += !text.empty() && text[0] == '-' ? 1 : 0;
  const bool zero = at < text.size() && text[at] == '0';
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) {
    return 0;
  }
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (digits() == 0) {
      return 0;
    }
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    at += at < text.size() && (text[at] == '-' || text[at] == '+') ? 1 : 0;
    if (digits() == 0) {
      return 0;
    }
  }
  return at;
}

/// One past the closing quote of the string at the front, or npos.
size_t string_length(std::string_view text) {
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

/// Checks a value by recursive descent.
class Checker {
 public:
  explicit Checker(std::string_view text) : rest_(text) {}

  bool whole() {
    if (!value(0)) {
      return false;
    }
    skip_spaces();
    return rest_.empty();
  }

 private:
  void skip_spaces() {
    while (!rest_.empty() && is_space(rest_.front())) {
      rest_.remove_prefix(1);
    }
  }

  bool take(char c) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  bool string() {
    skip_spaces();
    if (rest_.empty() || rest_.front() != '"') {
      return false;
    }
    const size_t length = string_length(rest_);
    if (length == std::string_view::npos) {
      return false;
    }
    rest_.remove_prefix(length);
    return true;
  }

  bool literal() {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (rest_.starts_with(word)) {
        rest_.remove_prefix(word.size());
        return rest_.empty() || !std::isalnum(static_cast<unsigned char>(rest_.front()));
      }
    }
    const size_t length = number_length(rest_);
    rest_.remove_prefix(length);
    return length > 0;
  }

  bool items(char close, bool named, int depth) {
    rest_.remove_prefix(1);
    if (take(close)) {
      return true;
    }
    do {
      if ((named && !(string() && take(':'))) || !value(depth + 1)) {
        return false;
      }
    } while (take(','));
    return take(close);
  }

  bool value(int depth) {
    skip_spaces();
    if (rest_.empty() || depth > kMaxDepth) {
      return false;
    }
    switch (rest_.front()) {
      case '{':
        return items('}', true, depth);
      case '[':
        return items(']', false, depth);
      case '"':
        return string();
      default:
        return literal();
    }
  }

  std::string_view rest_;
};

void append_hex_escape(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[value >> 4U];
  out += kHex[value & 15U];
}

/// Whole numbers stay as they are; others become a double, or lose their trailing zeros.
void append_number(std::string& out, std::string_view token, bool exact_decimals) {
  if (token.find_first_of(".eE") == std::string_view::npos) {
    out += token == "-0" ? "0" : token;
    return;
  }
  if (exact_decimals) {
    // 38 digits, as DECIMAL has: the scale that keeps the most of them.
    const std::optional<Int128> value = text::parse_decimal(token, 38, 18);
    if (value) {
      append_stripped_decimal(out, *value, 18);
      return;
    }
  }
  text::append_double(out, std::strtod(std::string(token).c_str(), nullptr));
}

/// Puts control characters inside strings right, and ends behind the first value.
class Tolerator {
 public:
  std::string repair(std::string_view record) {
    for (size_t i = 0; i < record.size() && !done_; ++i) {
      in_string_ ? string_char(record[i]) : plain_char(record[i]);
    }
    return std::move(out_);
  }

 private:
  void string_char(char c) {
    if (is_control(c)) {
      append_hex_escape(out_, c);
      escaped_ = false;
      return;
    }
    out_ += c;
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
    }
  }

  void plain_char(char c) {
    out_ += c;
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      done_ = --depth_ <= 0;
    }
  }

  std::string out_;
  int depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
  bool done_ = false;
};

}  // namespace

bool is_json_number(std::string_view token) {
  return !token.empty() && number_length(token) == token.size();
}

bool is_json_scalar(std::string_view token) {
  token = trim_java(token);
  if (token.empty()) {
    return false;
  }
  switch (token.front()) {
    case '"':
      return token.size() > 1 && token.back() == '"';
    case 't':
      return token == "true";
    case 'f':
      return token == "false";
    case 'n':
      return token == "null";
    default:
      return is_json_number(token);
  }
}

bool is_json(std::string_view text) {
  return Checker(text).whole();
}

void append_compact_json(std::string& out, std::string_view json, bool exact_decimals) {
  for (size_t at = 0; at < json.size();) {
    const std::string_view rest = json.substr(at);
    const char c = rest.front();
    size_t length = 1;
    if (is_space(c)) {
      // Dropped.
    } else if (c == '"') {
      length = std::min(string_length(rest), rest.size());
      out += rest.substr(0, length);
    } else if (c == '-' || is_digit(c)) {
      length = std::max<size_t>(number_length(rest), 1);
      append_number(out, rest.substr(0, length), exact_decimals);
    } else {
      out += c;
    }
    at += length;
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  size_t clean = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!is_control(c) && c != '"' && c != '\\') {
      continue;
    }
    out.append(text, clean, i - clean);
    clean = i + 1;
    constexpr std::string_view kNamed = "\b\t\n\f\r\"\\";
    constexpr std::string_view kLetters = "btnfr\"\\";
    const size_t named = kNamed.find(c);
    if (named != std::string_view::npos) {
      out += '\\';
      out += kLetters[named];
    } else {
      append_hex_escape(out, c);
    }
  }
  out.append(text, clean, text.size() - clean);
  out += '"';
}

std::optional<std::string> tolerate_json(std::string_view record) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view rest = record;
  if (rest.starts_with(kByteOrderMark)) {
    rest.remove_prefix(kByteOrderMark.size());
  }
  std::string repaired = Tolerator().repair(rest);
  if (repaired == record) {
    return std::nullopt;
  }
  return repaired;
}

}  // namespace thalweg::formats
