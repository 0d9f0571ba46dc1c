#include "thalweg/operators/window/key_order.h"

#include <algorithm>

#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

bool KeyOrder::knows(const Schema& keys) {
  return std::none_of(keys.begin(), keys.end(), [](const Field& key) {
    const PhysicalKind kind = key.type.physical();
    return kind == PhysicalKind::kList || kind == PhysicalKind::kStruct ||
           kind == PhysicalKind::kHandle;
  });
}

KeyOrder::KeyOrder(const std::vector<ColumnPtr>& keys) {
  for (const ColumnPtr& key : keys) {
    keys_.push_back(flatten(key));
  }
  if (keys_.empty() || keys_[0]->may_have_nulls()) {
    return;
  }
  switch (keys_[0]->type().physical()) {
    case PhysicalKind::kString:
      leading_ = Leading::kText;
      break;
    case PhysicalKind::kInt64:
      leading_ = Leading::kLong;
      break;
    case PhysicalKind::kInt32:
      leading_ = Leading::kInt;
      break;
    default:
      break;
  }
  is_ranked_ = keys_.size() == 1 && leading_ != Leading::kOther;
}

int KeyOrder::compare_keys(int32_t left, int32_t right) const {
  for (const ColumnPtr& key : keys_) {
    if (const int order = compare_values(*key, left, *key, right); order != 0) {
      return order;
    }
  }
  return 0;
}

}  // namespace thalweg::operators
