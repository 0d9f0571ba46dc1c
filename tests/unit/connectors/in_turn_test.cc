#include <algorithm>
#include <memory>
#include <set>

#include <doctest/doctest.h>

#include "connectors/fake_context.h"
#include "thalweg/connectors/in_turn/in_turn_source.h"

using namespace thalweg;
using namespace thalweg::connectors;
using namespace thalweg::connectors::testing;
using Rows = std::vector<std::string>;

namespace {

/// Splits that count from 0: "name" with so many rows. The column is "name row".
struct CountedSplit {
  std::string name;
  int64_t rows = 0;
};

class CountedReader final : public stream::SourceReader {
 public:
  explicit CountedReader(std::vector<CountedSplit> all) : all_(std::move(all)) {}

  void open(stream::ReaderContext& context) override { context_ = &context; }

  void add_splits(std::vector<stream::Split> splits) override {
    for (stream::Split& split : splits) {
      mine_.push_back(std::move(split));
    }
  }

  void no_more_splits() override { complete_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    for (stream::Split& split : mine_) {
      const auto of = std::ranges::find(all_, split.id, &CountedSplit::name);
      const int64_t row = std::stoll(split.position);
      if (row < of->rows) {
        split.position = std::to_string(row + 1);
        std::vector<ColumnBuilder> builders = make_builders({{"a", DataType::string()}});
        builders[0].append_string(split.id + " " + std::to_string(row));
        if (row + 1 == of->rows) {
          context_->split_ended(split.id);
        }
        return {.kind = stream::PollResult::Kind::kBatch,
                .batch = finish_batch(builders),
                .split = std::make_shared<const std::string>(split.id)};
      }
    }
    return {.kind =
                complete_ ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> left;
    for (const stream::Split& split : mine_) {
      if (std::stoll(split.position) <
          std::ranges::find(all_, split.id, &CountedSplit::name)->rows) {
        left.push_back(split);
      }
    }
    return left;
  }

 private:
  std::vector<CountedSplit> all_;
  stream::ReaderContext* context_ = nullptr;
  std::vector<stream::Split> mine_;
  bool complete_ = false;
};

class CountedSource final : public stream::TableSource {
 public:
  explicit CountedSource(std::vector<CountedSplit> splits) : splits_(std::move(splits)) {}

  stream::Boundedness boundedness() const override { return stream::Boundedness::kBounded; }

  std::vector<stream::Split> discover_splits() override {
    std::vector<stream::Split> splits;
    for (const CountedSplit& split : splits_) {
      splits.push_back({split.name, "0"});
    }
    return splits;
  }

  std::unique_ptr<stream::SourceReader> create_reader() const override {
    return std::make_unique<CountedReader>(splits_);
  }

 private:
  std::vector<CountedSplit> splits_;
};

class TaskContext final : public stream::ReaderContext {
 public:
  explicit TaskContext(int32_t tasks) : tasks_(tasks) {}

  int32_t subtask() const override { return 0; }

  int32_t parallelism() const override { return tasks_; }

  ProcessingTime now() const override { return {0}; }

  stream::Counter& counter(const std::string& name) override { return counters_[name]; }

  void wake() override {}

  void split_ended(const std::string& split) override { ended.insert(split); }

  std::set<std::string> ended;

 private:
  int32_t tasks_;
  std::map<std::string, stream::Counter> counters_;
};

struct Snapshot {
  std::set<std::string> known;
  std::vector<stream::Split> splits;
};

/// A run of a source as the runtime does it: splits are dealt out once each, readers take turns.
class Run {
 public:
  Run(stream::TableSource& source, int32_t tasks, const Snapshot* from = nullptr)
      : source_(source), context_(tasks) {
    for (int32_t i = 0; i < tasks; ++i) {
      readers_.push_back(source.create_reader());
    }
    ended_.resize(readers_.size());
    if (from != nullptr) {
      known_ = from->known;
      source.on_restored();
    }
    std::vector<std::vector<stream::Split>> restored(readers_.size());
    for (size_t i = 0; from != nullptr && i < from->splits.size(); ++i) {
      restored[i % restored.size()].push_back(from->splits[i]);
    }
    for (size_t i = 0; i < readers_.size(); ++i) {
      readers_[i]->open(context_);
      if (!restored[i].empty()) {
        readers_[i]->add_splits(std::move(restored[i]));
      }
    }
  }

