#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include "runtime/test_parts.h"

namespace thalweg {

using namespace test;
using runtime::HookPoint;
using runtime::JobOptions;
using runtime::RestartStrategy;

namespace {

/// Keeps the rows of an epoch in a staged file; its name is the committable.
class StagingSink final : public stream::TableSink {
 public:
  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    return requested;
  }

  std::unique_ptr<stream::SinkWriter> create_writer() const override {
    class Writer final : public stream::SinkWriter {
     public:
      explicit Writer(const StagingSink& sink) : sink_(sink) {}

      void open(stream::WriterContext& context) override { context_ = &context; }

      void write(const Batch& batch) override {
        if (name_.empty()) {
          name_ = context_->new_staged_file();
          out_.open(context_->staged_path(name_));
        }
        for (int32_t row = 0; row < batch.row_count(); ++row) {
          out_ << batch.column(1).at<int64_t>(row) << '\n';
        }
      }

      std::vector<std::string> prepare_commit(CheckpointId) override {
        if (name_.empty()) {
          return {};
        }
        out_.close();
        return {std::exchange(name_, {})};
      }

      void commit(CheckpointId, const std::vector<std::string>& names) override {
        for (const std::string& name : names) {
          std::ifstream in(context_->staged_path(name));
          sink_.add(name, in);
        }
      }

     private:
      const StagingSink& sink_;
      stream::WriterContext* context_ = nullptr;
      std::string name_;
      std::ofstream out_;
    };

    return std::make_unique<Writer>(*this);
  }

  void add(const std::string& name, std::ifstream& in) const {
    const std::lock_guard lock(mutex_);
    std::vector<int64_t>& numbers = committed_[name];
    numbers.clear();
    for (int64_t number = 0; in >> number;) {
      numbers.push_back(number);
    }
  }

  std::vector<int64_t> committed() const {
    const std::lock_guard lock(mutex_);
    std::vector<int64_t> all;
    for (const auto& [name, numbers] : committed_) {
      all.insert(all.end(), numbers.begin(), numbers.end());
    }
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::vector<int64_t>> committed_;
};

/// Fails the first commit.
class NoFirstCommit final : public runtime::JobHook {
 public:
  void reached(HookPoint point, CheckpointId) override {
    if (point == HookPoint::kBeforeCommit && !struck_.exchange(true)) {
      throw Error(ErrorCode::kIoFailed, "the test's crash");
    }
  }

  bool has_struck() const { return struck_; }

 private:
  std::atomic<bool> struck_{false};
};

runtime::JobGraph graph_of(std::shared_ptr<stream::TableSource> source,
                           std::shared_ptr<const stream::TableSink> sink,
                           int32_t parallelism) {
  GraphBuilder builder;
  const uint32_t from = builder.source(std::move(source));
  const uint32_t to = builder.sink(std::move(sink), parallelism);
  builder.connect(from, to, runtime::Partitioning::kHash, {{1}});
  return std::move(builder.graph);
}

}  // namespace

TEST_CASE("staged files go with their checkpoint, and away when they are committed") {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("thalweg-staged-{}", ::getpid());
  std::vector<int64_t> expected(5000);
  for (size_t i = 0; i < expected.size(); ++i) {
    expected[i] = static_cast<int64_t>(i);
  }
  for (const bool restarts : {true, false}) {
    CAPTURE(restarts);
    std::filesystem::create_directories(folder);
    auto hook = std::make_shared<NoFirstCommit>();
    auto source = std::make_shared<CountingSource>(
        CountingSource::Settings{.count = 5000, .batch = 50, .hold_at = 4000});
    source->release = [hook] { return hook->has_struck(); };
    auto sink = std::make_shared<StagingSink>();
    JobOptions options;
    options.checkpoint_interval_ms = 5;
    options.checkpoint_dir = folder.string();
    options.hook = hook;
    if (restarts) {
      options.restart = {.kind = RestartStrategy::Kind::kFixedDelay, .attempts = 1, .delay_ms = 1};
      run_to_end(graph_of(source, sink, 2), options);
    } else {
      CHECK_THROWS_AS(run_to_end(graph_of(source, sink, 2), options), Error);
      options.restore_path = folder.string();
      run_to_end(graph_of(source, sink, 3), options);
    }
    CHECK(sink->committed() == expected);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      CHECK(entry.path().parent_path().filename() != "staging");
    }
    std::filesystem::remove_all(folder);
  }
}

TEST_CASE("without checkpoints staged files are committed at the end") {
  auto sink = std::make_shared<StagingSink>();
  run_to_end(
      graph_of(std::make_shared<CountingSource>(CountingSource::Settings{.count = 100}), sink, 2));
  CHECK(sink->committed().size() == 100);
}

}  // namespace thalweg
