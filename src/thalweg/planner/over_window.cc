#include "thalweg/planner/over_window.h"

#include <algorithm>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/planner/logical_build.h"
#include "thalweg/planner/over_frame_binder.h"
#include "thalweg/planner/select_items.h"

namespace thalweg::planner {

using expression::ExpressionKind;
using expression::OverBoundKind;
using expression::OverFrame;

bool OverWindow::may_be_empty() const {
  const auto has_offset = [](const expression::OverBound& bound) {
    return bound.kind == OverBoundKind::kPreceding || bound.kind == OverBoundKind::kFollowing;
  };
  return has_offset(frame.lower) || has_offset(frame.upper);
}

bool is_same_window(const OverWindow& left, const OverWindow& right) {
  return left.frame == right.frame &&
         std::equal(left.partition.begin(),
                    left.partition.end(),
                    right.partition.begin(),
                    right.partition.end(),
                    [](const auto& a, const auto& b) { return expression::equal(*a, *b); }) &&
         std::equal(left.order.begin(),
                    left.order.end(),
                    right.order.begin(),
                    right.order.end(),
                    [](const OverOrder& a, const OverOrder& b) {
                      return expression::equal(*a.key, *b.key) && a.descending == b.descending &&
                             a.nulls_first == b.nulls_first;
                    });
}

namespace {

/// The named window, whose own base is one of those before it.
sql::WindowSpec find_window(const sql::Identifier& name,
                            const std::vector<sql::NamedWindow>& named,
                            size_t count) {
  for (size_t i = count; i-- > 0;) {
    if (named[i].name.text != name.text) {
      continue;
    }
    const std::vector<sql::NamedWindow> before(named.begin(),
                                               named.begin() + static_cast<int64_t>(i));
    return resolve_window(*named[i].spec, before);
  }
  throw Error(ErrorCode::kValidation, fmt::format("Window '{}' not found", name.text))
      .at(name.position)
      .hint("Define it behind FROM and WHERE: WINDOW w AS (PARTITION BY ... ORDER BY ...).");
}

void require_no_over(const sql::Expr& expr, std::string_view clause, SourcePosition position) {
  if (contains_over(expr)) {
    throw Error(ErrorCode::kValidation,
                fmt::format("{} expression should not contain OVER clause", clause))
        .at(position);
  }
}

}  // namespace

sql::WindowSpec resolve_window(const sql::WindowSpec& spec,
                               const std::vector<sql::NamedWindow>& named) {
  if (!spec.base) {
    return spec;
  }
  sql::WindowSpec base = find_window(*spec.base, named, named.size());
  const bool adds = !spec.partition_by.empty() || !spec.order_by.empty() || spec.frame.has_value();
  if (!spec.partition_by.empty()) {
    throw Error(ErrorCode::kValidation, "PARTITION BY not allowed with existing window reference")
        .at(spec.partition_by.front()->position);
  }
  if (!spec.order_by.empty() && !base.order_by.empty()) {
    throw Error(ErrorCode::kValidation, "ORDER BY not allowed in both base and referenced windows")
        .at(spec.order_by.front().expr->position);
  }
  if (adds && base.frame) {
    throw Error(ErrorCode::kValidation, "Referenced window cannot have framing declarations")
        .at(spec.base->position)
        .hint("Name the window without ROWS or RANGE, and write the frame where it is used.");
  }
  if (!spec.order_by.empty()) {
    base.order_by = spec.order_by;
  }
  if (spec.frame) {
    base.frame = spec.frame;
  }
  base.position = spec.position;
  return base;
}

OverWindow bind_over_window(const sql::WindowSpec& spec,
                            const OverDemands& demands,
                            ExpressionBinder& row) {
  OverWindow window;
  for (const sql::ExprPtr& expr : spec.partition_by) {
    require_no_over(*expr, "PARTITION BY", spec.position);
    expression::ExpressionPtr key = row.bind(*expr);
    if (!expression::is_constant(*key)) {
      window.partition.push_back(std::move(key));
    }
  }
  for (const sql::OrderItem& item : spec.order_by) {
    require_no_over(*item.expr, "ORDER BY", spec.position);
    OverOrder order{row.bind(*item.expr), item.descending};
    order.nulls_first = item.nulls_first.value_or(!item.descending);
    require_order(order.key->type);
    if (order.key->type.is_time_attribute() || !expression::is_constant(*order.key)) {
      window.order.push_back(std::move(order));
    }
  }
  if (demands.needs_order && spec.order_by.empty()) {
    throw Error(ErrorCode::kValidation,
                "RANK or DENSE_RANK functions require ORDER BY clause in window specification")
        .at(spec.position);
  }
  if (demands.has_own_frame && spec.frame) {
    throw Error(ErrorCode::kValidation,
                "ROW/RANGE not allowed with RANK, DENSE_RANK or ROW_NUMBER functions")
        .at(spec.position);
  }
  if (spec.frame) {
    bind_over_frame(spec, row, window);
  } else if (demands.counts_rows) {
    window.frame.is_rows = true;
  } else if (spec.order_by.empty()) {
    window.frame.upper.kind = OverBoundKind::kUnboundedFollowing;
  }
  return window;
}

}  // namespace thalweg::planner
