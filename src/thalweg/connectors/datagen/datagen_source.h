#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "thalweg/connectors/datagen/generator.h"
#include "thalweg/stream/source.h"

namespace thalweg::connectors {

/// What the readers of one source share.
struct DatagenPlan {
  /// Of the columns that are used.
  Schema schema;
  std::vector<std::unique_ptr<const Generator>> generators;
  /// Tells the generators' random numbers apart: the columns' places in the table.
  std::vector<uint64_t> field_ids;
  int64_t rows_per_second = 0;
  /// The end of the shortest sequence, or of 'number-of-rows'.
  std::optional<int64_t> rows;
  /// 'number-of-rows' is set.
  bool is_bounded = false;
  std::optional<int32_t> parallelism;
  uint64_t seed = 0;
};

std::shared_ptr<stream::TableSource> make_datagen_source(std::shared_ptr<const DatagenPlan> plan);

}  // namespace thalweg::connectors
