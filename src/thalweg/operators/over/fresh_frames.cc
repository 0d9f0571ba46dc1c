#include "thalweg/operators/over/fresh_frames.h"

#include <algorithm>

namespace thalweg::operators {

stream::RecordLayout bound_layout(AggregateSet& aggregates) {
  std::vector<stream::StateField> fields;
  aggregates.declare_fields(fields);
  stream::RecordLayout layout(fields);
  aggregates.bind(layout);
  return layout;
}

FreshFrames::FreshFrames(const std::vector<expression::AggregateCall>& calls)
    : aggregates_(calls, false), layout_(bound_layout(aggregates_)), scratch_(layout_) {}

void FreshFrames::append_results(const Batch& batch,
                                 std::span<const int32_t> begins,
                                 std::span<const int32_t> ends,
                                 std::span<ColumnBuilder> results) {
  for (size_t begin = 0; begin < begins.size();) {
    const size_t most = std::min(begins.size() - begin, kFramesAtOnce);
    scratch_.reset(most);
    rows_.clear();
    records_.clear();
    size_t frame = 0;
    for (; frame < most && rows_.size() < kRowsAtOnce; ++frame) {
      for (int32_t row = begins[begin + frame]; row < ends[begin + frame]; ++row) {
        rows_.push_back(row);
        records_.push_back(scratch_.records()[frame]);
      }
    }
    aggregates_.accumulate(batch, {rows_, records_}, scratch_);
    aggregates_.append_results({scratch_.records().first(frame), scratch_}, results);
    begin += frame;
  }
}

}  // namespace thalweg::operators
