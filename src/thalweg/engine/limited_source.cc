#include "thalweg/engine/limited_source.h"

#include <algorithm>

namespace thalweg::engine {

namespace {

/// One per subtask, task thread.
class LimitedReader final : public stream::SourceReader {
 public:
  LimitedReader(std::unique_ptr<stream::SourceReader> reader, int64_t limit)
      : reader_(std::move(reader)), left_(limit) {}

  void open(stream::ReaderContext& context) override { reader_->open(context); }

  void add_splits(std::vector<stream::Split> splits) override {
    reader_->add_splits(std::move(splits));
  }

  void no_more_splits() override { reader_->no_more_splits(); }

  stream::PollResult poll(int64_t max_wait_ms) override {
    if (left_ == 0) {
      return {.kind = stream::PollResult::Kind::kEnd};
    }
    stream::PollResult result = reader_->poll(max_wait_ms);
    if (result.kind == stream::PollResult::Kind::kBatch) {
      if (result.batch.row_count() >= left_) {
        result.batch = result.batch.slice(0, static_cast<int32_t>(left_));
        result.failure.reset();
      }
      left_ -= result.batch.row_count();
    }
    return result;
  }

  std::vector<stream::Split> snapshot() const override {
    return left_ == 0 ? std::vector<stream::Split>{} : reader_->snapshot();
  }

  void on_checkpoint_complete(CheckpointId checkpoint) override {
    reader_->on_checkpoint_complete(checkpoint);
  }

  void close() override { reader_->close(); }

 private:
  std::unique_ptr<stream::SourceReader> reader_;
  int64_t left_;
};

class LimitedSource final : public stream::TableSource {
 public:
  LimitedSource(std::shared_ptr<stream::TableSource> source, int64_t limit)
      : source_(std::move(source)), limit_(limit) {}

  stream::Boundedness boundedness() const override { return source_->boundedness(); }

  stream::ChangelogMode changelog_mode() const override { return source_->changelog_mode(); }

  stream::SourceAbilities abilities() const override { return source_->abilities(); }

  std::vector<stream::Split> discover_splits() override { return source_->discover_splits(); }

  void cancel() override { source_->cancel(); }

  void on_restored() override { source_->on_restored(); }

  int64_t discovery_interval_ms() const override { return source_->discovery_interval_ms(); }

  std::optional<int32_t> fixed_parallelism() const override { return source_->fixed_parallelism(); }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<LimitedReader>(source_->create_reader(), limit_);
  }

 private:
  std::shared_ptr<stream::TableSource> source_;
  int64_t limit_;
};

}  // namespace

std::shared_ptr<stream::TableSource> limited_source(std::shared_ptr<stream::TableSource> source,
                                                    int64_t limit) {
  return std::make_shared<LimitedSource>(std::move(source), limit);
}

}  // namespace thalweg::engine
