#include "runtime/test_parts.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "thalweg/stream/state.h"

namespace thalweg::test {

namespace {

std::vector<std::string> texts_of(const Batch& batch) {
  std::vector<std::string> rows;
  for (int32_t row = 0; row < batch.row_count(); ++row) {
    std::string text(short_name(batch.kind(row)));
    for (const ColumnPtr& column : batch.columns()) {
      text += column->is_null(row) ? " null" : fmt::format(" {}", column->at<int64_t>(row));
    }
    rows.push_back(std::move(text));
  }
  return rows;
}

class CountingReader final : public stream::SourceReader {
 public:
  explicit CountingReader(const CountingSource& source) : source_(source) {}

  void open(stream::ReaderContext& context) override { context_ = &context; }

  void add_splits(std::vector<stream::Split> splits) override {
    for (stream::Split& split : splits) {
      splits_.push_back({split.id, std::stoll(split.position)});
    }
  }

  void no_more_splits() override { no_more_ = true; }

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    const CountingSource::Settings& settings = source_.settings();
    if (!source_.open) {
      return {};
    }
    if (splits_.empty()) {
      return {.kind = no_more_ && settings.bounded ? stream::PollResult::Kind::kEnd
                                                   : stream::PollResult::Kind::kNothing};
    }
    if (settings.pause_ms > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(settings.pause_ms));
    }
    turn_ = (turn_ + 1) % splits_.size();
    Place& place = splits_[turn_];
    if (settings.hold_at >= 0 && place.next >= settings.hold_at && source_.release &&
        !source_.release()) {
      return {};
    }
    stream::PollResult result;
    result.kind = stream::PollResult::Kind::kBatch;
    result.split = std::make_shared<const std::string>(place.id);
    std::vector<std::pair<int64_t, int64_t>> rows;
    const int64_t end = std::min(settings.count, place.next + settings.batch);
    for (; place.next < end; ++place.next) {
      if (place.next == settings.fail_after && source_.failures.fetch_sub(1) > 0) {
        result.failure = Error(ErrorCode::kBadRecord, "the test's bad record");
        break;
      }
      rows.emplace_back(place.next % settings.keys, place.next);
    }
    result.batch = pairs(rows);
    source_.given += result.batch.row_count();
    if (settings.watermarks && splits_.size() == 1) {
      result.batch.set_marks({{result.batch.row_count(), {place.next - 1}}});
    }
    if (place.next >= settings.count) {
      context_->split_ended(place.id);
      splits_.erase(splits_.begin() + static_cast<ptrdiff_t>(turn_));
    }
    return result;
  }

  std::vector<stream::Split> snapshot() const override {
    std::vector<stream::Split> splits;
    for (const Place& place : splits_) {
      splits.push_back({place.id, std::to_string(place.next)});
    }
    return splits;
  }

 private:
  struct Place {
    std::string id;
    int64_t next = 0;
  };

  const CountingSource& source_;
  stream::ReaderContext* context_ = nullptr;
  std::vector<Place> splits_;
  size_t turn_ = 0;
  bool no_more_ = false;
};

class HandReader final : public stream::SourceReader {
 public:
  explicit HandReader(const HandSource& source) : source_(source) {}

  void add_splits(std::vector<stream::Split> splits) override { static_cast<void>(splits); }

  void no_more_splits() override {}

  stream::PollResult poll(int64_t max_wait_ms) override {
    static_cast<void>(max_wait_ms);
    return source_.poll();
  }

  std::vector<stream::Split> snapshot() const override { return {{"hand", "0"}}; }

 private:
  const HandSource& source_;
};

class CollectWriter final : public stream::SinkWriter {
 public:
  explicit CollectWriter(const CollectSink& sink) : sink_(sink) {}

  void write(const Batch& batch) override { sink_.write(batch); }

 private:
  const CollectSink& sink_;
};

