#include "thalweg/functions/json/lenient_json.h"

#include "thalweg/functions/json/json_cursor.h"
#include "thalweg/functions/json/json_number.h"
#include "thalweg/functions/json/json_path_text.h"

namespace thalweg::functions {

namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool value(JsonValue& out, int depth) {
    if (depth > JsonCursor::kDeepest) {
      return false;
    }
    if (take('[')) {
      out.kind = JsonValue::Kind::kArray;
      return list(']', [&] { return value(out.items.emplace_back(), depth + 1); });
    }
    if (take('{')) {
      out.kind = JsonValue::Kind::kObject;
      return list('}', [&] {
        JsonValue key;
        if (!scalar(key, ":")) {
          return false;
        }
        out.keys.push_back(key.text);
        return take(':') && value(out.items.emplace_back(), depth + 1);
      });
    }
    return scalar(out, ",]}");
  }

  bool is_at_end() {
    skip_blanks();
    return at_ == text_.size();
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_blanks();
    const bool is_here = at_ < text_.size() && text_[at_] == c;
    at_ += is_here ? 1 : 0;
    return is_here;
  }

  template <typename Item>
  bool list(char close, Item item) {
    if (take(close)) {
      return true;
    }
    do {
      if (!item()) {
        return false;
      }
    } while (take(','));
    return take(close);
  }

  /// A quoted text, or what stands before one of `ends`.
  bool scalar(JsonValue& out, std::string_view ends) {
    skip_blanks();
    out.kind = JsonValue::Kind::kString;
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote == '\'' || quote == '"') {
      const size_t end = json_path::PathText(text_).closing_quote(at_, quote);
      if (end == json_path::PathText::kNone) {
        return false;
      }
      out.text = json_path::unescaped(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return true;
    }
    const size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    out.text = json_path::trimmed(text_.substr(at_, end - at_));
    at_ = end;
    if (out.text == "null") {
      out.kind = JsonValue::Kind::kNull;
    } else if (out.text == "true" || out.text == "false") {
      out.kind = JsonValue::Kind::kBoolean;
      out.boolean = out.text == "true";
    } else if (is_number(out.text)) {
      out.kind = JsonValue::Kind::kNumber;
    }
    return !out.text.empty();
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<JsonValue> parse_lenient_json(std::string_view text) {
  JsonValue value;
  Parser parser(text);
  return parser.value(value, 0) && parser.is_at_end() ? std::optional(std::move(value))
                                                      : std::nullopt;
}

}  // namespace thalweg::functions
