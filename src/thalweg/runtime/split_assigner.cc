#include "thalweg/runtime/split_assigner.h"

namespace thalweg::runtime {

std::vector<std::vector<stream::Split>> SplitAssigner::assign(
    std::vector<stream::Split> discovered) {
  std::vector<std::vector<stream::Split>> shares(static_cast<size_t>(parallelism_));
  for (stream::Split& split : discovered) {
    if (known_.insert(split.id).second) {
      shares[next_++ % shares.size()].push_back(std::move(split));
    }
  }
  return shares;
}

}  // namespace thalweg::runtime
