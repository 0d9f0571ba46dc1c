#include "thalweg/sql/expression_children.h"

#include <algorithm>

namespace thalweg::sql {

namespace {

void visit_if(const ExprPtr& expr, const ExprVisitor& visit) {
  if (expr) {
    visit(*expr);
  }
}

void visit_all(const std::vector<ExprPtr>& list, const ExprVisitor& visit) {
  for (const ExprPtr& expr : list) {
    visit_if(expr, visit);
  }
}

void visit_order(const std::vector<OrderItem>& items, const ExprVisitor& visit) {
  for (const OrderItem& item : items) {
    visit_if(item.expr, visit);
  }
}

void visit_pairs(const std::vector<std::pair<ExprPtr, ExprPtr>>& pairs, const ExprVisitor& visit) {
  for (const auto& [left, right] : pairs) {
    visit_if(left, visit);
    visit_if(right, visit);
  }
}

void visit_window(const WindowSpec& spec, const ExprVisitor& visit) {
  visit_all(spec.partition_by, visit);
  visit_order(spec.order_by, visit);
  if (spec.frame) {
    visit_if(spec.frame->lower.offset, visit);
    visit_if(spec.frame->upper.offset, visit);
  }
}

void visit_call(const FunctionCall& call, const ExprVisitor& visit) {
  visit_all(call.args, visit);
  if (call.json) {
    visit_if(call.json->default_on_empty, visit);
    visit_if(call.json->default_on_error, visit);
  }
  visit_order(call.order_by, visit);
  visit_if(call.filter, visit);
  if (call.over) {
    visit_window(*call.over, visit);
  }
}

void visit_case(const Case& node, const ExprVisitor& visit) {
  visit_if(node.operand, visit);
  visit_pairs(node.branches, visit);
  visit_if(node.otherwise, visit);
}

void visit_in(const In& node, const ExprVisitor& visit) {
  visit_if(node.operand, visit);
  visit_all(node.values, visit);
}

void visit_quantified(const Quantified& node, const ExprVisitor& visit) {
  visit_if(node.operand, visit);
  visit_all(node.values, visit);
}

void visit_table_argument(const TableArgument& node, const ExprVisitor& visit) {
  visit_all(node.partition_by, visit);
  visit_order(node.order_by, visit);
}

}  // namespace

void for_each_child(const Expr& expr, const ExprVisitor& visit) {
  switch (expr.kind) {
    case ExprKind::kOperator:
      return visit_all(as<Operator>(expr).operands, visit);
    case ExprKind::kFunctionCall:
      return visit_call(as<FunctionCall>(expr), visit);
    case ExprKind::kCast:
      return visit_if(as<Cast>(expr).operand, visit);
    case ExprKind::kCase:
      return visit_case(as<Case>(expr), visit);
    case ExprKind::kIn:
      return visit_in(as<In>(expr), visit);
    case ExprKind::kQuantified:
      return visit_quantified(as<Quantified>(expr), visit);
    case ExprKind::kFieldAccess:
      return visit_if(as<FieldAccess>(expr).operand, visit);
    case ExprKind::kArray:
      return visit_all(as<ArrayExpr>(expr).elements, visit);
    case ExprKind::kMap:
      return visit_pairs(as<MapExpr>(expr).entries, visit);
    case ExprKind::kRow:
      return visit_all(as<RowExpr>(expr).fields, visit);
    case ExprKind::kNamedArgument:
      return visit_if(as<NamedArgument>(expr).value, visit);
    case ExprKind::kTableArgument:
      return visit_table_argument(as<TableArgument>(expr), visit);
    case ExprKind::kLiteral:
    case ExprKind::kColumn:
    case ExprKind::kStar:
    case ExprKind::kExists:
    case ExprKind::kSubquery:
    case ExprKind::kSymbol:
    case ExprKind::kDescriptor:
    case ExprKind::kModelArgument:
    case ExprKind::kDefault:
      return;
  }
}

void for_each_node(const Expr& expr, const ExprVisitor& visit) {
  visit(expr);
  for_each_child(expr, [&visit](const Expr& child) { for_each_node(child, visit); });
}

std::vector<std::string> referenced_columns(const Expr& expr) {
  std::vector<std::string> names;
  for_each_node(expr, [&names](const Expr& node) {
    const Column* column = if_a<Column>(node);
    if (column == nullptr) {
      return;
    }
    const std::string& name = column->name.parts.front().text;
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  });
  return names;
}

}  // namespace thalweg::sql
