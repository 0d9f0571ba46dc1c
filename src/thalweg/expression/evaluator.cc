#include "thalweg/expression/evaluator.h"

#include <algorithm>
#include <cmath>

#include "thalweg/common/check.h"
#include "thalweg/expression/node.h"
#include "thalweg/types/hash.h"

namespace thalweg::expression {

namespace {

/// Long IN lists differ in their literals only.
uint64_t literal_hash(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value.data)) {
    return static_cast<uint64_t>(*integer);
  }
  if (const auto* text = std::get_if<std::string>(&value.data)) {
    return hash_bytes(*text);
  }
  return value.data.index();
}

uint64_t structural_hash(const Expression& expression) {
  uint64_t hash = static_cast<uint64_t>(expression.kind) * 31U +
                  static_cast<uint64_t>(expression.type.kind()) * 7U +
                  static_cast<uint64_t>(static_cast<uint32_t>(expression.column.value));
  hash = mix_hash(hash, std::hash<const void*>{}(expression.function.get()));
  hash = mix_hash(hash, literal_hash(expression.literal));
  for (const ExpressionPtr& operand : expression.operands) {
    hash = mix_hash(hash, structural_hash(*operand));
  }
  return hash;
}

bool is_deterministic(const Expression& expression) {
  if (expression.kind == ExpressionKind::kCall && !expression.function->is_deterministic) {
    return false;
  }
  for (const ExpressionPtr& operand : expression.operands) {
    if (!is_deterministic(*operand)) {
      return false;
    }
  }
  return true;
}

bool is_zero(const Value& value) {
  if (const auto* integer = std::get_if<int64_t>(&value.data)) {
    return *integer == 0;
  }
  if (const auto* wide = std::get_if<Int128>(&value.data)) {
    return *wide == 0;
  }
  const auto* number = std::get_if<double>(&value.data);
  return number != nullptr && *number == 0;
}

/// Turns expressions into nodes, one for each distinct computation.
class Compiler {
 public:
  explicit Compiler(std::vector<std::unique_ptr<Node>>& nodes, bool folds)
      : nodes_(nodes), folds_(folds) {}

  Node* compile(const ExpressionPtr& expression) {
    if (expression->kind == ExpressionKind::kCall && expression->function->expand) {
      return compile(expression->function->expand(*expression));
    }
    const bool shared = is_deterministic(*expression);
    const uint64_t hash = structural_hash(*expression);
    if (shared) {
      const auto range = known_.equal_range(hash);
      for (auto entry = range.first; entry != range.second; ++entry) {
        if (equal(*entry->second.expression, *expression)) {
          return entry->second.node;
        }
      }
    }
    std::unique_ptr<Node> node = make(expression);
    Node* made = node.get();
    nodes_.push_back(std::move(node));
    if (shared) {
      known_.emplace(hash, Known{expression, made});
    }
    return made;
  }

 private:
  struct Known {
    ExpressionPtr expression;
    Node* node;
  };

  std::unique_ptr<Node> make(const ExpressionPtr& expression) {
    if (folds_ && expression->kind != ExpressionKind::kLiteral && is_constant(*expression) &&
        expression->type.physical() != PhysicalKind::kHandle) {
      return make_folded_node(expression, nodes_.size());
    }
    std::vector<Node*> operands;
    for (const ExpressionPtr& operand : expression->operands) {
      operands.push_back(compile(operand));
    }
    const size_t id = nodes_.size();
    switch (expression->kind) {
      case ExpressionKind::kLiteral:
        return make_literal_node(*expression, id);
      case ExpressionKind::kColumn:
        return make_column_node(*expression, id);
      case ExpressionKind::kCall:
        return make_call_node(*expression, std::move(operands), id);
      case ExpressionKind::kCast:
      case ExpressionKind::kTryCast:
        return make_cast_node(*expression, *operands[0], id);
      case ExpressionKind::kCase:
        return make_case_node(*expression, std::move(operands), id);
      case ExpressionKind::kAnd:
      case ExpressionKind::kOr:
        return make_logic_node(*expression, std::move(operands), id);
      case ExpressionKind::kCoalesce:
        return make_coalesce_node(*expression, std::move(operands), id);
      case ExpressionKind::kCurrentWatermark:
        return make_watermark_node(*expression, id);
    }
    unreachable("expression kind");
  }

