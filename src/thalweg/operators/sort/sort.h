#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "thalweg/operators/sort/sort_key.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// ORDER BY in batch mode, with OFFSET and FETCH. Equal rows keep their order.
struct SortSpec {
  Schema input;
  std::vector<SortKey> keys;
  int64_t offset = 0;
  std::optional<int64_t> fetch = std::nullopt;
};

std::shared_ptr<const stream::OperatorFactory> make_sort(SortSpec spec);

/// ORDER BY in streaming mode: the first key is an ascending time attribute. Event time: rows wait
/// for the watermark and late ones are dropped. Processing time: rows pass in the order they came,
/// sorted by the other keys within a millisecond.
struct TemporalSortSpec {
  Schema input;
  std::vector<SortKey> keys;
  bool is_processing_time = false;
};

std::shared_ptr<const stream::OperatorFactory> make_temporal_sort(TemporalSortSpec spec);

}  // namespace thalweg::operators
