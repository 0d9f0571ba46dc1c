#include "thalweg/formats/csv/csv_splitter.h"

#include <cstring>

#include <fmt/format.h>

namespace thalweg::formats {

namespace {

constexpr size_t kNone = std::string_view::npos;

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

/// One past the line end that starts at `at`. A carriage return at the very end of the bytes may
/// have a line feed behind it, so it is not complete.
size_t past_line_end(std::string_view bytes, size_t at) {
  if (bytes[at] == '\n') {
    return at + 1;
  }
  if (at + 1 == bytes.size()) {
    return kNone;
  }
  return bytes[at + 1] == '\n' ? at + 2 : at + 1;
}

}  // namespace

CsvSplitter::CsvSplitter(const CsvOptions& options)
    : delimiter_(options.delimiter),
      quote_(options.quote.value_or('\0')),
      escape_(options.escape.value_or('\0')),
      quoting_(options.quote.has_value()),
      escaping_(options.escape.has_value()),
      comments_(options.allow_comments) {}

bool CsvSplitter::at_delimiter(std::string_view bytes, size_t at) const {
  return bytes[at] == delimiter_[0] &&
         (delimiter_.size() == 1 || bytes.substr(at).starts_with(delimiter_));
}

size_t CsvSplitter::record_end(std::string_view bytes) const {
  const size_t newline = bytes.find('\n');
  const std::string_view line = bytes.substr(0, newline);
  const bool special =
      (quoting_ && line.find(quote_) != kNone) || (escaping_ && line.find(escape_) != kNone);
  if (comments_ && special) {
    const size_t first = line.find_first_not_of(' ');
    if (first != kNone && line[first] == '#') {
      return plain_record_end(bytes, newline);
    }
  }
  return special ? scan_record_end(bytes) : plain_record_end(bytes, newline);
}

size_t CsvSplitter::plain_record_end(std::string_view bytes, size_t newline) const {
  const size_t end = bytes.substr(0, newline).find('\r');
  if (end != kNone) {
    return past_line_end(bytes, end);
  }
  return newline == kNone ? kNone : newline + 1;
}

/// One past the quote that closes the field opened just before `at`, or npos.
size_t CsvSplitter::quoted_end(std::string_view bytes, size_t at) const {
  while (at < bytes.size()) {
    if (is_escape(bytes[at])) {
      at += 2;
    } else if (!is_quote(bytes[at])) {
      ++at;
    } else if (at + 1 < bytes.size() && is_quote(bytes[at + 1])) {
      at += 2;
    } else {
      return at + 1;
    }
  }
  return kNone;
}

size_t CsvSplitter::scan_record_end(std::string_view bytes) const {
  bool field_start = true;
  for (size_t at = 0; at < bytes.size();) {
    const char c = bytes[at];
    if (field_start && is_quote(c)) {
      at = quoted_end(bytes, at + 1);
      if (at == kNone) {
        return kNone;
      }
      field_start = false;
    } else if (is_line_end(c)) {
      return past_line_end(bytes, at);
    } else if (at_delimiter(bytes, at)) {
      at += delimiter_.size();
      field_start = true;
    } else {
      at += is_escape(c) ? 2 : 1;
      field_start = false;
    }
  }
  return kNone;
}

bool CsvSplitter::is_plain(std::string_view record) const {
  return !(quoting_ && record.find(quote_) != kNone) &&
         !(escaping_ && record.find(escape_) != kNone) && record.find('\n') == kNone &&
         record.find('\r') == kNone;
}

void CsvSplitter::start(std::string_view record) {
  record_ = record;
  at_ = 0;
  ended_ = false;
  plain_ = delimiter_.size() == 1 && is_plain(record);
  problem_.clear();
}

CsvSplitter::Step CsvSplitter::next(std::string_view& field) {
  if (ended_) {
    return Step::kEnd;
  }
  if (plain_) {
    return next_plain(field);
  }
  if (at_ < record_.size() && is_quote(record_[at_])) {
    return next_quoted(field);
  }
  return next_unquoted(field);
}

CsvSplitter::Step CsvSplitter::next_plain(std::string_view& field) {
  const char* const begin = record_.data() + at_;
  const size_t left = record_.size() - at_;
  const void* const found = left == 0 ? nullptr : std::memchr(begin, delimiter_[0], left);
  if (found == nullptr) {
    field = {begin, left};
    ended_ = true;
    return Step::kField;
  }
  const auto length = static_cast<size_t>(static_cast<const char*>(found) - begin);
  field = {begin, length};
  at_ += length + 1;
  return Step::kField;
}

/// The character behind an escape, which `at_` is on.
bool CsvSplitter::append_unescaped() {
  if (at_ + 1 >= record_.size()) {
    problem_ = "Unexpected EOF in escaped character";
    return false;
  }
  const char c = record_[at_ + 1];
  scratch_ += c == '0' ? '\0' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
  at_ += 2;
  return true;
}

CsvSplitter::Step CsvSplitter::next_unquoted(std::string_view& field) {
  scratch_.clear();
  while (at_ < record_.size()) {
    const char c = record_[at_];
    if (at_delimiter(record_, at_)) {
      at_ += delimiter_.size();
      field = scratch_;
      return Step::kField;
    }
    if (is_line_end(c)) {
      break;
    }
    if (is_escape(c)) {
      if (!append_unescaped()) {
        return Step::kBroken;
      }
    } else {
      scratch_ += c;
      ++at_;
    }
  }
  ended_ = true;
  field = scratch_;
  return Step::kField;
}

CsvSplitter::Step CsvSplitter::next_quoted(std::string_view& field) {
  scratch_.clear();
  ++at_;
  for (;;) {
    if (at_ >= record_.size()) {
      problem_ = "Missing closing quote for value";
      return Step::kBroken;
    }
    const char c = record_[at_];
    if (is_quote(c)) {
      ++at_;
      if (at_ >= record_.size() || !is_quote(record_[at_])) {
        break;
      }
      scratch_ += c;
      ++at_;
    } else if (is_escape(c)) {
      if (!append_unescaped()) {
        return Step::kBroken;
      }
    } else {
      scratch_ += c;
      ++at_;
    }
  }
  field = scratch_;
  return finish_quoted();
}

/// What may stand between a closing quote and the next field: spaces.
CsvSplitter::Step CsvSplitter::finish_quoted() {
  while (at_ < record_.size()) {
    const char c = record_[at_];
    if (at_delimiter(record_, at_)) {
      at_ += delimiter_.size();
      return Step::kField;
    }
    if (is_line_end(c)) {
      break;
    }
    if (static_cast<unsigned char>(c) > ' ') {
      problem_ = fmt::format(
          "Unexpected character ('{}'): Expected column separator character ('{}') or end-of-line",
          c,
          delimiter_);
      return Step::kBroken;
    }
    ++at_;
  }
  ended_ = true;
  return Step::kField;
}

}  // namespace thalweg::formats
