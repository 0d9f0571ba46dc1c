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
    ColumnPtr base;
    if (!open.empty()) {
      Node& otherwise = *operands_.back();
      if (is_computed_whole(frame, otherwise, open)) {
        base = frame.value(otherwise);
      } else {
        parts.push_back(value_part(frame, otherwise, std::move(open)));
      }
    }
    if (parts.empty()) {
      return base;
    }
    if (base == nullptr && parts.size() == 1 && parts[0].column->size() == frame.rows()) {
      return parts[0].column;
    }
    return blend(type(), frame.rows(), parts, base);
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
    const bool may_be_null = holds->may_have_nulls();
    std::vector<int32_t> taken(open.size());
    size_t taken_count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < open.size(); ++i) {
      const int32_t open_row = open[i];
      const int32_t row = whole ? open_row : static_cast<int32_t>(i);
      const bool is_taken = holds->at<uint8_t>(row) != 0 && !(may_be_null && holds->is_null(row));
      // Both lists are written, and one of them moves on: no branch to guess.
      taken[taken_count] = open_row;
      taken_count += is_taken ? 1 : 0;
      open[kept] = open_row;
      kept += is_taken ? 0 : 1;
    }
    taken.resize(taken_count);
    open.resize(kept);
    return taken;
  }

  /// For most rows it is cheaper to compute a value for all than to pick its inputs.
  static bool is_most(const Frame& frame, const std::vector<int32_t>& rows) {
    return 4 * rows.size() >= 3 * static_cast<size_t>(frame.rows());
  }

  static bool is_computed_whole(const Frame& frame,
                                const Node& value,
                                const std::vector<int32_t>& rows) {
    return value.is_free() || (!value.can_fail() && is_most(frame, rows)) || is_all(frame, rows);
  }

  static BlendPart value_part(Frame& frame, Node& value, std::vector<int32_t> rows) {
    if (is_computed_whole(frame, value, rows)) {
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
