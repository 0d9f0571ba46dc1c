#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// What to remember before a sink whose key is not the one by which its rows are updated.
struct UpsertMaterializeSpec {
  Schema input;
  /// The sink's primary key; rows are partitioned by it.
  std::vector<ColumnIndex> keys;
  /// By which a row that is taken back is found among those of its key; empty: all columns.
  std::vector<ColumnIndex> match;
  std::optional<int64_t> ttl_ms = std::nullopt;
};

/// Flink's SinkUpsertMaterializer: of the rows with one key the last one counts. The first is +I, a
/// later one +U; when the last is taken back the one before it comes as +U, or -D when there is
/// none.
std::shared_ptr<const stream::OperatorFactory> make_upsert_materialize(UpsertMaterializeSpec spec);

}  // namespace thalweg::operators
