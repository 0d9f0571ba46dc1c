#include "thalweg/functions/json/json_path_steps.h"

#include <algorithm>
#include <charconv>

#include "thalweg/functions/json/json_filter.h"
#include "thalweg/functions/json/json_path_text.h"

namespace thalweg::functions::json_path {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::optional<int32_t> integer(std::string_view text) {
  int32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(value) : std::nullopt;
}

/// Reads a path text once, step by step. Each reader is false when its step is a wrong one.
class Compiler {
 public:
  Compiler(std::string_view text, int depth) : text_(text), depth_(depth) {}

  std::optional<Steps> compile() {
    path_.starts_at_item = text_.at(0) == '@';
    at_ = 1;
    const bool is_root_alone = text_.size() == 1;
    if (!is_root_alone && text_.at(1) != '.' && text_.at(1) != '[') {
      return std::nullopt;
    }
    while (!is_at_end()) {
      if (!step()) {
        return std::nullopt;
      }
    }
    ask_scans_once();
    return std::move(path_);
  }

 private:
  /// A last character behind a step is not looked at, as in Jayway.
  bool is_at_end() const { return path_.steps.empty() ? !text_.has(at_) : at_ + 1 >= text_.size(); }

  bool step() {
    if (text_.at(at_) == '.') {
      const bool is_deep = text_.at(at_ + 1) == '.';
      at_ += is_deep ? 2 : 1;
      if (is_deep) {
        path_.steps.push_back({StepKind::kDeep});
      }
      if (!text_.has(at_) || text_.at(at_) == '.') {
        return false;
      }
    }
    switch (text_.at(at_)) {
      case '[':
        return bracket();
      case '*':
        ++at_;
        path_.steps.push_back({StepKind::kAll});
        return true;
      default:
        return name_or_function();
    }
  }

  bool bracket() {
    const char next = text_.at(text_.skip_blanks(at_ + 1));
    if (next == '\'' || next == '"') {
      return names(next);
    }
    if (next == '?') {
      return filter();
    }
    const size_t end = text_.find(']', at_);
    if (end == PathText::kNone) {
      return false;
    }
    const std::string_view inside = trimmed(text_.part(at_ + 1, end));
    at_ = end + 1;
    if (inside == "*") {
      path_.steps.push_back({StepKind::kAll});
      return true;
    }
    return inside.find(':') == std::string_view::npos ? indexes(inside) : slice(inside);
  }

  bool indexes(std::string_view inside) {
    Step step{StepKind::kIndexes};
    while (true) {
      const size_t comma = inside.find(',');
      const auto index = integer(trimmed(inside.substr(0, comma)));
      if (!index) {
        return false;
      }
      step.indexes.push_back(*index);
      if (comma == std::string_view::npos) {
        break;
      }
      inside.remove_prefix(comma + 1);
    }
    path_.steps.push_back(std::move(step));
    return true;
  }

  /// What stands behind a second colon is not looked at, but for its characters.
  bool slice(std::string_view inside) {
    const bool has_others = std::any_of(
        inside.begin(), inside.end(), [](char c) { return !is_digit(c) && c != '-' && c != ':'; });
    const size_t colon = inside.find(':');
    const std::string_view from = inside.substr(0, colon);
    std::string_view to = inside.substr(colon + 1);
    to = to.substr(0, to.find(':'));
    Step step{StepKind::kSlice};
    step.from = integer(from);
    step.to = integer(to);
    const bool is_wrong = (!from.empty() && !step.from) || (!to.empty() && !step.to);
    if (has_others || is_wrong || (!step.from && !step.to)) {
      return false;
    }
    path_.steps.push_back(std::move(step));
    return true;
  }

  bool names(char quote) {
    Step step{StepKind::kNames};
    size_t place = at_;
    do {
      place = text_.skip_blanks(place + 1);
      if (text_.at(place) != quote) {
        return false;
      }
      const size_t end = text_.closing_quote(place, quote);
      if (end == PathText::kNone) {
        return false;
      }
      step.names.push_back(unescaped(text_.part(place + 1, end)));
      place = text_.skip_blanks(end + 1);
    } while (text_.at(place) == ',');
    if (text_.at(place) != ']') {
      return false;
    }
    at_ = place + 1;
    path_.steps.push_back(std::move(step));
    return true;
  }

