#pragma once

#include <string>
#include <vector>

#include "thalweg/expression/expression.h"
#include "thalweg/expression/over_frame.h"
#include "thalweg/planner/expression_binder.h"
#include "thalweg/sql/ast_query.h"

namespace thalweg::planner {

/// What a function asks of the window that it stands before.
struct OverDemands {
  /// ROW_NUMBER, RANK, LAG: they have a frame of their own.
  bool has_own_frame = false;
  /// That frame counts rows: ROW_NUMBER.
  bool counts_rows = false;
  /// RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST mean nothing without an order.
  bool needs_order = false;
};

struct OverOrder {
  expression::ExpressionPtr key;
  bool descending = false;
  bool nulls_first = true;
};

/// A window over the columns of a row. Constants part and order nothing: they are left out.
struct OverWindow {
  std::vector<expression::ExpressionPtr> partition;
  std::vector<OverOrder> order;
  expression::OverFrame frame;
  /// The frame as EXPLAIN's syntax tree writes it; empty for the one that is there unasked.
  std::string frame_text;

  /// Whether the frame need not hold a row, as far as Calcite sees: it takes distances for unknown.
  bool may_be_empty() const;
};

bool is_same_window(const OverWindow& left, const OverWindow& right);

/// OVER w, OVER (w ORDER BY ...): the window with what it stands on put in. Throws where it is not
/// among `named`, and where the two contradict each other.
sql::WindowSpec resolve_window(const sql::WindowSpec& spec,
                               const std::vector<sql::NamedWindow>& named);

/// Binds a resolved window by `row`, and checks it as Calcite's SqlWindow does.
OverWindow bind_over_window(const sql::WindowSpec& spec,
                            const OverDemands& demands,
                            ExpressionBinder& row);

}  // namespace thalweg::planner
