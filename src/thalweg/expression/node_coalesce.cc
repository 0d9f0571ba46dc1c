#include <bit>
#include <numeric>

#include "thalweg/expression/blend.h"
#include "thalweg/expression/node.h"

namespace thalweg::expression {

namespace {

/// The rows of `column` that are NULL.
std::vector<int32_t> null_rows(const Column& column) {
  std::vector<int32_t> rows;
  if (column.is_constant()) {
    if (column.is_null(0)) {
      rows.resize(static_cast<size_t>(column.size()));
      std::iota(rows.begin(), rows.end(), 0);
    }
    return rows;
  }
  int32_t first = 0;
  for (const uint64_t valid : column.validity()) {
    for (uint64_t nulls = ~valid; nulls != 0; nulls &= nulls - 1) {
      const int32_t row = first + std::countr_zero(nulls);
      if (row < column.size()) {
        rows.push_back(row);
      }
    }
    first += 64;
  }
  return rows;
}

/// COALESCE: each operand is computed only for the rows where all before it are NULL, and laid over
/// them.
class CoalesceNode final : public Node {
 public:
  CoalesceNode(const Expression& form, std::vector<Node*> operands, size_t id)
      : Node(form.type, id, any_can_fail(operands)), operands_(std::move(operands)) {}

  ColumnPtr evaluate(Frame& frame) override {
    ColumnPtr base;
    std::vector<int32_t> open;
    std::vector<BlendPart> parts;
    for (Node* operand : operands_) {
      if (base == nullptr || open.size() == static_cast<size_t>(frame.rows())) {
        base = frame.value(*operand);
        open = null_rows(*base);
      } else {
        parts.push_back(part_over(frame, *operand, open));
      }
      if (open.empty()) {
        break;
      }
    }
    return parts.empty() ? base : blend(type(), frame.rows(), parts, base);
  }

 private:
  /// The operand's values for the open rows, of which those that are NULL stay open.
  static BlendPart part_over(Frame& frame, Node& operand, std::vector<int32_t>& open) {
    const bool whole = operand.is_free();
    ColumnPtr column = whole ? frame.value(operand) : evaluate_selected(frame, operand, open);
    std::vector<int32_t> rest;
    for (size_t i = 0; column->may_have_nulls() && i < open.size(); ++i) {
      if (column->is_null(whole ? open[i] : static_cast<int32_t>(i))) {
        rest.push_back(open[i]);
      }
    }
    BlendPart part{std::move(column), std::move(open), whole};
    open = std::move(rest);
    return part;
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
