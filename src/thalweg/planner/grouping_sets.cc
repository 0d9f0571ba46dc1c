#include "thalweg/planner/grouping_sets.h"

#include "thalweg/common/error.h"

namespace thalweg::planner {

namespace {

using Set = std::vector<sql::ExprPtr>;
using Sets = std::vector<Set>;

constexpr size_t kMaxCubeElements = 12;

Sets sets_of(const sql::GroupingElement& element);

Set joined(const Set& left, const Set& right) {
  Set both = left;
  both.insert(both.end(), right.begin(), right.end());
  return both;
}

/// The parts of CUBE or ROLLUP: each an expression or a list in parentheses.
Sets parts_of(const sql::GroupingElement& element) {
  Sets parts;
  for (const sql::ExprPtr& expr : element.exprs) {
    parts.push_back({expr});
  }
  for (const sql::GroupingElement& child : element.children) {
    parts.push_back(child.exprs);
  }
  return parts;
}

Sets cube(const Sets& parts, SourcePosition position) {
  if (parts.size() > kMaxCubeElements) {
    throw Error(ErrorCode::kNotSupported, "CUBE takes at most 12 elements").at(position);
  }
  Sets sets;
  const size_t count = size_t{1} << parts.size();
  for (size_t missing = 0; missing < count; ++missing) {
    Set set;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (((missing >> (parts.size() - 1 - i)) & 1U) == 0) {
        set = joined(set, parts[i]);
      }
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

Sets rollup(const Sets& parts) {
  Sets sets;
  for (size_t count = parts.size() + 1; count-- > 0;) {
    Set set;
    for (size_t i = 0; i < count; ++i) {
      set = joined(set, parts[i]);
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

Sets sets_of(const sql::GroupingElement& element) {
  switch (element.kind) {
    case sql::GroupingKind::kExpr:
    case sql::GroupingKind::kSet:
      return {element.exprs};
    case sql::GroupingKind::kCube:
      return cube(parts_of(element), element.position);
    case sql::GroupingKind::kRollup:
      return rollup(parts_of(element));
    case sql::GroupingKind::kGroupingSets: {
      Sets sets;
      for (const sql::ExprPtr& expr : element.exprs) {
        sets.push_back({expr});
      }
      for (const sql::GroupingElement& child : element.children) {
        const Sets more = sets_of(child);
        sets.insert(sets.end(), more.begin(), more.end());
      }
      return sets;
    }
  }
  return {};
}

}  // namespace

std::vector<std::vector<sql::ExprPtr>> expand_grouping(
    const std::vector<sql::GroupingElement>& elements) {
  Sets product = {{}};
  for (const sql::GroupingElement& element : elements) {
    const Sets sets = sets_of(element);
    Sets next;
    for (const Set& left : product) {
      for (const Set& right : sets) {
        next.push_back(joined(left, right));
      }
    }
    product = std::move(next);
  }
  return product;
}

}  // namespace thalweg::planner
