#include "thalweg/planner/narrow_scans.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "thalweg/planner/changelog.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/table_binder.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

namespace {

using Used = std::vector<bool>;
using Mapping = std::vector<int32_t>;

/// A node that reads less, and where its columns are now (-1: gone).
struct Narrowed {
  PhysicalPtr node;
  Mapping mapping;
};

Mapping identity(size_t count) {
  Mapping mapping(count);
  std::iota(mapping.begin(), mapping.end(), 0);
  return mapping;
}

void use(Used& used, ColumnIndex column) {
  if (column.value >= 0) {
    used[static_cast<size_t>(column.value)] = true;
  }
}

void use(Used& used, const ExpressionPtr& expr) {
  if (expr) {
    for (const ColumnIndex column : expression::referenced_columns(*expr)) {
      use(used, column);
    }
  }
}

void move(ColumnIndex& column, const Mapping& mapping) {
  column.value = mapping[static_cast<size_t>(column.value)];
}

/// Walks a plan twice: from the roots with what is read, from the scans with where columns went.
class Narrowing {
 public:
  explicit Narrowing(const PlannerContext& context) : context_(context) {}

  std::vector<PhysicalPtr> run(const std::vector<PhysicalPtr>& roots) {
    for (const PhysicalPtr& root : roots) {
      add_in_order(*root);
      use_all(*root);
    }
    for (size_t i = order_.size(); i-- > 0;) {
      use_inputs(*order_[i]);
    }
    std::vector<PhysicalPtr> narrowed;
    for (const PhysicalPtr& root : roots) {
      narrowed.push_back(rewrite(root).node);
    }
    return narrowed;
  }

 private:
  /// Inputs come before their consumers.
  void add_in_order(const PhysicalNode& node) {
    if (!used_.emplace(&node, Used(node.schema.size(), false)).second) {
      return;
    }
    for (const PhysicalPtr& input : node.inputs) {
      add_in_order(*input);
    }
    if (node.execution) {
      add_in_order(*node.execution);
    }
    order_.push_back(&node);
  }

  void use_all(const PhysicalNode& node) {
    Used& used = used_.at(&node);
    std::fill(used.begin(), used.end(), true);
  }

  /// Whether the node gives its input's columns on, so that those which nobody reads can go.
  static bool passes_through(const PhysicalNode& node) {
    switch (node.kind) {
      case PhysicalNodeKind::kWatermarkAssigner:
      case PhysicalNodeKind::kExchange:
      case PhysicalNodeKind::kLimit:
      case PhysicalNodeKind::kOverAggregate:
        return !node.execution;
      case PhysicalNodeKind::kSort:
        return !node.execution && !as<Sort>(node).needs_retract;
      default:
        return false;
    }
  }

  void use_inputs(const PhysicalNode& node) {
    if (node.execution) {
      use_all(*node.execution);
    }
    if (const auto* scan = if_a<Scan>(node)) {
      use(used_.at(&node), scan->watermark);
      use(used_.at(&node), scan->row_time);
    } else if (const auto* calc = if_a<Calc>(node); calc != nullptr && !node.execution) {
      Used& input = used_.at(node.inputs[0].get());
      for (const size_t i : kept_projections(*calc)) {
        use(input, calc->projections[i]);
      }
      use(input, calc->condition);
    } else if (passes_through(node)) {
      use_passed(node);
    } else {
      for (const PhysicalPtr& input : node.inputs) {
        use_all(*input);
      }
    }
  }

  void use_passed(const PhysicalNode& node) {
    const Used& output = used_.at(&node);
    Used& input = used_.at(node.inputs[0].get());
    for (size_t i = 0; i < input.size(); ++i) {
      input[i] = input[i] || output[i];
    }
    if (const auto* assigner = if_a<WatermarkAssigner>(node)) {
      use(input, assigner->watermark);
      use(input, assigner->row_time);
    } else if (const auto* exchange = if_a<Exchange>(node)) {
      for (const ColumnIndex key : exchange->keys) {
        use(input, key);
      }
    } else if (const auto* sort = if_a<Sort>(node)) {
      for (const SortKey& key : sort->keys) {
        use(input, key.column);
      }
      for (const ColumnIndex column : sort->update_key) {
        use(input, column);
      }
    } else if (const auto* over = if_a<OverAggregate>(node)) {
      use_window(*over, input);
    }
  }