class CommitWriter final : public stream::SinkWriter {
 public:
  explicit CommitWriter(const CommitSink& sink) : sink_(sink) {}

  void open(stream::WriterContext& context) override { subtask_ = context.subtask(); }

  void write(const Batch& batch) override {
    for (std::string& row : texts_of(batch)) {
      pending_ += row + "\n";
    }
  }

  std::vector<std::string> prepare_commit(CheckpointId checkpoint) override {
    if (pending_.empty()) {
      return {};
    }
    return {fmt::format("{}/{}\n{}", checkpoint.value, subtask_, std::exchange(pending_, {}))};
  }

  void commit(CheckpointId checkpoint, const std::vector<std::string>& committables) override {
    static_cast<void>(checkpoint);
    for (const std::string& committable : committables) {
      sink_.commit(committable);
    }
  }

 private:
  const CommitSink& sink_;
  int32_t subtask_ = 0;
  std::string pending_;
};

class RunningFunctions final : public stream::Operator {
 public:
  explicit RunningFunctions(const FunctionOperator& functions) : functions_(functions) {}

  void open(stream::OperatorContext& context) override {
    context_ = &context;
    if (functions_.open) {
      functions_.open(context);
    }
  }

  void on_batch(Batch batch, int32_t input, stream::Output& output) override {
    if (functions_.batch) {
      functions_.batch(*context_, std::move(batch), input, output);
    } else {
      output.emit(std::move(batch));
    }
  }

  void on_watermark(EventTime watermark, stream::Output& output) override {
    if (functions_.watermark) {
      functions_.watermark(*context_, watermark, output);
    }
    output.emit_watermark(watermark);
  }

  void on_processing_time(ProcessingTime now, stream::Output& output) override {
    if (functions_.time) {
      functions_.time(*context_, now, output);
    }
  }

  void on_split(const std::string& split, bool ended) override {
    if (functions_.split) {
      functions_.split(split, ended);
    }
  }

  void on_input_end(int32_t input, stream::Output& output) override {
    if (functions_.end) {
      functions_.end(*context_, input, output);
    }
  }

 private:
  const FunctionOperator& functions_;
  stream::OperatorContext* context_ = nullptr;
};

class FunctionFactory final : public stream::OperatorFactory {
 public:
  explicit FunctionFactory(FunctionOperator functions) : functions_(std::move(functions)) {}

  std::unique_ptr<stream::Operator> create() const override {
    return std::make_unique<RunningFunctions>(functions_);
  }

 private:
  FunctionOperator functions_;
};

class CreatingFactory final : public stream::OperatorFactory {
 public:
  explicit CreatingFactory(std::function<std::unique_ptr<stream::Operator>()> create)
      : create_(std::move(create)) {}

  std::unique_ptr<stream::Operator> create() const override { return create_(); }

 private:
  std::function<std::unique_ptr<stream::Operator>()> create_;
};

class SumByKey final : public stream::Operator {
 public:
  void open(stream::OperatorContext& context) override {
    table_ = &context.keyed_table({.name = "sums",
                                   .key = {{"key", DataType::big_int()}},
                                   .value = {{"sum", DataType::big_int().not_null()}}});
  }

  void on_batch(Batch batch, int32_t input, stream::Output& output) override {
    static_cast<void>(input);
    static_cast<void>(output);
    const auto rows = static_cast<size_t>(batch.row_count());
    slots_.resize(rows);
    records_.resize(rows);
    table_->find_or_insert(
        {.columns = std::span(batch.columns()).subspan(0, 1)}, slots_, records_, {});
    for (size_t row = 0; row < rows; ++row) {
      *reinterpret_cast<int64_t*>(records_[row] + table_->layout().offset(0)) +=
          batch.column(1).at<int64_t>(static_cast<int32_t>(row));
    }
  }

