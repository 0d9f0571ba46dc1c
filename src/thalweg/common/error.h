#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

namespace thalweg {

enum class ErrorCode : uint16_t {
#define THALWEG_ERROR(name, number, flink_class, summary) k##name = number,
#include "thalweg/common/error_codes.def"
#undef THALWEG_ERROR
};

/// Static facts about an error code, from error_codes.def.
struct ErrorCodeInfo {
  std::string_view name;
  std::string_view flink_class;
  std::string_view summary;
};

const ErrorCodeInfo& describe(ErrorCode code);

/// A range of SQL text; lines and columns count from 1 and `end_column` is inclusive, as in Flink.
struct SourcePosition {
  int32_t line = 0;
  int32_t column = 0;
  int32_t end_line = 0;
  int32_t end_column = 0;

  bool operator==(const SourcePosition&) const = default;
};

/// What ends a statement or a job. Thrown; caught only where a statement, a task or a request ends.
///
/// The message puts fixed words first and values last. `hint` says what to write or do instead.
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message);

  Error&& at(SourcePosition position) &&;
  Error&& hint(std::string text) &&;
  Error&& retryable() &&;

  ErrorCode code() const { return code_; }

  const std::string& message() const { return message_; }

  const std::optional<SourcePosition>& position() const { return position_; }

  const std::string& hint_text() const { return hint_; }

  bool is_retryable() const { return retryable_; }

  /// The message alone; `render` adds the code, the SQL line with a caret, and the hint.
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
  std::optional<SourcePosition> position_;
  std::string hint_;
  bool retryable_ = false;
};

/// The text a user sees: message, code, the line of `sql` with a caret (where there is a position),
/// hint.
std::string render(const Error& error, std::string_view sql = {});

}  // namespace thalweg
