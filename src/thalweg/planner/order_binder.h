#pragma once

#include <string>
#include <vector>

#include "thalweg/planner/expression_binder.h"
#include "thalweg/planner/logical_plan.h"
#include "thalweg/planner/select_items.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// Resolves ORDER BY of one SELECT: ordinals, aliases, then expressions over its rows. Keys that
/// are not selected become further projections behind the visible ones.
class OrderBinder {
 public:
  OrderBinder(const std::vector<SelectColumn>& columns, bool distinct)
      : columns_(columns), distinct_(distinct) {}

  std::vector<LogicalSortKey> bind(const std::vector<sql::OrderItem>& items,
                                   ExpressionBinder& binder,
                                   std::vector<expression::ExpressionPtr>& projections,
                                   std::vector<std::string>& names) const;

 private:
  ColumnIndex bind_key(const sql::Expr& key,
                       ExpressionBinder& binder,
                       std::vector<expression::ExpressionPtr>& projections,
                       std::vector<std::string>& names) const;

  const std::vector<SelectColumn>& columns_;
  bool distinct_;
};

/// The position that a literal in ORDER BY names, from 0; nullopt when `key` is no whole number.
std::optional<size_t> sort_ordinal(const sql::Expr& key, size_t column_count);

}  // namespace thalweg::planner
