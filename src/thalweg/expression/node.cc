#include "thalweg/expression/node.h"

#include <algorithm>

#include "thalweg/types/column_builder.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::expression {

const ColumnPtr& Frame::value(Node& node) {
  ColumnPtr& value = values_[node.id()];
  if (value == nullptr) {
    if (parent_ != nullptr && parent_->values_[node.id()] != nullptr) {
      value = gather(parent_->values_[node.id()], selection_);
    } else if (rows_ == 0) {
      value = ColumnBuilder(node.type()).finish();
    } else {
      value = node.evaluate(*this);
    }
  }
  return value;
}

ColumnPtr evaluate_selected(Frame& frame, Node& node, std::span<const int32_t> selection) {
  RowErrors errors;
  Frame inner(frame, selection, errors);
  ColumnPtr value = inner.value(node);
  if (!errors.empty()) {
    frame.errors().add_selected(errors, selection);
  }
  return value;
}

bool any_can_fail(std::span<Node* const> nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return node->can_fail(); });
}

}  // namespace thalweg::expression
