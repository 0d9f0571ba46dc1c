#pragma once

#include <memory>
#include <vector>

#include "thalweg/operators/aggregate/aggregate_set.h"
#include "thalweg/operators/window/window_results.h"
#include "thalweg/stream/state.h"

namespace thalweg::operators {

/// Sessions that closed, in the order in which they are sent.
struct ClosedSessions {
  std::span<const stream::SlotId> slots;
  std::span<std::byte* const> records;
  std::span<const int64_t> starts;
  std::span<const int64_t> ends;
};

/// What a session collects: aggregates, or its rows. Owned by a session operator.
class SessionContents {
 public:
  virtual ~SessionContents() = default;

  virtual void declare_fields(std::vector<stream::StateField>& fields) = 0;
  virtual void bind(const stream::RecordLayout& layout) = 0;
  virtual void add(const Batch& batch, const RowRecords& rows, stream::StateMemory& memory) = 0;
  virtual void merge(const RecordSpan& into, const RecordSpan& from) = 0;
  virtual void append(const ClosedSessions& sessions,
                      stream::KeyedTable& table,
                      const WindowClock& clock,
                      ProcessingTime now,
                      WindowResults& results) = 0;
};

}  // namespace thalweg::operators
