#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/expression/scalar_function.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// What to remember of an upsert stream.
struct ChangelogNormalizeSpec {
  Schema input;
  std::vector<ColumnIndex> keys;
  bool generate_update_before = true;
  std::optional<int64_t> ttl_ms = std::nullopt;
  /// Rows for which it is not TRUE count as removed; null: all stay.
  expression::ExpressionPtr condition = nullptr;
  expression::EvaluationContext evaluation = {};
};

/// Turns an upsert stream, whose rows are partitioned by key, into one with old values (Flink's
/// ChangelogNormalize): the first row of a key is +I, a later one -U and +U, and -D carries the row
/// that was there. A row equal to the one before it sends nothing, unless state expires; one that
/// the condition does not let through takes back what was there.
std::shared_ptr<const stream::OperatorFactory> make_changelog_normalize(
    ChangelogNormalizeSpec spec);

}  // namespace thalweg::operators
