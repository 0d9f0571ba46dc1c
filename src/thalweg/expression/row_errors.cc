#include "thalweg/expression/row_errors.h"

#include <algorithm>

namespace thalweg::expression {

std::optional<RowFailure> RowErrors::first() const {
  const auto found = std::min_element(
      failures_.begin(), failures_.end(), [](const RowFailure& left, const RowFailure& right) {
        return left.row < right.row;
      });
  return found == failures_.end() ? std::nullopt : std::optional<RowFailure>(*found);
}

void RowErrors::add_selected(const RowErrors& inner, std::span<const int32_t> rows) {
  for (const RowFailure& failure : inner.failures_) {
    failures_.push_back({rows[static_cast<size_t>(failure.row)], failure.error});
  }
}

}  // namespace thalweg::expression
