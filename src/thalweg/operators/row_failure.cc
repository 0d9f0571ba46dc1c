#include "thalweg/operators/row_failure.h"

#include "thalweg/types/text.h"

namespace thalweg::operators {

namespace {

/// Enough to recognise a row; wide rows would drown the message.
constexpr size_t kShownBytes = 400;

std::string row_text(const Batch& batch, int32_t row) {
  std::string text = "(";
  for (size_t i = 0; i < batch.columns().size(); ++i) {
    if (i > 0) {
      text += ", ";
    }
    if (text.size() > kShownBytes) {
      text += "...";
      break;
    }
    text::append_value(text, batch.column(i), row, text::Style::kCast, TimeZone::utc());
  }
  return text + ")";
}

}  // namespace

void throw_row_failure(const RowFailure& failure, const Batch& batch) {
  std::string message = failure.error.message();
  if (message.ends_with('.')) {
    message.pop_back();
  }
  message += "; in the row " + row_text(batch, failure.row);
  const Origin& origin = batch.origin();
  if (origin.split != nullptr) {
    message += " of " + *origin.split;
    if (origin.first_position >= 0) {
      message += fmt::format(" at {}", origin.first_position + failure.row);
    }
  }
  Error error(failure.error.code(), std::move(message));
  if (failure.error.position().has_value()) {
    static_cast<void>(std::move(error).at(*failure.error.position()));
  }
  if (!failure.error.hint_text().empty()) {
    static_cast<void>(std::move(error).hint(failure.error.hint_text()));
  }
  throw error;
}

}  // namespace thalweg::operators
