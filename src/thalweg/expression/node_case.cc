#include <numeric>

#include "thalweg/expression/blend.h"
#include "thalweg/expression/node.h"

namespace thalweg::expression {

namespace {

/// CASE: conditions and values are computed only for the rows that reach them, unless that costs
/// nothing.
class CaseNode final : public Node {
 public:
  CaseNode(const Expression& form, std::vector<Node*> operands, size_t id)
      : Node(form.type, id, any_can_fail(operands)), operands_(std::move(operands)) {}

  ColumnPtr evaluate(Frame& frame) override {
    std::vector<int32_t> open(static_cast<size_t>(frame.rows()));
    std::iota(open.begin(), open.end(), 0);
    std::vector<BlendPart> parts;
    for (size_t i = 0; i + 1 < operands_.size() && !open.empty(); i += 2) {
      std::vector<int32_t> taken = split(frame, *operands_[i], open);
      if (!taken.empty()) {
        parts.push_back(value_part(frame, *operands_[i + 1], std::move(taken)));
      }
    }
    if (!open.empty()) {
      parts.push_back(value_part(frame, *operands_.back(), std::move(open)));
    }
    if (parts.size() == 1 && parts[0].column->size() == frame.rows()) {
      return parts[0].column;
    }
    return blend(type(), frame.rows(), parts);
  }

 private:
  static bool is_all(const Frame& frame, const std::vector<int32_t>& rows) {
    return rows.size() == static_cast<size_t>(frame.rows());
  }

  /// Moves the rows where the condition holds out of `open`.
  static std::vector<int32_t> split(Frame& frame, Node& condition, std::vector<int32_t>& open) {
    const bool whole = !condition.can_fail() || is_all(frame, open);
    const ColumnPtr holds =
        whole ? frame.value(condition) : evaluate_selected(frame, condition, open);
    std::vector<int32_t> taken;
    size_t kept = 0;
    for (size_t i = 0; i < open.size(); ++i) {
      const int32_t row = whole ? open[i] : static_cast<int32_t>(i);
      if (!holds->is_null(row) && holds->at<uint8_t>(row) != 0) {
        taken.push_back(open[i]);
      } else {
        open[kept++] = open[i];
      }
    }
    open.resize(kept);
    return taken;
  }

  /// For most rows it is cheaper to compute a value for all than to pick its inputs.
  static bool is_most(const Frame& frame, const std::vector<int32_t>& rows) {
    return 4 * rows.size() >= 3 * static_cast<size_t>(frame.rows());
  }

  static BlendPart value_part(Frame& frame, Node& value, std::vector<int32_t> rows) {
    const bool whole = value.is_free() || (!value.can_fail() && is_most(frame, rows));
    if (whole || is_all(frame, rows)) {
      return {frame.value(value), std::move(rows), true};
    }
    ColumnPtr column = evaluate_selected(frame, value, rows);
    return {std::move(column), std::move(rows), false};
  }

  std::vector<Node*> operands_;
};

}  // namespace

std::unique_ptr<Node> make_case_node(const Expression& form,
                                     std::vector<Node*> operands,
                                     size_t id) {
  return std::make_unique<CaseNode>(form, std::move(operands), id);
}

}  // namespace thalweg::expression
