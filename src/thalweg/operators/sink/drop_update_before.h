#pragma once

#include <memory>

#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// Drops -U rows for a consumer that needs only the new ones.
std::shared_ptr<const stream::OperatorFactory> make_drop_update_before();

}  // namespace thalweg::operators
