#include "thalweg/planner/prune_fields.h"

#include <map>

#include "thalweg/expression/field_access.h"
#include "thalweg/planner/changelog.h"
#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/table_binder.h"

namespace thalweg::planner {

using expression::Expression;
using expression::ExpressionKind;
using expression::ExpressionPtr;

namespace {

/// What is read of a value: all of it, some fields of a row, or nothing.
struct Use {
  bool whole = false;
  std::map<size_t, Use> fields = {};

  void add(const Use& other) {
    whole = whole || other.whole;
    for (const auto& [field, use] : other.fields) {
      fields[field].add(use);
    }
  }
};

const Use kWhole = {.whole = true};

/// By column.
using Uses = std::vector<Use>;

/// The field that `row.name` takes.
std::optional<size_t> accessed_field(const Expression& expr) {
  if (!expression::is_field_access(expr)) {
    return std::nullopt;
  }
  const auto* name = std::get_if<std::string>(&expr.operands[1]->literal.data);
  const std::vector<Field>& fields = expr.operands[0]->type.fields();
  for (size_t i = 0; name != nullptr && i < fields.size(); ++i) {
    if (fields[i].name == *name) {
      return i;
    }
  }
  return std::nullopt;
}

/// `use` of an expression's value is use of columns.
void add_use(const Expression& expr, const Use& use, Uses& columns) {
  if (expr.kind == ExpressionKind::kColumn) {
    columns[static_cast<size_t>(expr.column.value)].add(use);
  } else if (const std::optional<size_t> field = accessed_field(expr)) {
    add_use(*expr.operands[0], {.fields = {{*field, use}}}, columns);
  } else {
    for (const ExpressionPtr& operand : expr.operands) {
      add_use(*operand, kWhole, columns);
    }
  }
}

/// A row type with the fields that are used.
DataType pruned_type(const DataType& type, const Use& use) {
  if (use.whole || use.fields.empty() || type.kind() != TypeKind::kRow || type.is_structured()) {
    return type;
  }
  std::vector<Field> fields;
  for (const auto& [index, field_use] : use.fields) {
    fields.push_back(type.fields()[index]);
    fields.back().type = pruned_type(fields.back().type, field_use);
  }
  return DataType::row(std::move(fields)).as_nullable(type.is_nullable());
}

/// Takes over the types of rows, which may have lost fields.
void retype(DataType& type, const DataType& now) {
  if (type.kind() == TypeKind::kRow && type != now) {
    type = now.as_nullable(type.is_nullable());
  }
}

/// The same expression over columns whose rows have lost fields that it does not use.
ExpressionPtr retyped(const ExpressionPtr& expr, const Schema& input) {
  return transform(expr, [&](const ExpressionPtr& node) {
    DataType type = node->type;
    if (node->kind == ExpressionKind::kColumn) {
      retype(type, input[static_cast<size_t>(node->column.value)].type);
    } else if (const std::optional<size_t> field = accessed_field(*node)) {
      retype(type, node->operands[0]->type.child(*field));
    }
    if (type == node->type) {
      return node;
    }
    Expression copy = *node;
    copy.type = std::move(type);
    return std::make_shared<const Expression>(std::move(copy));
  });
}

/// Walks a plan twice: from the roots with what is read, from the scans with the new types.
class FieldPruning {
 public:
  explicit FieldPruning(const PlannerContext& context) : context_(context) {}

  std::vector<PhysicalPtr> run(const std::vector<PhysicalPtr>& roots) {
    for (const PhysicalPtr& root : roots) {
      add_in_order(*root);
      use_all(*root);
    }
    for (size_t i = order_.size(); i-- > 0;) {
      use_inputs(*order_[i]);
    }
    std::vector<PhysicalPtr> pruned;
    for (const PhysicalPtr& root : roots) {
      pruned.push_back(rewrite(root));
    }
    return pruned;
  }

