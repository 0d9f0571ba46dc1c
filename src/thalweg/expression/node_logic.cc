#include <cstring>

#include "thalweg/expression/blend.h"
#include "thalweg/expression/node.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::expression {

namespace {

/// Eight times TRUE.
constexpr uint64_t kTrueBytes = 0x0101010101010101U;

uint64_t load(const uint8_t* bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// A bit for each of 64 booleans.
uint64_t pack(const uint8_t* bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < 64; i += 8) {
    // The product has the eight lowest bits of the bytes side by side in its highest byte.
    bits |= (load(bytes + i) & kTrueBytes) * 0x0102040810204080U >> 56U << i;
  }
  return bits;
}

/// AND and OR. `decides_` is the value that settles a row whatever the other side says: FALSE for
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
      result = combine(result, right_side(frame, *result, *operands_[i]));
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

  ColumnPtr combine(const ColumnPtr& left, const ColumnPtr& right) const {
    if (left->is_constant() && right->is_constant()) {
      return combine_constants(*left, *right);
    }
    const ColumnPtr one = flatten(left);
    const ColumnPtr other = flatten(right);
    auto result = Column::make(type(), left->size());
    combine_values(*one, *other, *result);
    if (one->may_have_nulls() || other->may_have_nulls()) {
      combine_nulls(*one, *other, *result);
    }
    return result;
  }

  ColumnPtr combine_constants(const Column& left, const Column& right) const {
    auto result = Column::make_constant(type(), left.size());
    const bool decided = is_decided(left, 0) || is_decided(right, 0);
    result->mutable_values<uint8_t>()[0] = decided ? decides_ : static_cast<uint8_t>(1 - decides_);
    if (!decided && (left.is_null(0) || right.is_null(0))) {
      result->set_null(0);
    }
    return result;
  }

  /// What a word of booleans is turned by so that a 0 decides.
  uint64_t turn(uint64_t ones) const { return decides_ == 0 ? 0 : ones; }

  /// Eight rows at a time: columns have room behind their last value.
  void combine_values(const Column& left, const Column& right, Column& result) const {
    const uint8_t* one = left.values<uint8_t>().data();
    const uint8_t* other = right.values<uint8_t>().data();
    uint8_t* out = result.mutable_values<uint8_t>().data();
    const uint64_t turned = turn(kTrueBytes);
    const auto count = static_cast<size_t>(result.size());
    for (size_t i = 0; i < count; i += sizeof(uint64_t)) {
      const uint64_t both = (load(one + i) ^ turned) & (load(other + i) ^ turned);
      const uint64_t word = both ^ turned;
      std::memcpy(out + i, &word, sizeof(word));
    }
  }

  /// A row has a value when both sides have one, or when one side decides.
  void combine_nulls(const Column& left, const Column& right, Column& result) const {
    const auto validity = result.mutable_validity();
    const uint8_t* one = left.values<uint8_t>().data();
    const uint8_t* other = right.values<uint8_t>().data();
    const uint64_t turned = turn(~uint64_t{0});
    const auto valid_bits = [](const Column& column, size_t word) {
      return column.may_have_nulls() ? column.validity()[word] : ~uint64_t{0};
    };
    for (size_t word = 0; word < validity.size(); ++word) {
      const uint64_t left_valid = valid_bits(left, word);
      const uint64_t right_valid = valid_bits(right, word);
      const uint64_t left_decides = left_valid & ~(pack(one + 64 * word) ^ turned);
      const uint64_t right_decides = right_valid & ~(pack(other + 64 * word) ^ turned);
      validity[word] = (left_valid & right_valid) | left_decides | right_decides;
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
