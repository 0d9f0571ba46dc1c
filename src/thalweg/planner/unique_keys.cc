#include "thalweg/planner/unique_keys.h"

#include "thalweg/planner/expression_rewrite.h"
#include "thalweg/planner/injective_cast.h"

namespace thalweg::planner {

namespace {

/// The column whose values an expression tells apart as the column does: itself, or a cast of it;
/// -1 for others.
int32_t passed_column(const expression::Expression& expr) {
  if (expr.kind == expression::ExpressionKind::kCast &&
      is_injective_cast(expr.operands[0]->type, expr.type)) {
    return passed_column(*expr.operands[0]);
  }
  return plain_column(expr);
}

}  // namespace

void add_primary_key(Scan& scan) {
  std::vector<ColumnIndex> keys;
  for (const std::string& name : scan.table.primary_key) {
    for (size_t i = 0; i < scan.schema.size(); ++i) {
      if (scan.schema[i].name == name) {
        keys.push_back({static_cast<int32_t>(i)});
      }
    }
  }
  if (!keys.empty() && keys.size() == scan.table.primary_key.size()) {
    scan.unique_keys = {keys};
  }
}

std::optional<std::vector<ColumnIndex>> keys_through(const Calc& calc,
                                                     const std::vector<ColumnIndex>& keys) {
  std::vector<ColumnIndex> result;
  for (const ColumnIndex key : keys) {
    bool found = false;
    for (size_t i = 0; i < calc.projections.size() && !found; ++i) {
      if (passed_column(*calc.projections[i]) == key.value) {
        result.push_back({static_cast<int32_t>(i)});
        found = true;
      }
    }
    if (!found) {
      return std::nullopt;
    }
  }
  return result;
}

void keep_keys(Calc& calc) {
  const PhysicalNode& input = *calc.inputs[0];
  for (const std::vector<ColumnIndex>& keys : input.unique_keys) {
    if (auto kept = keys_through(calc, keys)) {
      calc.unique_keys.push_back(std::move(*kept));
    }
  }
  if (!input.upsert_key.empty()) {
    calc.upsert_key = keys_through(calc, input.upsert_key).value_or(std::vector<ColumnIndex>{});
  }
}

}  // namespace thalweg::planner
