#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "thalweg/operators/sort/sort_key.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// LIMIT without ORDER BY over an input that only inserts: rows [offset, offset + fetch). Runs at
/// parallelism 1.
struct LimitSpec {
  int64_t offset = 0;
  std::optional<int64_t> fetch = std::nullopt;
};

std::shared_ptr<const stream::OperatorFactory> make_limit(LimitSpec spec);

/// ORDER BY ... LIMIT in streaming mode, and LIMIT over an updating input (no keys): the changelog
/// of the rows [offset, offset + fetch). Flink's SortLimit and Limit.
struct TopNSpec {
  Schema input;
  std::vector<SortKey> keys;
  int64_t offset = 0;
  int64_t fetch = 0;
  /// The input holds -U or -D rows.
  bool needs_retract = false;
  /// The columns that tell rows apart, where each update of a row only ranks it higher: then old
  /// rows are not needed, and an update is sent as one. Not together with `offset`.
  std::vector<ColumnIndex> update_key = {};
  bool generate_update_before = true;
  std::optional<int64_t> ttl_ms = std::nullopt;
};

std::shared_ptr<const stream::OperatorFactory> make_top_n(TopNSpec spec);

}  // namespace thalweg::operators
