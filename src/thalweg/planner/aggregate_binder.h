#pragma once

#include <map>
#include <string>
#include <vector>

#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/query_binder.h"
#include "thalweg/planner/select_items.h"

namespace thalweg::planner {

/// SELECT with groups: a projection of keys and arguments, the aggregate, HAVING, a projection of
/// the SELECT list.
BoundSelect bind_grouped(const PlannerContext& context,
                         BoundFrom from,
                         const std::vector<SelectColumn>& columns,
                         const SelectClauses& clauses);

/// Binds what stands behind GROUP BY: keys become the aggregate's first columns, aggregate calls
/// the columns after them; any other column is refused. Collects the expressions that the aggregate
/// needs from below. Made for one SELECT.
class GroupedBinder final : public ExpressionBinder {
 public:
  /// `names` maps the text of a SELECT item to its name: keys and aggregates take it.
  GroupedBinder(const PlannerContext& context,
                const Scope& scope,
                std::map<std::string, std::string> names);

  /// All keys, in the order of the grouping sets' first mention.
  void add_keys(const std::vector<std::vector<sql::ExprPtr>>& sets);

  expression::ExpressionPtr bind_selected(const SelectColumn& column);

  /// The aggregate over `input`; call it when everything behind it is bound.
  LogicalPtr build(LogicalPtr input) const;

 protected:
  expression::ExpressionPtr replace(const sql::Expr& expr) override;

 private:
  LogicalPtr build_copies(const LogicalPtr& below, size_t group_id) const;
  size_t add_input(expression::ExpressionPtr expr, std::string name);
  size_t find_or_add_input(expression::ExpressionPtr expr);
  size_t add_key(const sql::Expr& expr);
  expression::ExpressionPtr bind_input(const sql::Expr& expr);
  expression::ExpressionPtr key_reference(size_t key) const;
  expression::ExpressionPtr match_key(const sql::Expr& expr);
  expression::ExpressionPtr find_key(const expression::Expression& bound) const;
  expression::ExpressionPtr bind_aggregate(const sql::FunctionCall& call);
  expression::ExpressionPtr bind_grouping(const sql::FunctionCall& call);
  expression::ExpressionPtr bind_auxiliary(const sql::FunctionCall& call);
  expression::ExpressionPtr add_call(expression::AggregateCall call, const sql::Expr& expr);
  ColumnIndex bind_filter(const sql::Expr& filter);
  void set_nullability(expression::AggregateCall& call,
                       const std::vector<expression::ExpressionPtr>& arguments) const;
  bool is_aggregate(const sql::FunctionCall& call) const;
  std::string name_for(const sql::Expr& expr) const;

  ExpressionBinder input_;
  std::map<std::string, std::string> names_;
  std::vector<expression::ExpressionPtr> inputs_;
  std::vector<std::string> input_names_;
  /// For each key its place in `inputs_`.
  std::vector<size_t> keys_;
  std::vector<std::vector<size_t>> sets_;
  /// How often each set is written.
  std::vector<size_t> copies_;
  std::vector<expression::AggregateCall> calls_;
};

}  // namespace thalweg::planner