  /// One discovery, and one poll of every reader. False once all readers have ended.
  bool step(Rows& rows) {
    std::vector<std::vector<stream::Split>> shares(readers_.size());
    for (stream::Split& split : source_.discover_splits()) {
      if (known_.insert(split.id).second) {
        shares[known_.size() % shares.size()].push_back(std::move(split));
      }
    }
    bool goes_on = false;
    for (size_t i = 0; i < readers_.size(); ++i) {
      if (!shares[i].empty()) {
        readers_[i]->add_splits(std::move(shares[i]));
      }
      if (ended_[i]) {
        continue;
      }
      const stream::PollResult polled = readers_[i]->poll(0);
      if (polled.kind == stream::PollResult::Kind::kBatch) {
        show(polled.batch, rows);
      }
      ended_[i] = polled.kind == stream::PollResult::Kind::kEnd;
      goes_on = goes_on || !ended_[i];
    }
    return goes_on;
  }

  Snapshot snapshot() const {
    Snapshot result{known_, {}};
    for (size_t i = 0; i < readers_.size(); ++i) {
      if (!ended_[i]) {
        std::ranges::move(readers_[i]->snapshot(), std::back_inserter(result.splits));
      }
    }
    return result;
  }

  const TaskContext& context() const { return context_; }

 private:
  stream::TableSource& source_;
  TaskContext context_;
  std::vector<std::unique_ptr<stream::SourceReader>> readers_;
  std::vector<bool> ended_;
  std::set<std::string> known_;
};

std::shared_ptr<stream::TableSource> three_parts() {
  const Schema columns = {{"a", DataType::string()}, {"b", DataType::string()}};
  const auto part = [](std::vector<CountedSplit> splits) {
    return SourcePart{std::make_shared<CountedSource>(std::move(splits)), {0, -1}};
  };
  return make_in_turn_source(
      columns, {part({{"x", 3}, {"y", 1}, {"z", 2}}), part({}), part({{"x", 2}, {"y", 4}})});
}

constexpr size_t kFirstPart = 6;

Rows sorted(Rows rows, size_t begin, size_t end) {
  Rows part(rows.begin() + static_cast<int64_t>(begin), rows.begin() + static_cast<int64_t>(end));
  std::ranges::sort(part);
  return part;
}

void check_rows(const Rows& rows) {
  REQUIRE(rows.size() == 12);
  CHECK(sorted(rows, 0, kFirstPart) ==
        Rows{"x 0, null", "x 1, null", "x 2, null", "y 0, null", "z 0, null", "z 1, null"});
  CHECK(sorted(rows, kFirstPart, 12) ==
        Rows{"x 0, null", "x 1, null", "y 0, null", "y 1, null", "y 2, null", "y 3, null"});
}

}  // namespace

TEST_CASE("sources in turn: each begins when all readers have read the one before") {
  for (const int32_t tasks : {1, 2, 4}) {
    const auto source = three_parts();
    CHECK(source->boundedness() == stream::Boundedness::kBounded);
    Run run(*source, tasks);
    Rows rows;
    while (run.step(rows)) {
      REQUIRE(rows.size() <= 12);
    }
    check_rows(rows);
    CHECK(run.context().ended.contains("x"));
    CHECK(run.context().ended.contains("x (source 3)"));
    CHECK(source->discovery_interval_ms() > 1000);
  }
}

TEST_CASE("sources in turn: from a checkpoint at any moment, with more or fewer readers") {
  for (const int32_t before : {1, 2, 3}) {
    for (const int32_t after : {1, 2, 4}) {
      // The first splits are dealt out before anything else happens.
      for (size_t steps = 1; steps < 30; ++steps) {
        CAPTURE(before);
        CAPTURE(after);
        CAPTURE(steps);
        const auto source = three_parts();
        Run first(*source, before);
        Rows rows;
        bool goes_on = true;
        for (size_t i = 0; i < steps && goes_on; ++i) {
          goes_on = first.step(rows);
        }
        if (!goes_on) {
          break;
        }
        const Snapshot snapshot = first.snapshot();
        const size_t kept = rows.size();
        for (size_t i = 0; i < 3; ++i) {
          first.step(rows);
        }
        rows.resize(kept);
        Run second(*source, after, &snapshot);
        for (size_t i = 0; second.step(rows); ++i) {
          REQUIRE(i < 100);
        }
        check_rows(rows);
      }
    }
  }
}

TEST_CASE("sources in turn: a run from the start after another one") {
  const auto source = three_parts();
  Rows rows;
  Run(*source, 2).step(rows);
  rows.clear();
  Run again(*source, 2);
  while (again.step(rows)) {
    REQUIRE(rows.size() <= 12);
  }
  check_rows(rows);
}
