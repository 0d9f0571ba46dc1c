#include <algorithm>
#include <cctype>

#include "thalweg/expression/field_access.h"
#include "thalweg/expression/node.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::expression {

namespace {

class CallNode final : public Node {
 public:
  CallNode(const Expression& call,
           std::vector<Node*> operands,
           std::unique_ptr<ScalarKernel> kernel,
           size_t id)
      : Node(call.type, id, call.function->can_fail(call.type) || any_can_fail(operands)),
        operands_(std::move(operands)),
        kernel_(std::move(kernel)),
        name_(name_to_show(*call.function)),
        is_part_(is_part_of_input(call)),
        gathers_(dynamic_cast<const GatheringKernel*>(kernel_.get())) {}

  ColumnPtr evaluate(Frame& frame) override {
    if (is_part_ && frame.parent() != nullptr) {
      // Of all rows it costs nothing; the row's other fields need not follow the selection.
      return gather(frame.parent()->value(*this), frame.selection());
    }
    std::vector<ColumnPtr> arguments;
    arguments.reserve(operands_.size());
    for (Node* operand : operands_) {
      arguments.push_back(frame.value(*operand));
    }
    RowErrors errors;
    ColumnPtr result = kernel_->evaluate(arguments, frame.rows(), frame.context(), errors);
    for (const RowFailure& failure : errors.failures()) {
      frame.errors().add(failure.row, with_name(failure.error));
    }
    return result;
  }

  bool is_free() const override { return is_part_; }

  int32_t preferred_rows() const override { return kernel_->preferred_rows(); }

  std::optional<Gathering> gathering() const override {
    return gathers_ == nullptr ? std::nullopt : std::optional(gathers_->gathering());
  }

 private:
  /// Empty for operators, whose errors say what they are about, and for a user's own functions.
  static std::string name_to_show(const ScalarFunction& function) {
    const std::string& name = function.name();
    const bool is_word =
        std::all_of(name.begin(), name.end(), [](char c) { return c == '_' || std::isalnum(c); });
    return is_word && !function.is_foreign ? name : "";
  }

  /// The error says which function it is from, unless it does by itself.
  Error with_name(const Error& error) const {
    if (name_.empty() || error.message().find(name_) != std::string::npos) {
      return error;
    }
    std::string message = error.message();
    if (message.ends_with('.')) {
      message.pop_back();
    }
    Error named(error.code(), message + "; in " + name_);
    if (error.position()) {
      static_cast<void>(std::move(named).at(*error.position()));
    }
    if (error.is_retryable()) {
      static_cast<void>(std::move(named).retryable());
    }
    return std::move(named).hint(error.hint_text());
  }

  std::vector<Node*> operands_;
  std::unique_ptr<ScalarKernel> kernel_;
  std::string name_;
  bool is_part_;
  /// The kernel, where it is one that gathers.
  const GatheringKernel* gathers_;
};

}  // namespace

std::unique_ptr<Node> make_call_node(const Expression& call,
                                     std::vector<Node*> operands,
                                     size_t id) {
  Signature signature;
  signature.result = call.type;
  for (const ExpressionPtr& operand : call.operands) {
    signature.arguments.push_back(operand->type);
  }
  const std::vector<BoundArgument> bound = bound_arguments(call.operands);
  auto kernel = call.function->make_kernel(signature, bound);
  return std::make_unique<CallNode>(call, std::move(operands), std::move(kernel), id);
}

}  // namespace thalweg::expression
