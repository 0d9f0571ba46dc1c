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
  /// The sink's columns; those of a NOT NULL type are checked.
  Schema columns;
  NotNullEnforcement enforcement = NotNullEnforcement::kError;
};

std::shared_ptr<const stream::OperatorFactory> make_not_null_enforcer(NotNullSpec spec);

}  // namespace thalweg::operators
