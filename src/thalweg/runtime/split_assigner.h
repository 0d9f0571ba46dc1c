#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "thalweg/stream/source.h"

namespace thalweg::runtime {

/// Deals the splits of one source out to its subtasks, each once in the job's life, over restarts
/// too. Master thread only.
class SplitAssigner {
 public:
  explicit SplitAssigner(int32_t parallelism) : parallelism_(parallelism) {}

  /// The shares of each subtask in what is new among `discovered`.
  std::vector<std::vector<stream::Split>> assign(std::vector<stream::Split> discovered);

  const std::set<std::string>& known() const { return known_; }

  void restore(std::set<std::string> known) {
    known_ = std::move(known);
    next_ = known_.size();
    restored_ = true;
  }

  bool is_restored() const { return restored_; }

 private:
  int32_t parallelism_;
  std::set<std::string> known_;
  size_t next_ = 0;
  bool restored_ = false;
};

}  // namespace thalweg::runtime