  void on_input_end(int32_t input, stream::Output& output) override {
    static_cast<void>(input);
    std::vector<stream::SlotId> slots;
    table_->collect_slots(slots);
    table_->sort_by_key(slots);
    std::vector<ColumnBuilder> builders;
    builders.emplace_back(DataType::big_int());
    builders.emplace_back(DataType::big_int().not_null());
    table_->append_keys(slots, std::span(builders).subspan(0, 1));
    table_->append_field(slots, 0, builders[1]);
    output.emit(finish_batch(builders));
  }

 private:
  stream::KeyedTable* table_ = nullptr;
  std::vector<stream::SlotId> slots_;
  std::vector<std::byte*> records_;
};

}  // namespace

Batch pairs(const std::vector<std::pair<int64_t, int64_t>>& rows) {
  std::vector<ColumnBuilder> builders;
  builders.emplace_back(DataType::big_int());
  builders.emplace_back(DataType::big_int());
  for (const auto& [key, value] : rows) {
    builders[0].append(key);
    builders[1].append(value);
  }
  return finish_batch(builders);
}

stream::Boundedness CountingSource::boundedness() const {
  return settings_.bounded ? stream::Boundedness::kBounded : stream::Boundedness::kUnbounded;
}

std::vector<stream::Split> CountingSource::discover_splits() {
  std::vector<stream::Split> splits;
  for (int32_t i = 0; i < settings_.splits; ++i) {
    splits.push_back({fmt::format("split-{}", i), "0"});
  }
  return splits;
}

std::unique_ptr<stream::SourceReader> CountingSource::create_reader() const {
  return std::make_unique<CountingReader>(*this);
}

std::vector<stream::Split> HandSource::discover_splits() {
  return {{"hand", "0"}};
}

std::unique_ptr<stream::SourceReader> HandSource::create_reader() const {
  return std::make_unique<HandReader>(*this);
}

void HandSource::feed(Batch batch) {
  const std::lock_guard lock(mutex_);
  batches_.push_back(std::move(batch));
}

void HandSource::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
}

stream::PollResult HandSource::poll() const {
  const std::lock_guard lock(mutex_);
  if (batches_.empty()) {
    return {.kind = ended_ ? stream::PollResult::Kind::kEnd : stream::PollResult::Kind::kNothing};
  }
  stream::PollResult result;
  result.kind = stream::PollResult::Kind::kBatch;
  result.batch = std::move(batches_.front());
  batches_.pop_front();
  return result;
}

std::unique_ptr<stream::SinkWriter> CollectSink::create_writer() const {
  return std::make_unique<CollectWriter>(*this);
}

void CollectSink::write(const Batch& batch) const {
  if (on_write) {
    on_write(batch);
  }
  count_ += batch.row_count();
  if (!keep) {
    return;
  }
  std::vector<std::string> texts = texts_of(batch);
  const std::lock_guard lock(mutex_);
  rows_.insert(rows_.end(), texts.begin(), texts.end());
}

std::vector<std::string> CollectSink::rows() const {
  const std::lock_guard lock(mutex_);
  return rows_;
}

