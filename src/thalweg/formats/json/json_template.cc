#include "thalweg/formats/json/json_template.h"

#include "thalweg/formats/json/json_scalar.h"
#include "thalweg/formats/json/json_text.h"
#include "thalweg/formats/number_text.h"
#include "thalweg/formats/temporal_text.h"

namespace thalweg::formats {

struct JsonTemplate::Member {
  JsonMember name;
  Way way;
  Minute minute = {};
  JsonTemplate row = {};
};

JsonTemplate::JsonTemplate() = default;
JsonTemplate::~JsonTemplate() = default;
JsonTemplate::JsonTemplate(JsonTemplate&&) noexcept = default;
JsonTemplate& JsonTemplate::operator=(JsonTemplate&&) noexcept = default;

namespace {

constexpr size_t kWord = sizeof(uint64_t);

uint64_t word_at(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, sizeof(word));
  return word;
}

/// The low `bytes` bytes of a word.
uint64_t low_bytes(uint64_t bytes) {
  return bytes >= kWord ? ~uint64_t{0} : (uint64_t{1} << (8 * bytes)) - 1;
}

/// Looks at whole words: up to seven bytes behind the text must be readable.
bool has_backslash(std::string_view text) {
  constexpr uint64_t kOnes = 0x0101010101010101ULL;
  if (text.size() > 4 * kWord) {
    return std::memchr(text.data(), '\\', text.size()) != nullptr;
  }
  for (size_t at = 0; at < text.size(); at += kWord) {
    const uint64_t word = word_at(text.data() + at) ^ (kOnes * '\\');
    const uint64_t zeros = (word - kOnes) & ~word & (kOnes << 7U);
    if ((zeros & low_bytes(text.size() - at)) != 0) {
      return true;
    }
  }
  return false;
}

/// The view of a text of up to 12 bytes, made without a copy of unknown length: 12 bytes must be
/// readable.
StringView short_view(std::string_view text) {
  uint64_t words[2];
  std::memcpy(words, text.data(), sizeof(uint32_t));
  const uint64_t head = words[0] & 0xFFFFFFFFU & low_bytes(text.size());
  words[0] = text.size() | (head << 32U);
  words[1] = text.size() <= 4 ? 0 : word_at(text.data() + 4) & low_bytes(text.size() - 4);
  StringView view;
  std::memcpy(static_cast<void*>(&view), words, sizeof(view));
  return view;
}

void append_text(std::string_view text, ColumnBuilder& builder) {
  if (text.size() <= StringView::kInlineSize) {
    builder.append_view(short_view(text));
  } else {
    builder.append_string(text);
  }
}

/// A whole number of up to 18 digits without leading zeros.
bool parse_digits(std::string_view token, int64_t& value) {
  const bool negative = token.front() == '-';
  token.remove_prefix(negative ? 1 : 0);
  if (token.empty() || token.size() > 18 || (token.front() == '0' && token.size() > 1)) {
    return false;
  }
  uint64_t digits = 0;
  for (const char c : token) {
    const auto digit = static_cast<uint32_t>(c) - '0';
    if (digit > 9) {
      return false;
    }
    digits = digits * 10 + digit;
  }
  value = negative ? -static_cast<int64_t>(digits) : static_cast<int64_t>(digits);
  return true;
}

bool is_nested(char first) {
  return first == '{' || first == '[';
}

/// Digits, and a fraction if any: nearly every number there is.
bool is_plain_number(std::string_view token) {
  size_t at = token.front() == '-' ? 1 : 0;
  const auto digits = [&] {
    const size_t begin = at;
    while (at < token.size() && static_cast<uint32_t>(token[at]) - '0' < 10) {
      ++at;
    }
    return at - begin;
  };
  const bool zero = at < token.size() && token[at] == '0';
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) {
    return false;
  }
  if (at < token.size() && token[at] == '.') {
    ++at;
    if (digits() == 0) {
      return false;
    }
  }
  return at == token.size();
}

bool skip_value(JsonWalker& walker) {
  const char first = walker.peek();
  if (first == '"') {
    walker.skip();
    return true;
  }
  if (is_nested(first) || first == '\0') {
    return walker.skip_value();
  }
  const std::string_view token = walker.take_scalar();
  return is_plain_number(token) || is_json_scalar(token);
}

constexpr size_t kTimestampSize = std::string_view("2024-01-02 03:04:05.678").size();

/// "05.678" as milliseconds; negative when it is none.
int64_t parse_seconds(const char* text) {
  constexpr size_t kPlaces[] = {0, 1, 3, 4, 5};
  constexpr int64_t kUnits[] = {10'000, 1'000, 100, 10, 1};
  int64_t ms = 0;
  bool ok = text[2] == '.';
  for (size_t i = 0; i < std::size(kPlaces); ++i) {
    const auto digit = static_cast<uint32_t>(text[kPlaces[i]]) - '0';
    ok = ok && digit < 10;
    ms += static_cast<int64_t>(digit) * kUnits[i];
  }
  return ok && ms < 60'000 ? ms : -1;
}

}  // namespace