  bool filter() {
    const size_t open = text_.skip_blanks(text_.skip_blanks(at_ + 1) + 1);
    if (text_.at(open) != '(') {
      return false;
    }
    const size_t close = text_.closing_bracket(open, '(', ')', true);
    const size_t end = close == PathText::kNone ? close : text_.skip_blanks(close + 1);
    if (text_.at(end) != ']') {
      return false;
    }
    auto compiled = compile_filter(text_.part(open, close + 1), depth_ + 1);
    if (!compiled) {
      return false;
    }
    Step step{StepKind::kFilter};
    step.filter = std::make_shared<const Filter>(*std::move(compiled));
    path_.steps.push_back(std::move(step));
    at_ = end + 1;
    return true;
  }

  bool name_or_function() {
    size_t end = at_;
    while (text_.has(end) && text_.at(end) != '.' && text_.at(end) != '[' && text_.at(end) != '(') {
      if (text_.at(end) == ' ') {
        return false;
      }
      ++end;
    }
    std::string name(text_.part(at_, end));
    if (text_.at(end) == '(') {
      return function(std::move(name), end);
    }
    path_.steps.push_back({StepKind::kNames, {std::move(name)}});
    at_ = end;
    return true;
  }

  bool function(std::string name, size_t open) {
    Step step{StepKind::kFunction};
    step.function = std::move(name);
    // Without parameters Jayway goes on at the closing parenthesis, which may only be the last.
    at_ = open + 1;
    if (!text_.has(at_) || (text_.at(at_) != ')' && !parameters(step.parameters))) {
      return false;
    }
    path_.steps.push_back(std::move(step));
    return true;
  }

  /// Up to and with the closing parenthesis.
  bool parameters(std::vector<Parameter>& found) {
    int depth = 0;
    bool is_quoted = false;
    size_t begin = at_;
    for (; text_.has(at_); ++at_) {
      const char c = text_.at(at_);
      if (c == '"' && text_.at(at_ - 1) != '\\') {
        is_quoted = !is_quoted;
      }
      if (is_quoted) {
        continue;
      }
      const bool is_end = depth == 0 && c == ')';
      if (is_end || (depth == 0 && c == ',')) {
        if (!parameter(trimmed(text_.part(begin, at_)), found)) {
          return false;
        }
        begin = at_ + 1;
      }
      if (is_end) {
        ++at_;
        return true;
      }
      depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
      depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
    }
    return false;
  }

  /// What is neither a path nor JSON is passed over.
  bool parameter(std::string_view text, std::vector<Parameter>& found) const {
    const char first = text.empty() ? '\0' : text[0];
    if (first == '$' || first == '@') {
      auto path = compile_steps(text, depth_ + 1);
      if (!path) {
        return false;
      }
      found.push_back({std::make_shared<const Steps>(*std::move(path)), std::nullopt});
    } else if (first == '{' || first == '"' || first == '-' || is_digit(first)) {
      found.push_back({nullptr, parse_json(text)});
    }
    return true;
  }

  /// `$..a.sum()` is one sum over all that `..a` finds: sum($..a).
  void ask_scans_once() {
    std::vector<Step>& steps = path_.steps;
    if (!path_.ends_in_function() || steps.front().kind != StepKind::kDeep) {
      return;
    }
    const auto function = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
      return step.kind == StepKind::kFunction;
    });
    Steps scan;
    scan.steps.assign(steps.begin(), function);
    function->parameters = {{std::make_shared<const Steps>(std::move(scan)), std::nullopt}};
    steps.erase(steps.begin(), function);
  }

  PathText text_;
  int depth_;
  size_t at_ = 0;
  Steps path_;
};

}  // namespace

std::optional<Steps> compile_steps(std::string_view text, int depth) {
  text = trimmed(text);
  if (text.empty() || text.back() == '.' || depth > kDeepestPath) {
    return std::nullopt;
  }
  if (text[0] != '$' && text[0] != '@') {
    return compile_steps("$." + std::string(text), depth + 1);
  }
  return Compiler(text, depth).compile();
}

}  // namespace thalweg::functions::json_path