std::vector<std::string> CollectSink::sorted_rows() const {
  std::vector<std::string> rows = this->rows();
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::unique_ptr<stream::SinkWriter> CommitSink::create_writer() const {
  return std::make_unique<CommitWriter>(*this);
}

void CommitSink::commit(const std::string& committable) const {
  std::vector<std::string> rows;
  size_t begin = committable.find('\n') + 1;
  while (begin < committable.size()) {
    const size_t end = committable.find('\n', begin);
    rows.push_back(committable.substr(begin, end - begin));
    begin = end + 1;
  }
  const std::lock_guard lock(mutex_);
  committed_[committable.substr(0, committable.find('\n'))] = std::move(rows);
}

std::vector<std::string> CommitSink::committed() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [name, rows] : committed_) {
    all.insert(all.end(), rows.begin(), rows.end());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::shared_ptr<const stream::OperatorFactory> operator_of(FunctionOperator functions) {
  return std::make_shared<const FunctionFactory>(std::move(functions));
}

std::shared_ptr<const stream::OperatorFactory> factory_of(
    std::function<std::unique_ptr<stream::Operator>()> create) {
  return std::make_shared<const CreatingFactory>(std::move(create));
}

std::shared_ptr<const stream::OperatorFactory> sum_by_key() {
  return factory_of([] { return std::make_unique<SumByKey>(); });
}

uint32_t GraphBuilder::source(std::shared_ptr<stream::TableSource> source, int32_t parallelism) {
  const auto id = static_cast<uint32_t>(graph.vertices.size() + 1);
  runtime::Vertex vertex{id, fmt::format("vertex {}", id), parallelism};
  vertex.source = {{next_operator_}, fmt::format("source {}", next_operator_), std::move(source)};
  ++next_operator_;
  graph.vertices.push_back(std::move(vertex));
  return id;
}

uint32_t GraphBuilder::vertex(std::shared_ptr<const stream::OperatorFactory> first,
                              int32_t parallelism) {
  const auto id = static_cast<uint32_t>(graph.vertices.size() + 1);
  graph.vertices.push_back({id, fmt::format("vertex {}", id), parallelism});
  chain(id, std::move(first));
  return id;
}

uint32_t GraphBuilder::sink(std::shared_ptr<const stream::TableSink> sink, int32_t parallelism) {
  const auto id = static_cast<uint32_t>(graph.vertices.size() + 1);
  graph.vertices.push_back({id, fmt::format("vertex {}", id), parallelism});
  chain_sink(id, std::move(sink));
  return id;
}

void GraphBuilder::chain(uint32_t vertex, std::shared_ptr<const stream::OperatorFactory> next) {
  graph.vertices[vertex - 1].operators.push_back(
      {{next_operator_}, fmt::format("operator {}", next_operator_), std::move(next)});
  ++next_operator_;
}

void GraphBuilder::chain_sink(uint32_t vertex, std::shared_ptr<const stream::TableSink> sink) {
  graph.vertices[vertex - 1].sink = {
      {next_operator_}, fmt::format("sink {}", next_operator_), std::move(sink)};
  ++next_operator_;
}

void GraphBuilder::connect(uint32_t from,
                           uint32_t to,
                           runtime::Partitioning partitioning,
                           std::vector<ColumnIndex> keys,
                           int32_t input) {
  graph.edges.push_back({from, to, input, partitioning, std::move(keys)});
}

void run_to_end(runtime::JobGraph graph, runtime::JobOptions options) {
  MemoryBudget budget("process");
  const auto runtime = runtime::make_runtime(budget);
  const auto job = runtime->submit(std::move(graph), std::move(options));
  job->wait_for(-1);
  if (const std::optional<Error> failure = job->failure()) {
    throw Error(*failure);
  }
}

runtime::JobGraph sum_graph(std::shared_ptr<stream::TableSource> source,
                            std::shared_ptr<const stream::TableSink> sink,
                            int32_t parallelism) {
  GraphBuilder builder;
  const uint32_t from = builder.source(std::move(source), parallelism);
  const uint32_t sums = builder.vertex(sum_by_key(), parallelism);
  builder.connect(from, sums, runtime::Partitioning::kHash, {{0}});
  builder.chain_sink(sums, std::move(sink));
  return std::move(builder.graph);
}

std::vector<std::string> expected_sums(const CountingSource::Settings& settings) {
  std::vector<int64_t> sums(static_cast<size_t>(settings.keys));
  for (int64_t number = 0; number < settings.count; ++number) {
    sums[static_cast<size_t>(number % settings.keys)] += number * settings.splits;
  }
  std::vector<std::string> rows;
  for (size_t key = 0; key < sums.size(); ++key) {
    rows.push_back(fmt::format("+I {} {}", key, sums[key]));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace thalweg::test
