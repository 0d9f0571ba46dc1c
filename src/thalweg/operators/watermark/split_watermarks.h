#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "thalweg/common/time.h"

namespace thalweg::operators {

/// The watermark of each split of a source, and their minimum. Sampled by the clock, as Flink does
/// for watermarks inside a source: what counts is the last row before each sample. Owned by one
/// watermark operator.
class SplitWatermarks {
 public:
  /// A split that will have rows holds the watermark back from now on.
  void announce(std::string_view split, ProcessingTime now);

  /// A split without more rows holds nothing back, as where Flink's SourceReaderBase releases the
  /// output of a finished split.
  void remove(std::string_view split);

  /// The last watermark of a batch of `split` (null: the only one).
  void observe(const std::string* split, int64_t watermark_ms, ProcessingTime now);

  /// Takes a sample: the minimum over the splits that had rows within `idle_timeout_ms` (0: all).
  /// Lowest int64_t when there is none.
  int64_t sample(ProcessingTime now, int64_t idle_timeout_ms);

 private:
  struct SplitState {
    int64_t latest_ms = kMinEventTime.ms;
    int64_t sampled_ms = kMinEventTime.ms;
    ProcessingTime last_row;
  };

  SplitState& state_of(std::string_view name, ProcessingTime now);

  std::map<std::string, SplitState, std::less<>> splits_;
};

}  // namespace thalweg::operators
