#include "thalweg/common/error.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "thalweg/common/check.h"

namespace thalweg {

namespace {

struct CodeEntry {
  ErrorCode code;
  ErrorCodeInfo info;
};

constexpr std::array kCodes = {
#define THALWEG_ERROR(name, number, flink_class, summary) \
  CodeEntry{ErrorCode::k##name, {#name, #flink_class, summary}},
#include "thalweg/common/error_codes.def"
#undef THALWEG_ERROR
};

std::string_view line_of(std::string_view text, int32_t line) {
  for (int32_t current = 1; current < line; ++current) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

constexpr size_t kLongestLine = 200;
constexpr size_t kShownBefore = 80;

bool is_inside_character(std::string_view text, size_t index) {
  return index < text.size() && (static_cast<unsigned char>(text[index]) & 0xC0U) == 0x80U;
}

size_t characters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// Where the character of this number begins.
size_t byte_of(std::string_view text, size_t character) {
  size_t byte = 0;
  while (character > 0 && byte < text.size()) {
    do {
      ++byte;
    } while (is_inside_character(text, byte));
    --character;
  }
  return byte;
}

/// A line with a mark under `width` characters of it; of a long one the part around the mark.
std::string marked(std::string_view line, const std::string& prefix, size_t column, size_t width) {
  std::string shown(line);
  if (line.size() > kLongestLine) {
    const size_t length = characters(line);
    const size_t first = std::min(column, length) - std::min({column, length, kShownBefore});
    const size_t begin = byte_of(line, first);
    const size_t end = begin + byte_of(line.substr(begin), kLongestLine);
    column = std::min(column, length) - first + (first > 0 ? 3 : 0);
    shown = (first > 0 ? "..." : "") + std::string(line.substr(begin, end - begin));
    width = std::max<size_t>(
        1, std::min(width, characters(shown) - std::min(column, characters(shown))));
    shown += end < line.size() ? "..." : "";
  }
  return fmt::format("\n{}{}\n{}{}",
                     prefix,
                     shown,
                     std::string(prefix.size() + column, ' '),
                     std::string(width, '^'));
}

}  // namespace

const ErrorCodeInfo& describe(ErrorCode code) {
  const auto* found = std::find_if(
      kCodes.begin(), kCodes.end(), [code](const CodeEntry& entry) { return entry.code == code; });
  check(found != kCodes.end(), "error code without an entry");
  return found->info;
}

Error::Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

Error&& Error::at(SourcePosition position) && {
  position_ = position;
  return std::move(*this);
}

Error&& Error::hint(std::string text) && {
  hint_ = std::move(text);
  return std::move(*this);
}

Error&& Error::retryable() && {
  retryable_ = true;
  return std::move(*this);
}

std::string render(const Error& error, std::string_view sql) {
  std::string text = fmt::format("{} [TW-{}]", error.message(), static_cast<int>(error.code()));
  if (error.position() && !sql.empty()) {
    const SourcePosition& position = *error.position();
    const std::string_view line = line_of(sql, position.line);
    const std::string prefix = fmt::format("  {:>4} | ", position.line);
    const int32_t width = position.end_line == position.line
                              ? std::max(1, position.end_column - position.column + 1)
                              : 1;
    text +=
        marked(line, prefix, static_cast<size_t>(position.column) - 1, static_cast<size_t>(width));
  }
  if (!error.hint_text().empty()) {
    text += "\n  hint: " + error.hint_text();
  }
  return text;
}

}  // namespace thalweg
