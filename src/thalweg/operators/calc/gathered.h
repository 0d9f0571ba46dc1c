#pragma once

#include <functional>
#include <memory>

#include "thalweg/expression/gathering_kernel.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// Says what the next rows are to be gathered to; it may change from one call to the next.
using GatheringSource = std::function<expression::Gathering()>;

/// `inner` with the rows of many batches gathered into few: it gets as many as `wanted` says, fewer
/// where they would have to wait too long, and never more. Nothing overtakes the rows that wait.
std::unique_ptr<stream::Operator> make_gathered(std::unique_ptr<stream::Operator> inner,
                                                GatheringSource wanted);

}  // namespace thalweg::operators
