#include "thalweg/operators/over/running_frame.h"

#include <numeric>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/over/bounded_frame.h"
#include "thalweg/types/column_operations.h"

namespace thalweg::operators {

namespace {

/// UNBOUNDED PRECEDING to CURRENT ROW: an accumulator for each partition.
class UnboundedFrame final : public RunningFrame {
 public:
  UnboundedFrame(const OverAggregateSpec& spec, bool peers_share)
      : aggregates_(spec.calls, false), peers_share_(peers_share) {}

  void declare_fields(std::vector<stream::StateField>& fields) override {
    aggregates_.declare_fields(fields);
  }

  void bind(stream::KeyedTable& table) override {
    table_ = &table;
    aggregates_.bind(table.layout());
  }

  std::vector<ColumnPtr> add_rows(const OrderedRows& rows) override {
    const size_t size = rows.slots.size();
    all_rows_.resize(size);
    std::iota(all_rows_.begin(), all_rows_.end(), 0);
    auto before = aggregates_.make_result_builders();
    auto after = aggregates_.make_result_builders();
    aggregates_.update_rows(rows.batch, {all_rows_, rows.records}, *table_, before, after);
    std::vector<ColumnPtr> results = finish_batch(after).columns();
    if (peers_share_) {
      share_last_result(rows, results);
    }
    return results;
  }

 private:
  /// Gives each row the result behind the last of its peers.
  void share_last_result(const OrderedRows& rows, std::vector<ColumnPtr>& results) {
    bool differ = false;
    for (size_t i = all_rows_.size(); i-- > 1;) {
      if (rows.are_peers(i - 1)) {
        all_rows_[i - 1] = all_rows_[i];
        differ = true;
      }
    }
    if (!differ) {
      return;
    }
    for (ColumnPtr& column : results) {
      column = gather(column, all_rows_);
    }
  }

  AggregateSet aggregates_;
  bool peers_share_;
  stream::KeyedTable* table_ = nullptr;
  std::vector<int32_t> all_rows_;
};

}  // namespace

std::unique_ptr<RunningFrame> make_running_frame(const OverAggregateSpec& spec, bool peers_share) {
  if (is_bounded(spec.frame)) {
    return std::make_unique<BoundedFrame>(spec, peers_share);
  }
  return std::make_unique<UnboundedFrame>(spec, peers_share);
}

int64_t preceding_of(const expression::OverFrame& frame) {
  return frame.lower.kind == expression::OverBoundKind::kPreceding
             ? std::get<int64_t>(frame.lower.offset.data)
             : 0;
}

}  // namespace thalweg::operators
