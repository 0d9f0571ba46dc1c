#pragma once

#include <map>
#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/planner/planner_context.h"
#include "thalweg/planner/scope.h"
#include "thalweg/sql/ast_expression.h"

namespace thalweg::planner {

class OverBinder;

/// Turns syntax trees of expressions into typed expressions over the columns of a scope. Made for
/// one clause of one SELECT; borrows context and scope. Clauses with a view of their own (behind
/// GROUP BY, in MATCH_RECOGNIZE) derive from it and replace nodes.
class ExpressionBinder {
 public:
  /// `clause` names the place in errors ("WHERE").
  ExpressionBinder(const PlannerContext& context, const Scope& scope, std::string clause);
  virtual ~ExpressionBinder() = default;
  ExpressionBinder(const ExpressionBinder&) = delete;
  ExpressionBinder& operator=(const ExpressionBinder&) = delete;

  expression::ExpressionPtr bind(const sql::Expr& expr);
  /// Binds and demands BOOLEAN: "WHERE clause must be a condition".
  expression::ExpressionPtr bind_condition(const sql::Expr& expr);

  /// Names that go before the scope's columns: the SELECT list's, for ORDER BY.
  void set_aliases(std::map<std::string, expression::ExpressionPtr> aliases) {
    aliases_ = std::move(aliases);
  }

  /// Where calls with OVER are collected; null: none may stand in this clause.
  void set_over(OverBinder* over) { over_ = over; }

  const PlannerContext& context() const { return context_; }

  const Scope& scope() const { return scope_; }

  using ExpressionPtr = expression::ExpressionPtr;
  using Operands = std::vector<ExpressionPtr>;

  /// A call on bound operands, with the casts that it needs marked as not written.
  static ExpressionPtr call(const std::shared_ptr<const expression::ScalarFunction>& function,
                            Operands operands,
                            SourcePosition position);

 protected:
  /// The meaning that a node has in this clause, or null for the usual one.
  virtual expression::ExpressionPtr replace(const sql::Expr& expr);
  /// A call of an aggregate or window function where none may stand.
  [[noreturn]] virtual void refuse_aggregate(const sql::FunctionCall& call);

  /// A call of the built-in `name` on bound operands.
  ExpressionPtr call(const std::string& name, Operands operands, SourcePosition position);
  /// A conjunction or disjunction; nested ones of the same kind become one.
  ExpressionPtr combine(expression::ExpressionKind kind,
                        Operands operands,
                        SourcePosition position);

 private:
  ExpressionPtr bind_node(const sql::Expr& expr);
  ExpressionPtr bind_column(const sql::Column& column);
  ExpressionPtr bind_field(ExpressionPtr row, const sql::Identifier& field);
  ExpressionPtr bind_cast(const sql::Cast& cast);
  ExpressionPtr bind_case(const sql::Case& node);
  ExpressionPtr bind_in(const sql::In& in);
  ExpressionPtr bind_quantified(const sql::Quantified& node);
  ExpressionPtr bind_constructor(const std::string& name,
                                 const std::vector<sql::ExprPtr>& parts,
                                 SourcePosition position);
  ExpressionPtr bind_operator(const sql::Operator& node);
  ExpressionPtr bind_logical(const sql::Operator& node);
  ExpressionPtr bind_between(const sql::Operator& node);
  ExpressionPtr bind_unary_minus(const sql::Operator& node);
  ExpressionPtr bind_plus(const sql::Operator& node);
  ExpressionPtr bind_function(const sql::FunctionCall& call);
  ExpressionPtr bind_over(const sql::FunctionCall& call);
  /// A call of a JSON function with the clauses inside its parentheses.
  ExpressionPtr bind_json(const std::string& name,
                          const sql::FunctionCall& call,
                          Operands operands);
  /// Functions that are forms of their own: COALESCE, IF, NULLIF, CURRENT_WATERMARK ... or null.
  ExpressionPtr bind_special_function(const std::string& name, const sql::FunctionCall& call);
  ExpressionPtr bind_argument(const sql::Expr& argument);
  Operands bind_all(const std::vector<sql::ExprPtr>& nodes);

  const PlannerContext& context_;
  const Scope& scope_;
  std::string clause_;
  std::map<std::string, expression::ExpressionPtr> aliases_;
  OverBinder* over_ = nullptr;
};

/// The common type of CASE's branches, IN's values and so on; throws when there is none.
DataType require_common_type(const std::vector<DataType>& types,
                             std::string_view what,
                             SourcePosition position);

/// The value `operand` as `target`; see coerce. Untyped NULLs become typed ones.
expression::ExpressionPtr as_type(expression::ExpressionPtr operand, const DataType& target);

/// The name of a built-in as the registry knows it, upper case.
std::string function_name(const sql::FunctionCall& call);
std::string upper_case(std::string text);

/// The registry's name of an operator; empty for those that are forms of their own.
std::string_view operator_function(sql::Op op);

}  // namespace thalweg::planner
