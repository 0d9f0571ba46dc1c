#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thalweg/common/ids.h"
#include "thalweg/common/time.h"
#include "thalweg/state/table_listing.h"
#include "thalweg/types/row_kind.h"

namespace thalweg::runtime {

/// One operator of a job, for whoever looks at it.
struct OperatorInfo {
  enum class Kind : uint8_t { kSource, kOperator, kSink };

  OperatorId id;
  std::string name;
  Kind kind = Kind::kOperator;
  int32_t parallelism = 1;
  /// The operators that feed it.
  std::vector<OperatorId> inputs = {};
};

/// One row that a tap saw.
struct TappedRow {
  /// Counts the rows of one subtask; gaps show what the ring had no room for.
  int64_t sequence = 0;
  std::string text;
  RowKind kind = RowKind::kInsert;
  /// Where the row was read; empty and -1 when an operator made it, or when that is not known any
  /// more.
  std::string split;
  int64_t position = -1;
  std::optional<int64_t> event_time_ms;
  EventTime watermark = kMinEventTime;
  OperatorId operator_id;
  int32_t subtask = 0;
  int64_t wall_time_ms = 0;

  /// Names the row wherever it is seen: its place in its source ("orders-0@17"), or for a row that
  /// an operator made, its place behind that ("3.0@12": operator 3, subtask 0).
  std::string id() const;
};

/// Where a reader of a tap is: for each subtask the first row that it has not seen. Empty: the
/// oldest that there are.
using TapCursor = std::vector<int64_t>;

struct TapReading {
  /// By wall time; those of one subtask in their order.
  std::vector<TappedRow> rows;
  TapCursor next;
  /// Rows behind the cursor that the rings had no room for.
  int64_t missed = 0;
};

/// What to list of the state of a running operator.
struct StateQuery {
  OperatorId operator_id;
  /// Empty: all tables.
  std::string table = {};
  /// As in state::ListingRequest.
  std::optional<std::string> key = std::nullopt;
  /// Records of each table, over all subtasks.
  size_t limit = 100;
  /// A task answers between two batches; one that waits for others does so when it goes on.
  int64_t timeout_ms = 5000;
};

struct StateListing {
  std::vector<state::ListedTable> tables;
  /// Subtasks that run; none when the job does not.
  int32_t asked = 0;
  /// Those that answered in time.
  int32_t answered = 0;
};

}  // namespace thalweg::runtime