 private:
  /// Inputs come before their consumers.
  void add_in_order(const PhysicalNode& node) {
    if (!uses_.emplace(&node, Uses(node.schema.size())).second) {
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
    for (Use& use : uses_.at(&node)) {
      use.add(kWhole);
    }
  }

  void use_inputs(const PhysicalNode& node) {
    if (node.execution) {
      use_all(*node.execution);
    }
    if (const auto* calc = if_a<Calc>(node)) {
      use_calc(*calc);
    } else if (const auto* assigner = if_a<WatermarkAssigner>(node)) {
      Uses& input = uses_.at(node.inputs[0].get());
      for (size_t i = 0; i < input.size(); ++i) {
        input[i].add(uses_.at(&node)[i]);
      }
      use_watermark(*assigner->watermark, assigner->row_time, input);
    } else if (const auto* scan = if_a<Scan>(node)) {
      if (scan->watermark) {
        use_watermark(*scan->watermark, scan->row_time, uses_.at(&node));
      }
    } else {
      for (const PhysicalPtr& input : node.inputs) {
        use_all(*input);
      }
    }
  }

  void use_calc(const Calc& calc) {
    Uses& input = uses_.at(calc.inputs[0].get());
    for (size_t i = 0; i < calc.projections.size(); ++i) {
      add_use(*calc.projections[i], uses_.at(&calc)[i], input);
    }
    if (calc.condition) {
      add_use(*calc.condition, kWhole, input);
    }
  }

  static void use_watermark(const Expression& watermark, ColumnIndex row_time, Uses& columns) {
    columns[static_cast<size_t>(row_time.value)].add(kWhole);
    add_use(watermark, kWhole, columns);
  }

  PhysicalPtr rewrite(const PhysicalPtr& node) {
    const auto found = rewritten_.find(node.get());
    if (found != rewritten_.end()) {
      return found->second;
    }
    std::shared_ptr<PhysicalNode> copy = copy_node(*node);
    bool changed = false;
    for (PhysicalPtr& input : copy->inputs) {
      const PhysicalPtr old = std::exchange(input, rewrite(input));
      changed = changed || input != old;
    }
    if (copy->execution) {
      const PhysicalPtr old = std::exchange(copy->execution, rewrite(copy->execution));
      changed = changed || copy->execution != old;
    }
    if (copy->kind == PhysicalNodeKind::kScan) {
      changed = prune_scan(static_cast<Scan&>(*copy), uses_.at(node.get()));
    } else if (changed) {
      retype_node(*copy);
    }
    const PhysicalPtr result = changed ? PhysicalPtr(std::move(copy)) : node;
    rewritten_.emplace(node.get(), result);
    return result;
  }

  bool prune_scan(Scan& scan, const Uses& uses) const {
    if (!scan.source->abilities().nested_projection) {
      return false;
    }
    bool changed = false;
    const size_t physical = scan.schema.size() - scan.table.metadata_keys.size();
    for (size_t i = 0; i < physical; ++i) {
      const size_t column =
          scan.table.projection ? static_cast<size_t>((*scan.table.projection)[i]) : i;
      DataType& type = scan.table.columns[column].type;
      const DataType pruned = pruned_type(type, uses[i]);
      if (pruned != type) {
        type = pruned;
        scan.schema[i].type = pruned;
        changed = true;
      }
    }
    if (changed) {
      scan.source = create_source(scan.table, {}, context_);
      if (scan.watermark) {
        scan.watermark = retyped(scan.watermark, scan.schema);
      }
    }
    return changed;
  }

  static void retype_node(PhysicalNode& node) {
    const Schema& input = node.inputs[0]->schema;
    if (node.kind == PhysicalNodeKind::kCalc) {
      auto& calc = static_cast<Calc&>(node);
      for (size_t i = 0; i < calc.projections.size(); ++i) {
        calc.projections[i] = retyped(calc.projections[i], input);
        retype(calc.schema[i].type, calc.projections[i]->type);
      }
      if (calc.condition) {
        calc.condition = retyped(calc.condition, input);
      }
    } else if (node.kind == PhysicalNodeKind::kWatermarkAssigner) {
      auto& assigner = static_cast<WatermarkAssigner&>(node);
      assigner.watermark = retyped(assigner.watermark, input);
      for (size_t i = 0; i < input.size(); ++i) {
        retype(assigner.schema[i].type, input[i].type);
      }
    }
  }

  const PlannerContext& context_;
  std::map<const PhysicalNode*, Uses> uses_;
  std::vector<const PhysicalNode*> order_;
  std::map<const PhysicalNode*, PhysicalPtr> rewritten_;
};

}  // namespace

std::vector<PhysicalPtr> prune_fields(const std::vector<PhysicalPtr>& roots,
                                      const PlannerContext& context) {
  return FieldPruning(context).run(roots);
}

}  // namespace thalweg::planner
