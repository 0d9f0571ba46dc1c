#include "thalweg/functions/json/json_path.h"

#include <algorithm>
#include <charconv>

namespace thalweg::functions {

/// Reads a path text once.
class JsonPath::Compiler {
 public:
  explicit Compiler(std::string_view text) : text_(text) {}

  std::optional<JsonPath> compile() {
    skip_space();
    take_mode();
    skip_space();
    while (!text_.empty() && is_space(text_.back())) {
      text_.remove_suffix(1);
    }
    if (text_.empty()) {
      return std::nullopt;
    }
    // A path without its $ starts with a name or with brackets.
    const bool starts_with_name = !take('$') && text_[0] != '[';
    if (starts_with_name && !name_step()) {
      return std::nullopt;
    }
    while (!text_.empty()) {
      if (!step()) {
        return std::nullopt;
      }
    }
    return std::move(path_);
  }

 private:
  static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

  void skip_space() {
    while (!text_.empty() && is_space(text_[0])) {
      text_.remove_prefix(1);
    }
  }

  bool take(char c) {
    if (text_.empty() || text_[0] != c) {
      return false;
    }
    text_.remove_prefix(1);
    return true;
  }

  void take_mode() {
    for (const std::string_view mode : {"lax", "strict"}) {
      const bool matches =
          text_.size() > mode.size() && is_space(text_[mode.size()]) &&
          std::equal(mode.begin(), mode.end(), text_.begin(), [](char wanted, char given) {
            return wanted == (given | 0x20);
          });
      if (matches) {
        path_.lax_ = mode == "lax";
        text_.remove_prefix(mode.size());
        return;
      }
    }
  }

  bool step() {
    if (text_[0] == '[') {
      return bracket();
    }
    if (!take('.')) {
      return false;
    }
    if (take('.')) {
      add({StepKind::kDeep, {}, {}, {}, {}}, false);
      if (!text_.empty() && text_[0] == '[') {
        return bracket();
      }
    } else if (!text_.empty() && text_[0] == '[') {
      return bracket();  // $.['a'] is $['a']
    }
    return name_step();
  }

  bool name_step() {
    if (take('*')) {
      add({StepKind::kAll, {}, {}, {}, {}}, false);
      return true;
    }
    const size_t end = text_.find_first_of(".[");
    const std::string_view name = text_.substr(0, end);
    if (name.empty() || name.find_first_of(" ()") != std::string_view::npos) {
      return false;
    }
    add({StepKind::kNames, {std::string(name)}, {}, {}, {}}, true);
    text_ = end == std::string_view::npos ? std::string_view() : text_.substr(end);
    return true;
  }

  void add(Step step, bool definite) {
    path_.definite_ = path_.definite_ && definite;
    path_.steps_.push_back(std::move(step));
  }

  bool bracket() {
    take('[');
    skip_space();
    if (text_.empty()) {
      return false;
    }
    if (take('*')) {
      skip_space();
      add({StepKind::kAll, {}, {}, {}, {}}, false);
      return take(']');
    }
    return text_[0] == '\'' || text_[0] == '"' ? names() : indexes();
  }

  bool names() {
    Step step{StepKind::kNames, {}, {}, {}, {}};
    do {
      skip_space();
      if (text_.empty()) {
        return false;
      }
      const char quote = text_[0];
      if (quote != '\'' && quote != '"') {
        return false;
      }
      text_.remove_prefix(1);
      std::string name;
      while (!text_.empty() && text_[0] != quote) {
        if (text_[0] == '\\' && text_.size() > 1) {
          text_.remove_prefix(1);
        }
        name += text_[0];
        text_.remove_prefix(1);
      }
      if (!take(quote)) {
        return false;
      }
      step.names.push_back(std::move(name));
      skip_space();
    } while (take(','));
    const bool single = step.names.size() == 1;
    add(std::move(step), single);
    return take(']');
  }

  std::optional<int64_t> number() {
    skip_space();
    int64_t value = 0;
    const auto end = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (end.ec != std::errc{}) {
      return std::nullopt;
    }
    text_.remove_prefix(static_cast<size_t>(end.ptr - text_.data()));
    skip_space();
    return value;
  }

