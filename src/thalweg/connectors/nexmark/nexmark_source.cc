#include "thalweg/connectors/nexmark/nexmark_source.h"

#include <algorithm>

namespace thalweg::connectors {

namespace {

/// Blocks of events are dealt out to so many splits in turn, whatever the parallelism turns out to
/// be: readers stay close to one another in event time.
constexpr int64_t kSplits = 64;
constexpr int64_t kBlockEvents = kTargetBatchRows;

class NexmarkReader final : public stream::SourceReader {
 public:
  NexmarkReader(std::shared_ptr<const NexmarkGenerator> generator, int64_t events, bool limited)
      : generator_(std::move(generator)), events_(events), limited_(limited) {}

  void open(stream::ReaderContext& context) override {
    context_ = &context;
    opened_ms_ = context.now().ms;
  }

  void add_splits(std::vector<stream::Split> splits) override {
    for (const stream::Split& split : splits) {
      parts_.push_back({split.id, std::stoll(split.position)});
    }
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    Part* const part = earliest();
    if (part == nullptr) {
      return {.kind =
                  complete_ ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
    }
    const int64_t first = part->next;
    const int64_t block_end = (first / kBlockEvents + 1) * kBlockEvents;
    const int64_t end = std::min({block_end, last_event(), due_event()});
    if (end <= first) {
      return {.kind = stream::PollResult::Kind::kNothing};
    }
    part->next = end < block_end ? end : block_end + (kSplits - 1) * kBlockEvents;
    Batch batch = generator_->generate(first, static_cast<int32_t>(end - first));
    batch.set_origin({nullptr, first});
    return {.kind = stream::PollResult::Kind::kBatch, .batch = std::move(batch)};
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits;
    for (const Part& part : parts_) {
      if (part.next < last_event()) {
        splits.push_back({part.id, std::to_string(part.next)});
      }
    }
    return splits;
  }

 private:
  struct Part {
    std::string id;
    int64_t next;
  };

  int64_t last_event() const { return events_ > 0 ? events_ : INT64_MAX; }

  /// The first event whose time has not come yet.
  int64_t due_event() const {
    if (!limited_) {
      return INT64_MAX;
    }
    const int64_t elapsed = context_->now().ms - opened_ms_;
    return std::max<int64_t>(elapsed, 0) * generator_->model().events_per_second / 1000 + 1;
  }

  Part* earliest() {
    Part* found = nullptr;
    for (Part& part : parts_) {
      if (part.next < last_event() && (found == nullptr || part.next < found->next)) {
        found = &part;
      }
    }
    return found;
  }

  std::shared_ptr<const NexmarkGenerator> generator_;
  int64_t events_;
  bool limited_;
  stream::ReaderContext* context_ = nullptr;
  int64_t opened_ms_ = 0;
  std::vector<Part> parts_;
  bool complete_ = false;
};

class NexmarkSource final : public stream::TableSource {
 public:
  NexmarkSource(std::shared_ptr<const NexmarkGenerator> generator, int64_t events, bool limited)
      : generator_(std::move(generator)), events_(events), limited_(limited) {}

  stream::Boundedness boundedness() const override {
    return events_ > 0 ? stream::Boundedness::kBounded : stream::Boundedness::kUnbounded;
  }

  stream::SourceAbilities abilities() const override {
    return {.nested_projection = generator_->has_usual_names()};
  }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    for (int64_t i = 0; i < kSplits; ++i) {
      splits.push_back({std::to_string(i), std::to_string(i * kBlockEvents)});
    }
    return splits;
  }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<NexmarkReader>(generator_, events_, limited_);
  }

 private:
  std::shared_ptr<const NexmarkGenerator> generator_;
  int64_t events_;
  bool limited_;
};

}  // namespace

std::shared_ptr<stream::TableSource> make_nexmark_source(
    std::shared_ptr<const NexmarkGenerator> generator, int64_t events, bool limited) {
  return std::make_shared<NexmarkSource>(std::move(generator), events, limited);
}

}  // namespace thalweg::connectors
