#include <algorithm>

#include "thalweg/expression/node.h"
#include "thalweg/expression/type_inference.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::expression {

namespace {

class LiteralNode final : public Node {
 public:
  LiteralNode(const Expression& literal, size_t id)
      : Node(literal.type, id, false), value_(literal.literal) {}

  ColumnPtr evaluate(Frame& frame) override {
    if (cached_ == nullptr || cached_->size() != frame.rows()) {
      cached_ = constant_column(type(), value_, frame.rows());
    }
    return cached_;
  }

  bool is_free() const override { return !type().is_nested(); }

 private:
  Value value_;
  ColumnPtr cached_;
};

class ColumnNode final : public Node {
 public:
  ColumnNode(const Expression& column, size_t id)
      : Node(column.type, id, false), index_(static_cast<size_t>(column.column.value)) {}

  ColumnPtr evaluate(Frame& frame) override {
    if (frame.parent() != nullptr) {
      return gather(frame.parent()->value(*this), frame.selection());
    }
    return frame.batch().column_ptr(index_);
  }

  bool is_free() const override { return true; }

 private:
  size_t index_;
};

bool may_fail(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::kCall:
      if (expression.function->expand) {
        return may_fail(*expression.function->expand(expression));
      }
      if (expression.function->can_fail(expression.type)) {
        return true;
      }
      break;
    case ExpressionKind::kCast:
      if (cast_can_fail(expression.operands[0]->type, expression.type)) {
        return true;
      }
      break;
    default:
      break;
  }
  return std::any_of(expression.operands.begin(),
                     expression.operands.end(),
                     [](const ExpressionPtr& operand) { return may_fail(*operand); });
}

class FoldedNode final : public Node {
 public:
  FoldedNode(ExpressionPtr constant, size_t id)
      : Node(constant->type, id, may_fail(*constant)), constant_(std::move(constant)) {}

  ColumnPtr evaluate(Frame& frame) override {
    if (!computed_) {
      computed_ = true;
      try {
        value_ = evaluate_constant(constant_, frame.context());
      } catch (const Error& error) {
        error_ = error;
      }
    }
    if (error_) {
      for (int32_t row = 0; row < frame.rows(); ++row) {
        frame.errors().add(row, *error_);
      }
    }
    if (cached_ == nullptr || cached_->size() != frame.rows()) {
      cached_ = constant_column(type(), value_, frame.rows());
    }
    return cached_;
  }

 private:
  ExpressionPtr constant_;
  bool computed_ = false;
  std::optional<Error> error_;
  Value value_;
  ColumnPtr cached_;
};

/// CURRENT_WATERMARK: NULL before the first watermark.
class WatermarkNode final : public Node {
 public:
  WatermarkNode(const Expression& form, size_t id) : Node(form.type, id, false) {}

  ColumnPtr evaluate(Frame& frame) override {
    if (frame.parent() != nullptr) {
      return gather(frame.parent()->value(*this), frame.selection());
    }
    auto column = Column::make(type(), frame.rows());
    const bool is_long = type().physical() == PhysicalKind::kInt64;
    EventTime watermark = frame.context().watermark;
    const auto& marks = frame.batch().marks();
    auto mark = marks.begin();
    for (int32_t row = 0; row < frame.rows(); ++row) {
      while (mark != marks.end() && mark->row <= row) {
        watermark = mark->watermark;
        ++mark;
      }
      const auto at = static_cast<size_t>(row);
      if (watermark == kMinEventTime) {
        column->set_null(row);
      } else if (is_long) {
        column->mutable_values<int64_t>()[at] = watermark.ms;
      } else {
        column->mutable_values<Int128>()[at] = Int128{watermark.ms} * 1'000'000;
      }
    }
    return column;
  }
};

}  // namespace

std::unique_ptr<Node> make_literal_node(const Expression& literal, size_t id) {
  return std::make_unique<LiteralNode>(literal, id);
}

std::unique_ptr<Node> make_column_node(const Expression& column, size_t id) {
  return std::make_unique<ColumnNode>(column, id);
}

std::unique_ptr<Node> make_folded_node(ExpressionPtr constant, size_t id) {
  return std::make_unique<FoldedNode>(std::move(constant), id);
}

std::unique_ptr<Node> make_watermark_node(const Expression& form, size_t id) {
  return std::make_unique<WatermarkNode>(form, id);
}

}  // namespace thalweg::expression
