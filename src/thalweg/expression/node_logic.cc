#include "thalweg/expression/blend.h"
#include "thalweg/expression/node.h"

namespace thalweg::expression {

namespace {

/// AND and OR. `kDecides` is the value that settles a row whatever the other side says: FALSE for
/// AND, TRUE for OR.
class LogicNode final : public Node {
 public:
  LogicNode(const Expression& form, std::vector<Node*> operands, size_t id)
      : Node(form.type, id, any_can_fail(operands)),
        operands_(std::move(operands)),
        decides_(form.kind == ExpressionKind::kOr ? uint8_t{1} : uint8_t{0}) {}

  ColumnPtr evaluate(Frame& frame) override {
    ColumnPtr result = frame.value(*operands_[0]);
    for (size_t i = 1; i < operands_.size(); ++i) {
      result = combine(*result, *right_side(frame, *result, *operands_[i]));
    }
    return result;
  }

 private:
  bool is_decided(const Column& column, int32_t row) const {
    return !column.is_null(row) && (column.at<uint8_t>(row) != 0) == (decides_ != 0);
  }

  ColumnPtr right_side(Frame& frame, const Column& left, Node& right) const {
    if (!right.can_fail()) {
      return frame.value(right);
    }
    std::vector<int32_t> open;
    for (int32_t row = 0; row < frame.rows(); ++row) {
      if (!is_decided(left, row)) {
        open.push_back(row);
      }
    }
    if (open.size() == static_cast<size_t>(frame.rows())) {
      return frame.value(right);
    }
    std::vector<BlendPart> parts;
    if (!open.empty()) {
      ColumnPtr values = evaluate_selected(frame, right, open);
      parts.push_back({std::move(values), std::move(open), false});
    }
    return blend(type(), frame.rows(), parts);
  }

  ColumnPtr combine(const Column& left, const Column& right) const {
    const int32_t rows = left.size();
    if (left.is_constant() && right.is_constant()) {
      auto result = Column::make_constant(type(), rows);
      if (is_decided(left, 0) || is_decided(right, 0)) {
        result->mutable_values<uint8_t>()[0] = decides_;
      } else {
        result->mutable_values<uint8_t>()[0] = static_cast<uint8_t>(1 - decides_);
        if (left.is_null(0) || right.is_null(0)) {
          result->set_null(0);
        }
      }
      return result;
    }
    auto result = Column::make(type(), rows);
    const auto values = result->mutable_values<uint8_t>();
    if (left.may_have_nulls() || right.may_have_nulls() || left.is_constant() ||
        right.is_constant()) {
      combine_slow(left, right, *result);
      return result;
    }
    // Locals: bytes may alias anything, and would be reloaded after each store.
    const uint8_t* one = left.values<uint8_t>().data();
    const uint8_t* other = right.values<uint8_t>().data();
    uint8_t* out = values.data();
    const size_t count = values.size();
    if (decides_ == 0) {
      for (size_t i = 0; i < count; ++i) {
        out[i] = one[i] & other[i];
      }
    } else {
      for (size_t i = 0; i < count; ++i) {
        out[i] = one[i] | other[i];
      }
    }
    return result;
  }

  void combine_slow(const Column& left, const Column& right, Column& result) const {
    const auto values = result.mutable_values<uint8_t>();
    for (int32_t row = 0; row < left.size(); ++row) {
      const auto at = static_cast<size_t>(row);
      if (is_decided(left, row) || is_decided(right, row)) {
        values[at] = decides_;
      } else if (left.is_null(row) || right.is_null(row)) {
        result.set_null(row);
      } else {
        values[at] = static_cast<uint8_t>(1 - decides_);
      }
    }
  }

  std::vector<Node*> operands_;
  uint8_t decides_;
};

}  // namespace

std::unique_ptr<Node> make_logic_node(const Expression& form,
                                      std::vector<Node*> operands,
                                      size_t id) {
  return std::make_unique<LogicNode>(form, std::move(operands), id);
}

}  // namespace thalweg::expression
