#pragma once

#include <cstdint>
#include <vector>

#include "thalweg/types/column.h"
#include "thalweg/types/text_rank.h"

namespace thalweg::operators {

/// Orders rows of a batch by their keys, as KeyedTable::sort_by_key orders records. A value for one
/// batch.
class KeyOrder {
 public:
  /// False for key types whose values state orders by their encodings.
  static bool knows(const Schema& keys);

  explicit KeyOrder(const std::vector<ColumnPtr>& keys);

  const std::vector<ColumnPtr>& keys() const { return keys_; }

  /// Rows of different ranks are in the order of those.
  TextRank rank(int32_t row) const {
    switch (leading_) {
      case Leading::kText:
        return TextRank(keys_[0]->at<StringView>(row));
      case Leading::kLong:
        return rank_of(keys_[0]->at<int64_t>(row));
      case Leading::kInt:
        return rank_of(keys_[0]->at<int32_t>(row));
      case Leading::kOther:
        break;
    }
    return {};
  }

  /// Compares two rows of this rank.
  int compare(const TextRank& rank, int32_t left, int32_t right) const {
    return is_ranked_ && rank.is_exact() ? 0 : compare_keys(left, right);
  }

 private:
  /// What the first key is, where its values have ranks.
  enum class Leading : uint8_t { kText, kLong, kInt, kOther };

  static TextRank rank_of(int64_t number) {
    TextRank rank;
    rank.head = static_cast<uint64_t>(number) ^ (uint64_t{1} << 63U);
    return rank;
  }

  int compare_keys(int32_t left, int32_t right) const;

  std::vector<ColumnPtr> keys_;
  Leading leading_ = Leading::kOther;
  /// Ranks tell the whole key.
  bool is_ranked_ = false;
};

}  // namespace thalweg::operators