  std::vector<std::unique_ptr<Node>>& nodes_;
  bool folds_;
  std::multimap<uint64_t, Known> known_;
};

/// A divisor that fails is no zero: its own failure shows where it is reached.
bool is_constant_zero(const ExpressionPtr& divisor, const EvaluationContext& context) {
  try {
    return is_zero(evaluate_constant(divisor, context));
  } catch (const Error&) {
    return false;
  }
}

/// Flink refuses a constant division by zero of any type while it plans, although doubles divide
/// to infinity at run time.
void check_constant_divisions(const ExpressionPtr& expression, const EvaluationContext& context) {
  for (const ExpressionPtr& operand : expression->operands) {
    check_constant_divisions(operand, context);
  }
  if (expression->kind == ExpressionKind::kCall && expression->function->name() == "/" &&
      expression->type.is_approximate()) {
    if (is_constant_zero(expression->operands[1], context)) {
      throw Error(ErrorCode::kDivisionByZero, "Division by zero").at(expression->position);
    }
  }
}

}  // namespace

struct Evaluator::Program {
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Node*> roots;
};

Evaluator::Evaluator(std::vector<ExpressionPtr> expressions)
    : program_(std::make_unique<Program>()) {
  Compiler compiler(program_->nodes, true);
  program_->roots.reserve(expressions.size());
  for (const ExpressionPtr& expression : expressions) {
    program_->roots.push_back(compiler.compile(expression));
  }
}

Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;
Evaluator& Evaluator::operator=(Evaluator&&) noexcept = default;

std::vector<ColumnPtr> Evaluator::evaluate(const Batch& batch,
                                           const EvaluationContext& context,
                                           RowErrors& errors) {
  Frame frame(batch, context, errors, program_->nodes.size());
  std::vector<ColumnPtr> columns;
  columns.reserve(program_->roots.size());
  for (Node* root : program_->roots) {
    columns.push_back(frame.value(*root));
  }
  return columns;
}

size_t Evaluator::size() const {
  return program_->roots.size();
}

int32_t Evaluator::preferred_rows() const {
  int32_t rows = std::numeric_limits<int32_t>::max();
  for (const std::unique_ptr<Node>& node : program_->nodes) {
    rows = std::min(rows, node->preferred_rows());
  }
  return rows;
}

std::optional<Gathering> Evaluator::gathering() const {
  std::optional<Gathering> least;
  for (const std::unique_ptr<Node>& node : program_->nodes) {
    const std::optional<Gathering> wanted = node->gathering();
    if (wanted.has_value() && least.has_value()) {
      least = {std::min(least->rows, wanted->rows), std::min(least->wait_ms, wanted->wait_ms)};
    } else if (wanted.has_value()) {
      least = wanted;
    }
  }
  return least;
}

Value evaluate_constant(const ExpressionPtr& expression, const EvaluationContext& context) {
  if (expression->kind == ExpressionKind::kLiteral) {
    return expression->literal;
  }
  check_constant_divisions(expression, context);
  std::vector<std::unique_ptr<Node>> nodes;
  Compiler compiler(nodes, false);
  Node* root = compiler.compile(expression);
  const Batch one_row(1, {});
  RowErrors errors;
  Frame frame(one_row, context, errors, nodes.size());
  const ColumnPtr column = frame.value(*root);
  if (const auto failure = errors.first()) {
    throw Error(failure->error);
  }
  Value value = value_at(*column, 0);
  if (auto* number = std::get_if<double>(&value.data); number != nullptr && *number == 0) {
    *number = 0;  // a folded -0.0 is 0.0 in Flink, whose literals are decimals
  }
  return value;
}

}  // namespace thalweg::expression
