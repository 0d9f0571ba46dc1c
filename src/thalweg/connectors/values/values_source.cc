#include "thalweg/connectors/values/values_source.h"

#include <string>

namespace thalweg::connectors {

namespace {

using Batches = std::shared_ptr<const std::vector<Batch>>;

class ValuesReader final : public stream::SourceReader {
 public:
  explicit ValuesReader(Batches batches) : batches_(std::move(batches)) {}

  void add_splits(std::vector<stream::Split> splits) override {
    for (const stream::Split& split : splits) {
      next_ = std::stoull(split.position);
      has_split_ = true;
    }
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    if (has_split_ && next_ < batches_->size()) {
      return {.kind = stream::PollResult::Kind::kBatch, .batch = (*batches_)[next_++]};
    }
    return {.kind =
                complete_ ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
  }

  std::vector<stream::Split> snapshot() const override {
    if (!has_split_ || next_ >= batches_->size()) {
      return {};
    }
    return {{"values", std::to_string(next_)}};
  }

 private:
  Batches batches_;
  size_t next_ = 0;
  bool has_split_ = false;
  bool complete_ = false;
};

class ValuesSource final : public stream::TableSource {
 public:
  explicit ValuesSource(std::vector<Batch> batches)
      : batches_(std::make_shared<const std::vector<Batch>>(std::move(batches))) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kBounded; }

  std::vector<stream::Split> discover_splits() override { return {{"values", "0"}}; }

  std::optional<int32_t> fixed_parallelism() const override { return 1; }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<ValuesReader>(batches_);
  }

 private:
  Batches batches_;
};

}  // namespace

std::shared_ptr<stream::TableSource> make_values_source(std::vector<Batch> batches) {
  return std::make_shared<ValuesSource>(std::move(batches));
}

}  // namespace thalweg::connectors
