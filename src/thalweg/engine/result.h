#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/runtime/job.h"
#include "thalweg/types/batch.h"

namespace thalweg::engine {

/// Rows of a result, as they come. Used by one thread; `close` may come from any.
class ResultRows {
 public:
  enum class State : uint8_t { kBatch, kPending, kEnd };

  virtual ~ResultRows() = default;
  /// Waits at most `max_wait_ms`. Throws what ended the job when it failed, after all rows before
  /// the failure.
  virtual State next(int64_t max_wait_ms, Batch& batch) = 0;

  /// Ends the job behind the rows, if there is one.
  virtual void close() {}
};

/// Rows that are there already (SHOW, DESCRIBE).
std::unique_ptr<ResultRows> make_static_rows(Batch batch);

/// What a statement gave. Moved to whoever asked; its rows can be read once.
struct Result {
  enum class Kind : uint8_t {
    /// DDL and settings: prints "OK".
    kOk,
    /// SELECT: rows of a job.
    kQuery,
    /// SHOW, DESCRIBE: rows that are there already.
    kListing,
    /// EXPLAIN, SHOW CREATE: one column, printed bare or framed.
    kText,
    /// INSERT: one row with -1 for each sink.
    kInsert,
  };

  Kind kind = Kind::kOk;
  Schema schema = {};
  std::unique_ptr<ResultRows> rows = nullptr;
  std::shared_ptr<runtime::Job> job = nullptr;
  /// Streaming results show their row kinds.
  bool shows_row_kinds = false;
  /// Why there were no rows, asked for once they have ended (or while none come).
  std::function<std::string()> explain_silence = nullptr;
};

}  // namespace thalweg::engine
