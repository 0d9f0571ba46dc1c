#pragma once

#include <memory>
#include <vector>

#include "thalweg/stream/operator.h"
#include "thalweg/types/data_type.h"

namespace thalweg::operators {

/// table.exec.sink.not-null-enforcer.
enum class NotNullEnforcement : uint8_t { kError, kDrop };

/// Guards a sink's NOT NULL columns. Rows before a bad one are sent on.
struct NotNullSpec {
  /// The sink's columns, for messages.
  Schema columns;
  /// Those that must not be NULL.
  std::vector<ColumnIndex> not_null_columns;
  NotNullEnforcement enforcement = NotNullEnforcement::kError;
};

std::shared_ptr<const stream::OperatorFactory> make_not_null_enforcer(NotNullSpec spec);

}  // namespace thalweg::operators
