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
    text += fmt::format("\n{}{}\n{}{}",
                        prefix,
                        line,
                        std::string(prefix.size() + static_cast<size_t>(position.column) - 1, ' '),
                        std::string(static_cast<size_t>(width), '^'));
  }
  if (!error.hint_text().empty()) {
    text += "\n  hint: " + error.hint_text();
  }
  return text;
}

}  // namespace thalweg
