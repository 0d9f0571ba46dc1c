#include "thalweg/connectors/test_stream/test_stream.h"

#include <sstream>

#include "thalweg/common/error.h"

namespace thalweg::connectors {

namespace {

class TestStreamReader final : public stream::SourceReader {
 public:
  TestStreamReader(std::shared_ptr<TestFeed> feed, std::optional<std::vector<int32_t>> projection)
      : feed_(std::move(feed)), projection_(std::move(projection)) {}

  void add_splits(std::vector<stream::Split> splits) override {
    for (const stream::Split& split : splits) {
      positions_.push_back({std::stoull(split.id),
                            std::stoull(split.position),
                            std::make_shared<const std::string>(split.id)});
    }
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    for (Position& position : positions_) {
      if (const auto batch = feed_->at(position.split, position.next)) {
        Batch produced = project(*batch);
        produced.set_origin({position.id, static_cast<int64_t>(position.next)});
        ++position.next;
        return {.kind = stream::PollResult::Kind::kBatch,
                .batch = std::move(produced),
                .split = position.id};
      }
    }
    const bool is_over = complete_ && (positions_.empty() || feed_->is_ended());
    return {.kind = is_over ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits;
    for (const Position& position : positions_) {
      splits.push_back({*position.id, std::to_string(position.next)});
    }
    return splits;
  }

 private:
  struct Position {
    size_t split;
    size_t next;
    std::shared_ptr<const std::string> id;
  };

  Batch project(const Batch& batch) const {
    if (!projection_) {
      return batch;
    }
    std::vector<ColumnPtr> columns;
    for (const int32_t index : *projection_) {
      columns.push_back(batch.column_ptr(static_cast<size_t>(index)));
    }
    return batch.with_columns(std::move(columns));
  }

  std::shared_ptr<TestFeed> feed_;
  std::optional<std::vector<int32_t>> projection_;
  std::vector<Position> positions_;
  bool complete_ = false;
};

class TestStreamSource final : public stream::TableSource {
 public:
  TestStreamSource(std::shared_ptr<TestFeed> feed,
                   std::optional<std::vector<int32_t>> projection,
                   int64_t splits,
                   stream::ChangelogMode changelog)
      : feed_(std::move(feed)),
        projection_(std::move(projection)),
        splits_(splits),
        changelog_(changelog) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kUnbounded; }

  stream::ChangelogMode changelog_mode() const override { return changelog_; }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    for (int64_t i = 0; i < splits_; ++i) {
      splits.push_back({std::to_string(i), "0"});
    }
    return splits;
  }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<TestStreamReader>(feed_, projection_);
  }

 private:
  std::shared_ptr<TestFeed> feed_;
  std::optional<std::vector<int32_t>> projection_;
  int64_t splits_;
  stream::ChangelogMode changelog_;
};

/// "I,UB,UA,D" in any order.
stream::ChangelogMode mode_of(const std::string& kinds) {
  stream::ChangelogMode mode;
  std::istringstream stream(kinds);
  for (std::string kind; std::getline(stream, kind, ',');) {
    mode.update_before = mode.update_before || kind == "UB";
    mode.update_after = mode.update_after || kind == "UA";
    mode.remove = mode.remove || kind == "D";
  }
  return mode;
}

class TestStreamFactory final : public stream::ConnectorFactory {
 public:
  explicit TestStreamFactory(std::shared_ptr<TestFeeds> feeds) : feeds_(std::move(feeds)) {}

  std::string name() const override { return "test-stream"; }

  std::vector<stream::OptionSpec> option_specs() const override {
    using stream::OptionType;
    return {{.key = "connector", .description = "'test-stream'."},
            {.key = "splits",
             .type = OptionType::kInt,
             .default_value = "1",
             .description = "Number of splits."},
            {.key = "changelog-mode",
             .default_value = "I",
             .description = "The kinds of rows fed: I, UB, UA, D with commas between. Without UB, "
                            "updates are by the primary key."}};
  }

  std::shared_ptr<stream::TableSource> create_source(
      const stream::TableContext& context) const override {
    const stream::Options options(name(), option_specs(), context.options);
    options.validate();
    feeds_->feed(context.table_name)->set_schema(context.columns);
    return std::make_shared<TestStreamSource>(feeds_->feed(context.table_name),
                                              context.projection,
                                              options.get_int("splits"),
                                              mode_of(options.get_string("changelog-mode")));
  }

  std::shared_ptr<stream::TableSink> create_sink(
      const stream::TableContext& context) const override {
    throw Error(ErrorCode::kNotSupported,
                "Connector 'test-stream' can only be used as a source, not as a sink: " +
                    context.table_name);
  }

 private:
  std::shared_ptr<TestFeeds> feeds_;
};

}  // namespace

void TestFeed::push(Batch batch, size_t split) {
  const std::lock_guard lock(mutex_);
  batches_[split].push_back(std::make_shared<const Batch>(std::move(batch)));
}

void TestFeed::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
}

std::shared_ptr<const Batch> TestFeed::at(size_t split, size_t index) const {
  const std::lock_guard lock(mutex_);
  const auto found = batches_.find(split);
  return found == batches_.end() || index >= found->second.size() ? nullptr : found->second[index];
}

bool TestFeed::is_ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

Schema TestFeed::schema() const {
  const std::lock_guard lock(mutex_);
  return schema_;
}

void TestFeed::set_schema(Schema schema) {
  const std::lock_guard lock(mutex_);
  schema_ = std::move(schema);
}

std::shared_ptr<TestFeed> TestFeeds::feed(const std::string& table_name) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<TestFeed>& feed = feeds_[table_name];
  if (feed == nullptr) {
    feed = std::make_shared<TestFeed>();
  }
  return feed;
}

std::unique_ptr<stream::ConnectorFactory> make_test_stream_connector(
    std::shared_ptr<TestFeeds> feeds) {
  return std::make_unique<TestStreamFactory>(std::move(feeds));
}

}  // namespace thalweg::connectors