  bool indexes() {
    const auto first = number();
    if (take(':')) {
      const auto last = number();
      add({StepKind::kSlice, {}, {}, first, last}, false);
      return take(']');
    }
    if (!first) {
      return false;
    }
    Step step{StepKind::kIndexes, {}, {*first}, {}, {}};
    while (take(',')) {
      const auto next = number();
      if (!next) {
        return false;
      }
      step.indexes.push_back(*next);
    }
    const bool single = step.indexes.size() == 1;
    add(std::move(step), single);
    return take(']');
  }

  std::string_view text_;
  JsonPath path_;
};

std::vector<std::string> JsonPath::names() const {
  std::vector<std::string> names;
  for (const Step& step : steps_) {
    if (step.kind != StepKind::kNames || step.names.size() != 1) {
      return {};
    }
    names.push_back(step.names[0]);
  }
  return names;
}

std::optional<JsonPath> JsonPath::compile(std::string_view text) {
  return Compiler(text).compile();
}

/// False when the path leads nowhere from here.
bool JsonPath::walk(const JsonValue& value,
                    size_t step,
                    std::vector<const JsonValue*>& found) const {
  if (step == steps_.size()) {
    found.push_back(&value);
    return true;
  }
  switch (steps_[step].kind) {
    case StepKind::kNames:
      return walk_names(value, step, found);
    case StepKind::kIndexes:
    case StepKind::kSlice:
      return walk_indexes(value, step, found);
    case StepKind::kAll:
      // What is missing behind a * is passed over.
      for (const JsonValue& item : value.items) {
        walk(item, step + 1, found);
      }
      return true;
    case StepKind::kDeep:
      walk_deep(value, step + 1, found);
      return true;
  }
  return false;
}

bool JsonPath::walk_names(const JsonValue& value,
                          size_t step,
                          std::vector<const JsonValue*>& found) const {
  if (value.kind != JsonValue::Kind::kObject) {
    return false;
  }
  const std::vector<std::string>& names = steps_[step].names;
  bool any = names.size() > 1;
  for (const std::string& name : names) {
    if (const JsonValue* member = value.member(name)) {
      any = walk(*member, step + 1, found) || any;
    }
  }
  return any;
}

bool JsonPath::walk_indexes(const JsonValue& value,
                            size_t step,
                            std::vector<const JsonValue*>& found) const {
  if (value.kind != JsonValue::Kind::kArray) {
    return false;
  }
  const Step& wanted = steps_[step];
  const auto size = static_cast<int64_t>(value.items.size());
  const auto from_end = [size](int64_t index) { return index < 0 ? index + size : index; };
  if (wanted.kind == StepKind::kSlice) {
    const int64_t begin = std::max<int64_t>(0, from_end(wanted.from.value_or(0)));
    const int64_t end = std::min(size, from_end(wanted.to.value_or(size)));
    for (int64_t i = begin; i < end; ++i) {
      walk(value.items[static_cast<size_t>(i)], step + 1, found);
    }
    return true;
  }
  bool any = wanted.indexes.size() > 1;
  for (const int64_t index : wanted.indexes) {
    const int64_t place = from_end(index);
    if (place >= 0 && place < size) {
      any = walk(value.items[static_cast<size_t>(place)], step + 1, found) || any;
    }
  }
  return any;
}

void JsonPath::walk_deep(const JsonValue& value,
                         size_t step,
                         std::vector<const JsonValue*>& found) const {
  if (step == steps_.size()) {
    return;
  }
  walk(value, step, found);
  for (const JsonValue& item : value.items) {
    walk_deep(item, step, found);
  }
}

std::optional<JsonValue> JsonPath::evaluate(const JsonValue& document) const {
  std::vector<const JsonValue*> found;
  const bool leads = walk(document, 0, found);
  if (definite_) {
    if (!found.empty()) {
      return *found.front();
    }
    return lax_ ? std::optional(JsonValue{}) : std::nullopt;
  }
  if (!leads && found.empty() && !lax_) {
    return std::nullopt;
  }
  JsonValue list;
  list.kind = JsonValue::Kind::kArray;
  for (const JsonValue* value : found) {
    list.items.push_back(*value);
  }
  return list;
}

}  // namespace thalweg::functions
