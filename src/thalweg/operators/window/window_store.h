#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "thalweg/operators/window/window_aggregate.h"
#include "thalweg/operators/window/window_results.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// What a store of aligned windows shares with its operator, which owns both.
struct WindowFrame {
  const WindowAggregateSpec& spec;
  /// The keys of the tables: the query's, and the window's start where rows bring their window.
  std::vector<ColumnIndex> keys;
  WindowClock clock;
};

/// Where an aligned window aggregate keeps its accumulators, and how it gets results from them.
/// Owned by its operator; task thread.
class WindowStore {
 public:
  virtual ~WindowStore() = default;

  virtual void open(stream::OperatorContext& context) = 0;

  /// Adds some rows of `batch`. Row rows[i] is of the slice that ends at `slice_ends[i]`, whose
  /// windows are not all closed at `watermark`. Windows that close by `fired` will have been fired
  /// when the batch is done.
  virtual void add(const Batch& batch,
                   std::span<const int32_t> rows,
                   std::span<const int64_t> slice_ends,
                   EventTime watermark,
                   EventTime fired) = 0;

  /// When the next window closes, or INT64_MAX.
  virtual int64_t next_time() const = 0;

  /// Closes the windows of times up to `time_ms`, in (time, key) order. Batches that are full are
  /// sent; the last one stays in `results`, to be completed by `flush`.
  virtual void fire(int64_t time_ms, WindowResults& results, stream::Output& output) = 0;
  virtual void flush(WindowResults& results) = 0;

  /// Rows in windows that are not closed; only where windows go by processing time.
  virtual int64_t pending_rows() const = 0;
};

/// Keeps a record for each key and window: TUMBLE, and windows that the rows bring along.
std::unique_ptr<WindowStore> make_whole_windows(WindowFrame& frame);

/// Keeps a record for each key and slice, put together when a window closes: HOP and CUMULATE.
std::unique_ptr<WindowStore> make_shared_slices(WindowFrame& frame);

}  // namespace thalweg::operators
