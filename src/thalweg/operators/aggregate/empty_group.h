#pragma once

#include "thalweg/operators/aggregate/group_state.h"

namespace thalweg::operators {

/// The row that a keyless query gives for no input, COUNT 0 and SUM NULL; nothing when a restored
/// group is there.
inline void send_empty_group(GroupState& state, stream::Output& output) {
  if (state.table().size() > 0) {
    return;
  }
  auto results = state.make_result_builders();
  state.append_empty_results(results);
  output.emit(finish_batch(results));
}

}  // namespace thalweg::operators
