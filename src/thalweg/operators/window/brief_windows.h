#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "thalweg/operators/aggregate/scratch_records.h"
#include "thalweg/operators/window/key_order.h"
#include "thalweg/operators/window/slice_assigner.h"
#include "thalweg/operators/window/window_records.h"
#include "thalweg/operators/window/window_results.h"

namespace thalweg::operators {

/// Windows that open and close within one batch, which are nearly all where events are sparse. What
/// lies in no window of the state's is grouped by sorting it, as its results must be sorted anyway,
/// and is sent without having been in the state. Empty between batches. Owned by a window store;
/// task thread.
class BriefWindows {
 public:
  BriefWindows(WindowFrame& frame, const SliceAssigner& assigner, WindowRecords& records);

  /// When the records' table is there.
  void open();

  /// Takes the rows of windows that close by `fired` and have no timer: those of the others are in
  /// `other_rows` and `other_ends`. False when it takes none.
  bool take(const Batch& batch,
            std::span<const int32_t> rows,
            std::span<const int64_t> ends,
            EventTime fired,
            const stream::KeyedTimers& timers);

  std::span<const int32_t> other_rows() const { return other_rows_; }

  std::span<const int64_t> other_ends() const { return other_ends_; }

  bool is_done() const { return next_ == groups_.size(); }

  /// When the next window closes; only while it is not done.
  int64_t next_time() const { return window_of(groups_[next_]).closing; }

  /// Closes the windows of the next time, in the order of their keys; some of them when `results`
  /// gets full. Keys and contents are left to `flush`.
  void close_next(ProcessingTime now, WindowResults& results);
  void flush(WindowResults& results);

 private:
  /// One may be here more than once, when rows of others lie between its own.
  struct Window {
    int64_t end = 0;
    int64_t closing = 0;
  };

  /// A row, or the first of a group: of one key and window.
  struct Item {
    TextRank rank;
    int32_t row = 0;
    int32_t window = 0;
  };

  const Window& window_of(const Item& item) const {
    return windows_[static_cast<size_t>(item.window)];
  }

  bool split(std::span<const int32_t> rows,
             std::span<const int64_t> ends,
             EventTime fired,
             const stream::KeyedTimers& timers);
  void sort_items();
  /// Fills groups_, and group_of_row_ for each row.
  void make_groups(int32_t rows);

  WindowFrame& frame_;
  const SliceAssigner& assigner_;
  WindowRecords& records_;
  bool knows_order_;
  std::optional<ScratchRecords> scratch_;
  std::optional<KeyOrder> order_;
  std::vector<Window> windows_;
  std::vector<Item> items_;
  /// Those of items_, ascending, and their records.
  std::vector<int32_t> rows_;
  std::vector<std::byte*> row_records_;
  std::vector<int32_t> other_rows_;
  std::vector<int64_t> other_ends_;
  std::vector<int32_t> group_of_row_;
  std::vector<Item> groups_;
  size_t next_ = 0;
  /// Closed groups, not yet flushed: their rows and records.
  std::vector<int32_t> closed_rows_;
  std::vector<std::byte*> closed_records_;
};

}  // namespace thalweg::operators
