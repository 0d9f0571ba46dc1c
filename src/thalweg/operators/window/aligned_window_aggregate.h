#pragma once

#include <memory>
#include <vector>

#include "thalweg/operators/window/slice_assigner.h"
#include "thalweg/operators/window/window_aggregate.h"
#include "thalweg/operators/window/window_store.h"

namespace thalweg::operators {

/// Aggregates over windows whose bounds do not depend on the rows. A batch is added to the windows
/// whole, and windows that its marks close are sent afterwards, because a row behind a mark can't
/// belong to a window that the mark closed. Only where it can (a late row of a HOP or CUMULATE
/// window that is open still) is the batch cut. One per subtask, task thread.
class AlignedWindowAggregate final : public stream::Operator {
 public:
  explicit AlignedWindowAggregate(const WindowAggregateSpec& spec);

  void open(stream::OperatorContext& context) override;
  void on_batch(Batch batch, int32_t input, stream::Output& output) override;
  void on_watermark(EventTime watermark, stream::Output& output) override;
  void on_processing_time(ProcessingTime now, stream::Output& output) override;
  void on_input_end(int32_t input, stream::Output& output) override;
  void before_snapshot(stream::Output& output) override;

 private:
  /// Rows of a batch that are added together, and where they end.
  struct Piece {
    int32_t end = 0;
    /// Into kept_rows_.
    size_t kept_end = 0;
    EventTime watermark;
  };

  bool has_time_column() const;
  /// Fills slice_ends_ by row, and first_slice_.
  void assign_slices(const Batch& batch);
  /// The watermark behind the batch.
  EventTime last_watermark(const Batch& batch) const;
  /// Fills kept_rows_, kept_ends_ and pieces_: drops rows without a time and late ones.
  void judge_rows(const Batch& batch);
  void keep_all_rows(int32_t rows);
  void add_piece(const Batch& batch, size_t kept_begin, const Piece& piece);
  void advance(EventTime watermark, stream::Output& output);
  void refresh_next_time();
  void send(stream::Output& output);

  WindowAggregateSpec spec_;
  WindowFrame frame_;
  SliceAssigner assigner_;
  std::unique_ptr<WindowStore> store_;
  std::unique_ptr<WindowResults> results_;
  stream::OperatorContext* context_ = nullptr;
  stream::Counter* late_rows_ = nullptr;
  stream::Gauge* next_window_ = nullptr;
  stream::OperatorListState* watermark_state_ = nullptr;
  EventTime watermark_ = kMinEventTime;
  int64_t next_time_ = 0;
  std::vector<int64_t> times_;
  std::vector<int64_t> slice_ends_;
  /// The lowest of slice_ends_.
  int64_t first_slice_ = 0;
  /// Windows of the batch's rows that close by then are fired with it.
  EventTime fired_ = kMinEventTime;
  /// The rows to add and the ends of their slices: all of the batch's, or the chosen ones.
  std::span<const int32_t> kept_rows_;
  std::span<const int64_t> kept_ends_;
  std::vector<int32_t> all_rows_;
  std::vector<int32_t> chosen_rows_;
  std::vector<int64_t> chosen_ends_;
  std::vector<Piece> pieces_;
};

}  // namespace thalweg::operators