  static void use_window(const OverAggregate& over, Used& input) {
    for (const ColumnIndex key : over.partition_keys) {
      use(input, key);
    }
    for (const SortKey& key : over.order) {
      use(input, key.column);
    }
    for (const OverCalls& window : over.windows) {
      for (const expression::AggregateCall& call : window.calls) {
        for (const ColumnIndex argument : call.arguments) {
          use(input, argument);
        }
      }
    }
  }

  /// The projections of a calc that somebody reads; one where nobody reads any.
  std::vector<size_t> kept_projections(const Calc& calc) const {
    const Used& used = used_.at(&calc);
    std::vector<size_t> kept;
    for (size_t i = 0; i < calc.projections.size(); ++i) {
      if (used[i]) {
        kept.push_back(i);
      }
    }
    return kept.empty() ? std::vector<size_t>{0} : kept;
  }

  Narrowed rewrite(const PhysicalPtr& node) {
    const auto found = rewritten_.find(node.get());
    if (found != rewritten_.end()) {
      return found->second;
    }
    const Narrowed result =
        node->kind == PhysicalNodeKind::kScan ? narrow(node) : rewrite_inputs(node);
    rewritten_.emplace(node.get(), result);
    return result;
  }

  Narrowed rewrite_inputs(const PhysicalPtr& node) {
    std::shared_ptr<PhysicalNode> copy = copy_node(*node);
    bool changed = false;
    Mapping mapping;
    for (PhysicalPtr& input : copy->inputs) {
      Narrowed next = rewrite(input);
      changed = changed || next.node != input;
      input = std::move(next.node);
      mapping = std::move(next.mapping);
    }
    if (copy->execution) {
      const PhysicalPtr old = std::exchange(copy->execution, rewrite(copy->execution).node);
      changed = changed || copy->execution != old;
    }
    Mapping output = identity(node->schema.size());
    if (node->kind == PhysicalNodeKind::kCalc && !node->execution) {
      const std::vector<size_t> kept = kept_projections(as<Calc>(*node));
      if (kept.size() < output.size()) {
        output = keep_projections(static_cast<Calc&>(*copy), kept);
        changed = true;
      }
    }
    if (!changed) {
      return {node, std::move(output)};
    }
    if (node->kind == PhysicalNodeKind::kCalc) {
      return {over_fewer_columns(std::move(copy), mapping), std::move(output)};
    }
    if (passes_through(*node)) {
      add_results(mapping, node->schema.size());
      pass_fewer_columns(*copy, mapping);
      output = std::move(mapping);
    }
    return {std::move(copy), std::move(output)};
  }

  static Mapping keep_projections(Calc& calc, const std::vector<size_t>& kept) {
    Mapping mapping(calc.projections.size(), -1);
    std::vector<ExpressionPtr> projections;
    Schema schema;
    for (const size_t i : kept) {
      mapping[i] = static_cast<int32_t>(projections.size());
      projections.push_back(calc.projections[i]);
      schema.push_back(calc.schema[i]);
    }
    calc.projections = std::move(projections);
    calc.schema = std::move(schema);
    move_keys(calc, mapping);
    return mapping;
  }

  /// The columns that a node adds come behind those of its input.
  static void add_results(Mapping& mapping, size_t width) {
    auto next = static_cast<int32_t>(
        std::count_if(mapping.begin(), mapping.end(), [](int32_t column) { return column >= 0; }));
    while (mapping.size() < width) {
      mapping.push_back(next++);
    }
  }

  /// A calc that does nothing any more goes.
  static PhysicalPtr over_fewer_columns(std::shared_ptr<PhysicalNode> node,
                                        const Mapping& mapping) {
    auto& calc = static_cast<Calc&>(*node);
    for (ExpressionPtr& projection : calc.projections) {
      projection = expression::remap_columns(projection, mapping);
    }
    if (calc.condition) {
      calc.condition = expression::remap_columns(calc.condition, mapping);
      return node;
    }
    const PhysicalPtr& input = node->inputs[0];
    const bool is_idle = is_identity(calc.projections, input->schema) &&
                         names_of(calc.schema) == names_of(input->schema);
    return is_idle ? input : PhysicalPtr(std::move(node));
  }

