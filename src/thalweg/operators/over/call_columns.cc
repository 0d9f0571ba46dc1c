#include "thalweg/operators/over/call_columns.h"

#include <algorithm>

namespace thalweg::operators {

using expression::AggregateCall;

namespace {

ColumnIndex place_of(ColumnIndex column, const std::vector<ColumnIndex>& columns) {
  const auto found = std::lower_bound(columns.begin(), columns.end(), column);
  return {static_cast<int32_t>(found - columns.begin())};
}

}  // namespace

std::vector<ColumnIndex> columns_of_calls(const std::vector<AggregateCall>& calls) {
  std::vector<ColumnIndex> columns;
  for (const AggregateCall& call : calls) {
    columns.insert(columns.end(), call.arguments.begin(), call.arguments.end());
    if (call.filter.value >= 0) {
      columns.push_back(call.filter);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<AggregateCall> calls_over(const std::vector<AggregateCall>& calls,
                                      const std::vector<ColumnIndex>& columns) {
  std::vector<AggregateCall> result = calls;
  for (AggregateCall& call : result) {
    for (ColumnIndex& argument : call.arguments) {
      argument = place_of(argument, columns);
    }
    if (call.filter.value >= 0) {
      call.filter = place_of(call.filter, columns);
    }
  }
  return result;
}

std::vector<SortKey> keys_over(const std::vector<SortKey>& keys,
                               const std::vector<ColumnIndex>& columns) {
  std::vector<SortKey> result = keys;
  for (SortKey& key : result) {
    key.column = place_of(key.column, columns);
  }
  return result;
}

bool can_retract(const AggregateCall& call) {
  std::vector<expression::BoundArgument> arguments;
  for (const DataType& type : call.signature.arguments) {
    arguments.push_back({type});
  }
  return call.function->make_kernel(call.signature, arguments, true)->supports_retract();
}

}  // namespace thalweg::operators
