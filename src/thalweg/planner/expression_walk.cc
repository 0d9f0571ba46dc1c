#include "thalweg/planner/expression_walk.h"

namespace thalweg::planner {

namespace {

using Visit = std::function<void(const sql::Expr&)>;

void visit_all(const std::vector<sql::ExprPtr>& nodes, const Visit& visit) {
  for (const sql::ExprPtr& node : nodes) {
    if (node) {
      visit(*node);
    }
  }
}

void visit_call(const sql::FunctionCall& call, const Visit& visit) {
  visit_all(call.args, visit);
  for (const sql::OrderItem& item : call.order_by) {
    visit(*item.expr);
  }
  if (call.filter) {
    visit(*call.filter);
  }
  if (call.over) {
    visit_all(call.over->partition_by, visit);
    for (const sql::OrderItem& item : call.over->order_by) {
      visit(*item.expr);
    }
  }
}

void visit_case(const sql::Case& node, const Visit& visit) {
  visit_all({node.operand, node.otherwise}, visit);
  for (const auto& [when, then] : node.branches) {
    visit(*when);
    visit(*then);
  }
}

}  // namespace

void for_each_operand(const sql::Expr& expr, const Visit& visit) {
  switch (expr.kind) {
    case sql::ExprKind::kOperator:
      return visit_all(sql::as<sql::Operator>(expr).operands, visit);
    case sql::ExprKind::kFunctionCall:
      return visit_call(sql::as<sql::FunctionCall>(expr), visit);
    case sql::ExprKind::kCast:
      return visit(*sql::as<sql::Cast>(expr).operand);
    case sql::ExprKind::kCase:
      return visit_case(sql::as<sql::Case>(expr), visit);
    case sql::ExprKind::kIn:
      visit(*sql::as<sql::In>(expr).operand);
      return visit_all(sql::as<sql::In>(expr).values, visit);
    case sql::ExprKind::kQuantified:
      visit(*sql::as<sql::Quantified>(expr).operand);
      return visit_all(sql::as<sql::Quantified>(expr).values, visit);
    case sql::ExprKind::kFieldAccess:
      return visit(*sql::as<sql::FieldAccess>(expr).operand);
    case sql::ExprKind::kArray:
      return visit_all(sql::as<sql::ArrayExpr>(expr).elements, visit);
    case sql::ExprKind::kRow:
      return visit_all(sql::as<sql::RowExpr>(expr).fields, visit);
    case sql::ExprKind::kMap:
      for (const auto& [key, value] : sql::as<sql::MapExpr>(expr).entries) {
        visit(*key);
        visit(*value);
      }
      return;
    case sql::ExprKind::kNamedArgument:
      return visit(*sql::as<sql::NamedArgument>(expr).value);
    default:
      return;
  }
}

bool any_node(const sql::Expr& expr, const std::function<bool(const sql::Expr&)>& test) {
  if (test(expr)) {
    return true;
  }
  bool found = false;
  for_each_operand(expr,
                   [&](const sql::Expr& operand) { found = found || any_node(operand, test); });
  return found;
}

}  // namespace thalweg::planner