  static void pass_fewer_columns(PhysicalNode& node, const Mapping& mapping) {
    Schema schema;
    for (size_t i = 0; i < mapping.size(); ++i) {
      if (mapping[i] >= 0) {
        schema.push_back({});
      }
    }
    for (size_t i = 0; i < mapping.size(); ++i) {
      if (mapping[i] >= 0) {
        schema[static_cast<size_t>(mapping[i])] = node.schema[i];
      }
    }
    node.schema = std::move(schema);
    move_keys(node, mapping);
    if (node.kind == PhysicalNodeKind::kWatermarkAssigner) {
      auto& assigner = static_cast<WatermarkAssigner&>(node);
      assigner.watermark = expression::remap_columns(assigner.watermark, mapping);
      move(assigner.row_time, mapping);
    } else if (node.kind == PhysicalNodeKind::kExchange) {
      for (ColumnIndex& key : static_cast<Exchange&>(node).keys) {
        move(key, mapping);
      }
    } else if (node.kind == PhysicalNodeKind::kSort) {
      auto& sort = static_cast<Sort&>(node);
      for (SortKey& key : sort.keys) {
        move(key.column, mapping);
      }
      for (ColumnIndex& column : sort.update_key) {
        move(column, mapping);
      }
    } else if (node.kind == PhysicalNodeKind::kOverAggregate) {
      move_window(static_cast<OverAggregate&>(node), mapping);
    }
  }

  static void move_window(OverAggregate& over, const Mapping& mapping) {
    for (ColumnIndex& key : over.partition_keys) {
      move(key, mapping);
    }
    for (SortKey& key : over.order) {
      move(key.column, mapping);
    }
    for (OverCalls& window : over.windows) {
      for (expression::AggregateCall& call : window.calls) {
        for (ColumnIndex& argument : call.arguments) {
          move(argument, mapping);
        }
      }
    }
  }

  /// Keys of which a column is gone are known no longer.
  static void move_keys(PhysicalNode& node, const Mapping& mapping) {
    const auto is_lost = [&](const std::vector<ColumnIndex>& key) {
      return std::any_of(key.begin(), key.end(), [&](ColumnIndex column) {
        return mapping[static_cast<size_t>(column.value)] < 0;
      });
    };
    std::erase_if(node.unique_keys, is_lost);
    if (is_lost(node.upsert_key)) {
      node.upsert_key.clear();
    }
    for (std::vector<ColumnIndex>& key : node.unique_keys) {
      for (ColumnIndex& column : key) {
        move(column, mapping);
      }
    }
    for (ColumnIndex& column : node.upsert_key) {
      move(column, mapping);
    }
  }

  Narrowed narrow(const PhysicalPtr& node) const {
    const Used& used = used_.at(node.get());
    const size_t width = node->schema.size();
    if (std::find(used.begin(), used.end(), false) == used.end()) {
      return {node, identity(width)};
    }
    auto scan = std::make_shared<Scan>(as<Scan>(*node));
    const size_t physical = width - scan->table.metadata_keys.size();
    const bool reads_none = std::find(used.begin(), used.end(), true) == used.end();
    Mapping mapping(width, -1);
    std::vector<int32_t> projection;
    std::vector<std::string> metadata_keys;
    scan->schema.clear();
    for (size_t i = 0; i < width; ++i) {
      // A batch needs a column.
      if (!used[i] && !(reads_none && i == 0)) {
        continue;
      }
      mapping[i] = static_cast<int32_t>(scan->schema.size());
      scan->schema.push_back(node->schema[i]);
      if (i < physical) {
        projection.push_back(scan->table.projection ? (*scan->table.projection)[i]
                                                    : static_cast<int32_t>(i));
      } else {
        metadata_keys.push_back(scan->table.metadata_keys[i - physical]);
      }
    }
    scan->table.projection = std::move(projection);
    scan->table.metadata_keys = std::move(metadata_keys);
    move_keys(*scan, mapping);
    scan->source = create_source(scan->table, {}, context_);
    if (scan->watermark) {
      scan->watermark = expression::remap_columns(scan->watermark, mapping);
      move(scan->row_time, mapping);
    }
    scan->filter = nullptr;
    return {std::move(scan), std::move(mapping)};
  }

  const PlannerContext& context_;
  std::map<const PhysicalNode*, Used> used_;
  std::vector<const PhysicalNode*> order_;
  std::map<const PhysicalNode*, Narrowed> rewritten_;
};

}  // namespace

std::vector<PhysicalPtr> narrow_scans(const std::vector<PhysicalPtr>& roots,
                                      const PlannerContext& context) {
  return Narrowing(context).run(roots);
}

}  // namespace thalweg::planner
