#include <algorithm>
#include <numeric>

#include "thalweg/expression/blend.h"
#include "thalweg/expression/node.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::expression {

namespace {

/// COALESCE: each operand is computed only for the rows where all before it are NULL.
class CoalesceNode final : public Node {
 public:
  CoalesceNode(const Expression& form, std::vector<Node*> operands, size_t id)
      : Node(form.type, id, any_can_fail(operands)), operands_(std::move(operands)) {}

  ColumnPtr evaluate(Frame& frame) override {
    std::vector<int32_t> open(static_cast<size_t>(frame.rows()));
    std::iota(open.begin(), open.end(), 0);
    std::vector<BlendPart> parts;
    for (Node* operand : operands_) {
      if (open.size() == static_cast<size_t>(frame.rows())) {
        const ColumnPtr& value = frame.value(*operand);
        if (!value->may_have_nulls()) {
          return value;
        }
        parts.push_back({value, valid_rows(*value), true});
        remove_taken(open, parts.back().rows);
      } else if (!open.empty()) {
        const ColumnPtr value = evaluate_selected(frame, *operand, open);
        const std::vector<int32_t> valid = valid_rows(*value);
        BlendPart part{gather(value, valid), {}, false};
        for (const int32_t row : valid) {
          part.rows.push_back(open[static_cast<size_t>(row)]);
        }
        remove_taken(open, part.rows);
        parts.push_back(std::move(part));
      }
    }
    return blend(type(), frame.rows(), parts);
  }

 private:
  static std::vector<int32_t> valid_rows(const Column& column) {
    std::vector<int32_t> rows;
    for (int32_t row = 0; row < column.size(); ++row) {
      if (!column.is_null(row)) {
        rows.push_back(row);
      }
    }
    return rows;
  }

  /// Both ascending.
  static void remove_taken(std::vector<int32_t>& open, const std::vector<int32_t>& taken) {
    std::vector<int32_t> rest;
    std::set_difference(
        open.begin(), open.end(), taken.begin(), taken.end(), std::back_inserter(rest));
    open = std::move(rest);
  }

  std::vector<Node*> operands_;
};

}  // namespace

std::unique_ptr<Node> make_coalesce_node(const Expression& form,
                                         std::vector<Node*> operands,
                                         size_t id) {
  return std::make_unique<CoalesceNode>(form, std::move(operands), id);
}

}  // namespace thalweg::expression
