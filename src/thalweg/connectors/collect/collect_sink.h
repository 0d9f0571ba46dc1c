#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>

#include "thalweg/stream/sink.h"

namespace thalweg::connectors {

/// Batches on their way from the sink tasks of a query to whoever reads its result. Bounded: a full
/// queue holds the job back. Thread-safe; shared by the sink and the reader.
class CollectQueue {
 public:
  static constexpr size_t kDefaultCapacity = 64;
  static constexpr size_t kUnbounded = std::numeric_limits<size_t>::max();

  explicit CollectQueue(size_t capacity = kDefaultCapacity) : capacity_(capacity) {}

  /// Waits for room; false when the reader has gone or `is_cancelled` says so.
  bool push(Batch batch, const std::function<bool()>& is_cancelled);
  /// Waits at most `max_wait_ms` for a batch.
  std::optional<Batch> pop(int64_t max_wait_ms);
  /// The reader has gone: what is here is dropped, what comes is not wanted.
  void close();

 private:
  size_t capacity_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable filled_;
  std::deque<Batch> batches_;
  bool closed_ = false;
};

/// The sink of a SELECT: takes every kind of change.
std::shared_ptr<stream::TableSink> make_collect_sink(std::shared_ptr<CollectQueue> queue);

}  // namespace thalweg::connectors
