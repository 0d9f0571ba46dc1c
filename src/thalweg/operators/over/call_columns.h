#pragma once

#include <vector>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/operators/sort/sort_key.h"

namespace thalweg::operators {

/// The columns that calls look at, ascending: arguments and filters.
std::vector<ColumnIndex> columns_of_calls(const std::vector<expression::AggregateCall>& calls);

/// The calls over rows that have only `columns`, which are ascending.
std::vector<expression::AggregateCall> calls_over(
    const std::vector<expression::AggregateCall>& calls, const std::vector<ColumnIndex>& columns);

/// The keys over the same rows.
std::vector<SortKey> keys_over(const std::vector<SortKey>& keys,
                               const std::vector<ColumnIndex>& columns);

/// The call's accumulator can lose rows.
bool can_retract(const expression::AggregateCall& call);

}  // namespace thalweg::operators