JsonTemplate::Way JsonTemplate::way_of(const DataType& type, const JsonOptions& options) {
  const bool is_short = type.is_timestamp() && type.precision() <= 3;
  switch (type.kind()) {
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return Way::kText;
    case TypeKind::kDouble:
      return Way::kDouble;
    case TypeKind::kBigInt:
      return Way::kBigInt;
    case TypeKind::kTimestamp:
      return is_short && !options.timestamp.zulu ? Way::kTimestamp : Way::kOther;
    case TypeKind::kRow:
      return Way::kRow;
    default:
      return Way::kOther;
  }
}

void JsonTemplate::learn(JsonPlan& plan, const JsonOptions& options) {
  options_ = &options;
  members_.clear();
  std::vector<bool> is_known(plan.type().child_count(), false);
  size_t known = 0;
  for (const JsonMember& name : plan.last_members()) {
    if (name.field() < 0) {
      members_.push_back({name, Way::kSkip});
      continue;
    }
    const auto field = static_cast<size_t>(name.field());
    JsonPlan& child = plan.child(field);
    if (is_known[field]) {
      break;  // a repeated member
    }
    is_known[field] = true;
    ++known;
    members_.push_back({name, way_of(child.type(), options)});
    if (members_.back().way == Way::kRow) {
      members_.back().row.learn(child, options);
    }
  }
  if (known != is_known.size() || members_.size() != plan.last_members().size()) {
    members_.clear();  // some are missing, which is the reader's to judge
  }
}

bool JsonTemplate::read(JsonWalker& walker, std::span<ColumnBuilder> builders) {
  if (members_.empty()) {
    return false;
  }
  const Member* const last = &members_.back();
  for (Member& member : members_) {
    if (walker.peek() != '"' || !member.name.matches(walker.pointer() + 1)) {
      return false;
    }
    walker.skip();
    if (!walker.take(':')) {
      return false;
    }
    if (member.way == Way::kSkip) {
      if (!skip_value(walker)) {
        return false;
      }
    } else if (!read_value(member, walker, builders[static_cast<size_t>(member.name.field())])) {
      return false;
    }
    if (!walker.take(&member == last ? '}' : ',')) {
      return false;
    }
  }
  return true;
}

bool JsonTemplate::read_value(Member& member, JsonWalker& walker, ColumnBuilder& builder) const {
  const char first = walker.peek();
  if (first == '"') {
    const std::string_view text = walker.take_raw_string();
    return !has_backslash(text) && read_string(member, text, builder);
  }
  if (is_nested(first)) {
    if (first == '[' || member.way != Way::kRow) {
      return false;
    }
    walker.skip();
    if (!member.row.read(walker, std::span(&builder.child(0), builder.child_count()))) {
      return false;
    }
    builder.append_struct();
    return true;
  }
  if (first == '\0') {
    return false;
  }
  const std::string_view token = walker.take_scalar();
  if (token == "null") {
    builder.append_null();
    return true;
  }
  return read_token(member, token, builder);
}

bool JsonTemplate::read_string(Member& member,
                               std::string_view text,
                               ColumnBuilder& builder) const {
  switch (member.way) {
    case Way::kText:
      append_text(text, builder);
      return true;
    case Way::kTimestamp:
      return read_timestamp(member.minute, text, builder);
    case Way::kOther:
      return append_json_text(text, *options_, builder) == JsonOutcome::kDone;
    default:
      return false;
  }
}

bool JsonTemplate::read_token(const Member& member,
                              std::string_view token,
                              ColumnBuilder& builder) const {
  switch (member.way) {
    case Way::kDouble: {
      double value = 0;
      if (!parse_plain_double(token, value)) {
        return false;
      }
      builder.append(value);
      return true;
    }
    case Way::kBigInt: {
      int64_t value = 0;
      if (!parse_digits(token, value)) {
        return false;
      }
      builder.append(value);
      return true;
    }
    case Way::kOther:
      return append_json_token(token, *options_, builder) == JsonOutcome::kDone;
    default:
      return false;
  }
}

/// The minute, from its sixteen characters, is looked up or parsed; the seconds are added.
bool JsonTemplate::read_timestamp(Minute& minute,
                                  std::string_view text,
                                  ColumnBuilder& builder) const {
  const char* const begin = text.data();
  const bool is_usual = text.size() == kTimestampSize && begin[16] == ':';
  const int64_t seconds_ms = is_usual ? parse_seconds(begin + 17) : -1;
  if (seconds_ms >= 0 && word_at(begin) == minute.words[0] &&
      word_at(begin + kWord) == minute.words[1]) {
    builder.append(minute.ms + seconds_ms);
    return true;
  }
  const std::optional<Int128> value =
      parse_java_timestamp(text, options_->timestamp, builder.type().precision());
  if (!value) {
    return false;
  }
  const auto ms = static_cast<int64_t>(*value);
  builder.append(ms);
  // The end of a day is spelt 24:00:00, but nothing else of that minute is a time.
  if (seconds_ms >= 0 && text.substr(11, 2) != "24") {
    minute = {{word_at(begin), word_at(begin + kWord)}, ms - seconds_ms};
  }
  return true;
}

}  // namespace thalweg::formats
