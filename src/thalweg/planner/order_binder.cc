#include "thalweg/planner/order_binder.h"

#include <charconv>

#include <fmt/format.h>

#include "thalweg/common/error.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::planner {

using expression::ExpressionPtr;

std::optional<size_t> sort_ordinal(const sql::Expr& key, size_t column_count) {
  const auto* literal = sql::if_a<sql::Literal>(key);
  if (literal == nullptr || literal->literal_kind != sql::LiteralKind::kExactNumeric) {
    return std::nullopt;
  }
  size_t ordinal = 0;
  const char* end = literal->text.data() + literal->text.size();
  const auto parsed = std::from_chars(literal->text.data(), end, ordinal);
  if (parsed.ec != std::errc() || parsed.ptr != end || ordinal < 1 || ordinal > column_count) {
    throw Error(ErrorCode::kValidation, "Ordinal out of range").at(key.position);
  }
  return ordinal - 1;
}

ColumnIndex OrderBinder::bind_key(const sql::Expr& key,
                                  ExpressionBinder& binder,
                                  std::vector<ExpressionPtr>& projections,
                                  std::vector<std::string>& names) const {
  if (const std::optional<size_t> ordinal = sort_ordinal(key, columns_.size())) {
    return {static_cast<int32_t>(*ordinal)};
  }
  const ExpressionPtr bound = binder.bind(key);
  for (size_t i = 0; i < projections.size(); ++i) {
    if (expression::equal(*projections[i], *bound)) {
      return {static_cast<int32_t>(i)};
    }
  }
  if (distinct_) {
    throw Error(ErrorCode::kValidation,
                fmt::format("Expression '{}' is not in the select clause", sql::unparse(key)))
        .at(key.position);
  }
  const auto* column = sql::if_a<sql::Column>(key);
  names.push_back(column != nullptr ? column->name.last()
                                    : fmt::format("EXPR${}", projections.size()));
  projections.push_back(bound);
  return {static_cast<int32_t>(projections.size() - 1)};
}

std::vector<LogicalSortKey> OrderBinder::bind(const std::vector<sql::OrderItem>& items,
                                              ExpressionBinder& binder,
                                              std::vector<ExpressionPtr>& projections,
                                              std::vector<std::string>& names) const {
  std::map<std::string, ExpressionPtr> aliases;
  for (size_t i = 0; i < columns_.size(); ++i) {
    aliases.emplace(columns_[i].name, projections[i]);
  }
  binder.set_aliases(std::move(aliases));
  std::vector<LogicalSortKey> keys;
  for (const sql::OrderItem& item : items) {
    LogicalSortKey key;
    key.column = bind_key(*item.expr, binder, projections, names);
    key.descending = item.descending;
    key.nulls_first = item.nulls_first.value_or(!item.descending);
    keys.push_back(key);
  }
  binder.set_aliases({});
  return keys;
}

}  // namespace thalweg::planner
