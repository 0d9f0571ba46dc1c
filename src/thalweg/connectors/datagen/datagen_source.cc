#include "thalweg/connectors/datagen/datagen_source.h"

#include <algorithm>

namespace thalweg::connectors {

namespace {

/// Rows are dealt out to so many splits in turn, whatever the parallelism turns out to be.
constexpr int64_t kSplits = 64;

/// Rows become due in slices of this length.
constexpr int64_t kSliceMs = 100;

class DatagenReader final : public stream::SourceReader {
 public:
  explicit DatagenReader(std::shared_ptr<const DatagenPlan> plan)
      : plan_(std::move(plan)), seed_(plan_->seed), builders_(make_builders(plan_->schema)) {}

  void open(stream::ReaderContext& context) override {
    context_ = &context;
    opened_ms_ = context.now().ms;
  }

  void add_splits(std::vector<stream::Split> splits) override {
    for (const stream::Split& split : splits) {
      // "next row;seed": a restored job goes on with the numbers it had.
      const size_t separator = split.position.find(';');
      parts_.push_back({split.id, std::stoll(split.position.substr(0, separator))});
      seed_ = std::stoull(split.position.substr(separator + 1));
    }
    sort_parts();
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    int64_t wanted = std::min<int64_t>(due() - given_, kTargetBatchRows);
    const int64_t now = context_->now().ms;
    int32_t rows = 0;
    for (; wanted > 0; --wanted) {
      Part* const part = earliest();
      if (part == nullptr) {
        break;
      }
      append_row({part->next, now, seed_});
      advance(*part);
      ++rows;
    }
    if (rows > 0) {
      given_ += rows;
      return {.kind = stream::PollResult::Kind::kBatch, .batch = finish(rows)};
    }
    const bool over = complete_ && earliest() == nullptr;
    return {.kind = over ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits;
    for (const Part& part : parts_) {
      if (!is_over(part)) {
        splits.push_back({part.id, std::to_string(part.next) + ";" + std::to_string(seed_)});
      }
    }
    return splits;
  }

 private:
  struct Part {
    std::string id;
    int64_t next;
  };

  bool is_over(const Part& part) const { return plan_->rows && part.next >= *plan_->rows; }

  /// The part whose next row comes first: with all parts in one reader rows come in order.
  Part* earliest() { return parts_.empty() || is_over(parts_[first_]) ? nullptr : &parts_[first_]; }

  /// Moves the earliest part on: behind the others, unless they are ahead by more than one row.
  void advance(Part& part) {
    const int64_t last = parts_[(first_ + parts_.size() - 1) % parts_.size()].next;
    part.next += kSplits;
    if (part.next > last) {
      first_ = (first_ + 1) % parts_.size();
    } else {
      sort_parts();
    }
  }

  void sort_parts() {
    std::sort(parts_.begin(), parts_.end(), [](const Part& left, const Part& right) {
      return left.next < right.next;
    });
    first_ = 0;
  }

  /// The number of rows that this reader's share of the rate allows up to now.
  int64_t due() const {
    const int64_t elapsed = std::max<int64_t>(context_->now().ms - opened_ms_, 0);
    const int64_t slices = elapsed / kSliceMs + 1;
    const auto share = static_cast<__int128>(parts_.size());
    // Rounded up: the first row comes at once, however slow the rest.
    return static_cast<int64_t>(
        (share * plan_->rows_per_second * slices * kSliceMs + 1000 * kSplits - 1) /
        (1000 * kSplits));
  }

  void append_row(const GeneratedRow& row) {
    for (size_t i = 0; i < builders_.size(); ++i) {
      RandomBits random(row.seed, static_cast<uint64_t>(row.index), plan_->field_ids[i]);
      plan_->generators[i]->append(row, random, builders_[i]);
    }
  }

  Batch finish(int32_t rows) {
    std::vector<ColumnPtr> columns;
    columns.reserve(builders_.size());
    for (ColumnBuilder& builder : builders_) {
      columns.push_back(builder.finish());
    }
    return {rows, std::move(columns)};
  }

  std::shared_ptr<const DatagenPlan> plan_;
  uint64_t seed_;
  std::vector<ColumnBuilder> builders_;
  stream::ReaderContext* context_ = nullptr;
  int64_t opened_ms_ = 0;
  /// In a ring that begins with the earliest.
  std::vector<Part> parts_;
  size_t first_ = 0;
  bool complete_ = false;
  int64_t given_ = 0;
};

class DatagenSource final : public stream::TableSource {
 public:
  explicit DatagenSource(std::shared_ptr<const DatagenPlan> plan) : plan_(std::move(plan)) {}

  stream::Boundedness boundedness() const override {
    return plan_->is_bounded ? stream::Boundedness::kBounded : stream::Boundedness::kUnbounded;
  }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    for (int64_t i = 0; i < kSplits; ++i) {
      splits.push_back({std::to_string(i), std::to_string(i) + ";" + std::to_string(plan_->seed)});
    }
    return splits;
  }

  std::optional<int32_t> fixed_parallelism() const override { return plan_->parallelism; }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<DatagenReader>(plan_);
  }

 private:
  std::shared_ptr<const DatagenPlan> plan_;
};

}  // namespace

std::shared_ptr<stream::TableSource> make_datagen_source(std::shared_ptr<const DatagenPlan> plan) {
  return std::make_shared<DatagenSource>(std::move(plan));
}

}  // namespace thalweg::connectors
