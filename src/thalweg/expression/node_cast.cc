#include "thalweg/expression/cast.h"
#include "thalweg/expression/node.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::expression {

namespace {

class CastNode final : public Node {
 public:
  CastNode(const Expression& cast, Node& operand, size_t id)
      : Node(cast.type, id, operand.can_fail() || cast_can_fail(cast.operands[0]->type, cast.type)),
        operand_(operand),
        kernel_(make_cast_kernel(cast.operands[0]->type, cast.type)) {}

  ColumnPtr evaluate(Frame& frame) override {
    const ColumnPtr operand = frame.value(operand_);
    return kernel_->evaluate({&operand, 1}, frame.rows(), frame.context(), frame.errors());
  }

 private:
  Node& operand_;
  std::unique_ptr<ScalarKernel> kernel_;
};

/// NULL where the cast fails; failures of the operand stay failures.
class TryCastNode final : public Node {
 public:
  TryCastNode(const Expression& cast, Node& operand, size_t id)
      : Node(cast.type, id, operand.can_fail()),
        operand_(operand),
        kernel_(make_cast_kernel(cast.operands[0]->type, cast.type)) {}

  ColumnPtr evaluate(Frame& frame) override {
    const ColumnPtr operand = frame.value(operand_);
    RowErrors errors;
    ColumnPtr result = kernel_->evaluate({&operand, 1}, frame.rows(), frame.context(), errors);
    if (errors.empty()) {
      return result;
    }
    std::vector<int32_t> rows(static_cast<size_t>(frame.rows()));
    for (size_t i = 0; i < rows.size(); ++i) {
      rows[i] = static_cast<int32_t>(i);
    }
    for (const RowFailure& failure : errors.failures()) {
      rows[static_cast<size_t>(failure.row)] = -1;
    }
    return gather(result, rows);
  }

 private:
  Node& operand_;
  std::unique_ptr<ScalarKernel> kernel_;
};

}  // namespace

std::unique_ptr<Node> make_cast_node(const Expression& cast, Node& operand, size_t id) {
  if (cast.kind == ExpressionKind::kTryCast) {
    return std::make_unique<TryCastNode>(cast, operand, id);
  }
  return std::make_unique<CastNode>(cast, operand, id);
}

}  // namespace thalweg::expression
