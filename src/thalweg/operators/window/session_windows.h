#pragma once

#include <memory>
#include <vector>

#include "thalweg/operators/window/session_contents.h"
#include "thalweg/operators/window/session_list.h"
#include "thalweg/operators/window/window_spec.h"
#include "thalweg/stream/operator.h"

namespace thalweg::operators {

/// What all session operators are given.
struct SessionSpec {
  /// Types of the key columns, and where they are in the input.
  Schema key_schema;
  std::vector<ColumnIndex> keys;
  WindowSpec window;
  /// Sessions from which everything was taken back send nothing.
  bool needs_retract = false;
  /// All sessions close when the input ends; no row is late.
  bool is_batch = false;
};

/// The open sessions of a key as they lie in its record.
struct OpenSessions {
  /// The one with the latest start.
  Session last;
  /// How many there are with it.
  int64_t count = 0;
};

/// Session windows by key (Flink's MergingWindowProcessFunction): a row opens [time, time + gap),
/// which swallows the sessions that it overlaps or touches; a session closes when the watermark (or
/// clock) passes its last ms. A row is late when its session, merged, would be closed already.
///
/// Tables: "sessions" with each key's open sessions (the last one inline, as most keys have only
/// one), "windows" with a record for each session. A session's timer is not moved when the session
/// grows: it is checked when it is due. One per subtask, task thread.
class SessionWindows : public stream::Operator {
 public:
  SessionWindows(SessionSpec spec,
                 std::unique_ptr<SessionContents> contents,
                 std::unique_ptr<WindowResults> results);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_watermark(EventTime watermark, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void before_snapshot(stream::Output& output) override;

 private:
  /// Fills times_ and is_late_alone_ for all rows.
  void judge_rows(const Batch& batch);
  /// Adds rows [begin, end) of `batch`, between which no session closes.
  void add_rows(const Batch& batch, int32_t begin, int32_t end);
  /// Finds the sessions of rows from `row` on, up to one that joins two sessions; returns where it
  /// stopped.
  int32_t assign_sessions(const Batch& batch, int32_t row, int32_t begin, int32_t end);
  /// The session that takes a row's window in, maybe a new one; nullptr when the row is late or,
  /// with joins_ set, has to wait until two sessions are made one.
  const Session* take_in(std::byte* record, const Session& window, bool is_late);
  const Session* open_session(std::byte* record, const Session& window);
  /// Adds the rows that assign_sessions found sessions for.
  void add_assigned(const Batch& batch, int32_t begin, int32_t end);
  /// Makes the sessions that a row joins into one.
  void join_sessions(int32_t key_row, int64_t time);
  void erase_keys_without_sessions();

  OpenSessions& open_sessions(std::byte* record) const {
    return *reinterpret_cast<OpenSessions*>(record + open_offset_);
  }

  SessionList& others(std::byte* record);
  void advance(EventTime watermark, stream::Output& output);
  void fire(int64_t time_ms, stream::Output& output);
  void close_sessions(stream::Output& output);
  /// Takes the sessions of closing_ out of their keys' lists.
  void forget_sessions();
  void schedule();

  int64_t& window_start(std::byte* record) const {
    return *reinterpret_cast<int64_t*>(record + start_offset_);
  }

  int64_t& window_end(std::byte* record) const {
    return *reinterpret_cast<int64_t*>(record + end_offset_);
  }

  int64_t& row_count(std::byte* record) const {
    return *reinterpret_cast<int64_t*>(record + count_offset_);
  }

  SessionSpec spec_;
  WindowClock clock_;
  std::unique_ptr<SessionContents> contents_;
  std::unique_ptr<WindowResults> results_;
  stream::OperatorContext* context_ = nullptr;
  stream::KeyedTable* lists_ = nullptr;
  stream::KeyedTable* windows_ = nullptr;
  stream::KeyedTimers* timers_ = nullptr;
  stream::Counter* late_rows_ = nullptr;
  stream::Gauge* next_window_ = nullptr;
  stream::OperatorListState* watermark_state_ = nullptr;
  size_t open_offset_ = 0;
  size_t others_offset_ = 0;
  size_t start_offset_ = 0;
  size_t end_offset_ = 0;
  size_t count_offset_ = 0;
  EventTime watermark_ = kMinEventTime;

  // The batch that is being added: wall-clock times, and whether a row is late unless a session
  // takes it in.
  std::vector<int64_t> times_;
  std::vector<uint8_t> is_late_alone_;
  // The rows that are being added.
  std::vector<ColumnPtr> key_columns_;
  std::vector<stream::SlotId> list_slots_;
  std::vector<std::byte*> list_records_;
  std::vector<uint8_t> list_inserted_;
  std::vector<int32_t> assigned_rows_;
  std::vector<Session> assigned_;
  bool joins_ = false;
  std::vector<int64_t> ids_;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
  std::vector<uint8_t> inserted_;
  // The sessions that are being closed.
  std::vector<stream::Timer> due_;
  std::vector<stream::SlotId> closing_;
};

}  // namespace thalweg::operators
