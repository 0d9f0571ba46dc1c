#include "thalweg/operators/calc/gathered.h"

#include "thalweg/types/batch_merge.h"

namespace thalweg::operators {

namespace {

/// One per subtask, task thread. Rows that wait are no state: they go on before a snapshot.
class Gathered final : public stream::Operator {
 public:
  Gathered(std::unique_ptr<stream::Operator> inner, GatheringSource wanted)
      : inner_(std::move(inner)), wanted_(std::move(wanted)) {}

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    inner_->open(context);
  }

  void on_batch(Batch batch, int32_t input, stream::Output& output) override {
    output_ = &output;
    if (!pieces_.empty() && pieces_.back().origin().split != batch.origin().split) {
      send_all();  // watermarks and messages tell splits apart
    }
    const expression::Gathering wanted = wanted_();
    keep(std::move(batch), wanted);
    input_ = input;
    if (rows_ >= wanted.rows) {
      send_full(wanted);
    }
    if (wanted.wait_ms == 0) {
      send_all();
    }
  }

  void on_watermark(EventTime watermark, stream::Output& output) override {
    send_all();
    inner_->on_watermark(watermark, output);
  }

  void on_split(const std::string& split, bool ended) override {
    send_all();
    inner_->on_split(split, ended);
  }

  void on_processing_time(ProcessingTime now, stream::Output& output) override {
    if (now >= due_) {
      send_all();
    } else if (!pieces_.empty()) {
      context_->wake_at(due_);
    }
    inner_->on_processing_time(now, output);
  }

  void on_input_end(int32_t input, stream::Output& output) override {
    send_all();
    inner_->on_input_end(input, output);
  }

  void before_snapshot(stream::Output& output) override {
    send_all();
    inner_->before_snapshot(output);
  }

  void close() override { inner_->close(); }

 private:
  void keep(Batch batch, const expression::Gathering& wanted) {
    if (pieces_.empty()) {
      due_ = {context_->now().ms + wanted.wait_ms};
      context_->wake_at(due_);
    }
    rows_ += batch.row_count();
    pieces_.push_back(std::move(batch));
  }

  /// Passes on as many rows as were asked for, as often as there are so many.
  void send_full(const expression::Gathering& wanted) {
    const Batch all = take();
    int32_t begin = 0;
    for (; all.row_count() - begin >= wanted.rows; begin += wanted.rows) {
      inner_->on_batch(all.slice(begin, begin + wanted.rows), input_, *output_);
    }
    if (begin < all.row_count()) {
      keep(all.slice(begin, all.row_count()), wanted);
    }
  }

  void send_all() {
    if (!pieces_.empty()) {
      inner_->on_batch(take(), input_, *output_);
    }
  }

  Batch take() {
    Batch all = concat_batches(pieces_);
    pieces_.clear();
    rows_ = 0;
    due_ = kMaxProcessingTime;
    return all;
  }

  std::unique_ptr<stream::Operator> inner_;
  GatheringSource wanted_;
  stream::OperatorContext* context_ = nullptr;
  /// Of the task; known from the first batch on.
  stream::Output* output_ = nullptr;
  int32_t input_ = 0;
  std::vector<Batch> pieces_;
  int32_t rows_ = 0;
  ProcessingTime due_ = kMaxProcessingTime;
};

}  // namespace

std::unique_ptr<stream::Operator> make_gathered(std::unique_ptr<stream::Operator> inner,
                                                GatheringSource wanted) {
  return std::make_unique<Gathered>(std::move(inner), std::move(wanted));
}

}  // namespace thalweg::operators
