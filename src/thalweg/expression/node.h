#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "thalweg/expression/evaluator.h"

namespace thalweg::expression {

class Frame;

/// One step of a compiled program. Steps that compute the same are one node, so a tree of
/// expressions becomes a graph. Owned by the program; may hold scratch memory: one thread.
class Node {
 public:
  Node(DataType type, size_t id, bool can_fail)
      : type_(std::move(type)), id_(id), can_fail_(can_fail) {}

  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// frame.rows() values, at least one row.
  virtual ColumnPtr evaluate(Frame& frame) = 0;

  /// True when computing it for rows that do not need it costs nothing.
  virtual bool is_free() const { return false; }

  /// See ScalarKernel::preferred_rows.
  virtual int32_t preferred_rows() const { return std::numeric_limits<int32_t>::max(); }

  /// See GatheringKernel.
  virtual std::optional<Gathering> gathering() const { return std::nullopt; }

  const DataType& type() const { return type_; }

  size_t id() const { return id_; }

  /// True when some row of this node or of what it reads may fail.
  bool can_fail() const { return can_fail_; }

 private:
  DataType type_;
  size_t id_;
  bool can_fail_;
};

/// The rows that a program runs over: a batch, or those rows of another frame that a branch needs.
/// Remembers the value of each node. Lives for one evaluation.
class Frame {
 public:
  Frame(const Batch& batch, const EvaluationContext& context, RowErrors& errors, size_t node_count)
      : batch_(batch), context_(context), errors_(errors), rows_(batch.row_count()) {
    values_.resize(node_count);
  }

  /// Rows `selection` of `parent`, whose failures go to `errors` by their row here.
  Frame(Frame& parent, std::span<const int32_t> selection, RowErrors& errors)
      : batch_(parent.batch_),
        context_(parent.context_),
        errors_(errors),
        parent_(&parent),
        selection_(selection),
        rows_(static_cast<int32_t>(selection.size())) {
    values_.resize(parent.values_.size());
  }

  int32_t rows() const { return rows_; }

  const Batch& batch() const { return batch_; }

  const EvaluationContext& context() const { return context_; }

  RowErrors& errors() { return errors_; }

  Frame* parent() { return parent_; }

  std::span<const int32_t> selection() const { return selection_; }

  /// The node's column over this frame's rows, computed once.
  const ColumnPtr& value(Node& node);

 private:
  const Batch& batch_;
  const EvaluationContext& context_;
  RowErrors& errors_;
  Frame* parent_ = nullptr;
  std::span<const int32_t> selection_;
  int32_t rows_;
  std::vector<ColumnPtr> values_;
};

/// The node's values for `selection` of `frame`; failures are added to the frame's.
ColumnPtr evaluate_selected(Frame& frame, Node& node, std::span<const int32_t> selection);

// One maker for each kind of node, in a file of its own.
std::unique_ptr<Node> make_literal_node(const Expression& literal, size_t id);
std::unique_ptr<Node> make_column_node(const Expression& column, size_t id);
/// A constant tree: computed once, at the first batch, when the session's zone is known.
std::unique_ptr<Node> make_folded_node(ExpressionPtr constant, size_t id);
std::unique_ptr<Node> make_call_node(const Expression& call,
                                     std::vector<Node*> operands,
                                     size_t id);
std::unique_ptr<Node> make_cast_node(const Expression& cast, Node& operand, size_t id);
std::unique_ptr<Node> make_case_node(const Expression& form,
                                     std::vector<Node*> operands,
                                     size_t id);
std::unique_ptr<Node> make_logic_node(const Expression& form,
                                      std::vector<Node*> operands,
                                      size_t id);
std::unique_ptr<Node> make_coalesce_node(const Expression& form,
                                         std::vector<Node*> operands,
                                         size_t id);
std::unique_ptr<Node> make_watermark_node(const Expression& form, size_t id);

bool any_can_fail(std::span<Node* const> nodes);

}  // namespace thalweg::expression
