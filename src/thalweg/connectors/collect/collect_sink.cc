#include "thalweg/connectors/collect/collect_sink.h"

#include <chrono>
#include <functional>

namespace thalweg::connectors {

namespace {

/// How long a writer waits for room before it looks whether its job was cancelled.
constexpr std::chrono::milliseconds kCancellationCheck{50};

class CollectWriter final : public stream::SinkWriter {
 public:
  explicit CollectWriter(std::shared_ptr<CollectQueue> queue) : queue_(std::move(queue)) {}

  void open(stream::WriterContext& context) override { context_ = &context; }

  void write(const Batch& batch) override {
    if (!queue_->push(batch, [this] { return context_->is_cancelled(); })) {
      throw Error(ErrorCode::kJobCancelled, "The result is no longer read");
    }
  }

 private:
  std::shared_ptr<CollectQueue> queue_;
  stream::WriterContext* context_ = nullptr;
};

class CollectSink final : public stream::TableSink {
 public:
  explicit CollectSink(std::shared_ptr<CollectQueue> queue) : queue_(std::move(queue)) {}

  stream::ChangelogMode accepted(const stream::ChangelogMode& requested) const override {
    return requested;
  }

  std::unique_ptr<stream::SinkWriter> create_writer() const override {
    return std::make_unique<CollectWriter>(queue_);
  }

 private:
  std::shared_ptr<CollectQueue> queue_;
};

}  // namespace

bool CollectQueue::push(Batch batch, const std::function<bool()>& is_cancelled) {
  std::unique_lock lock(mutex_);
  while (!closed_ && batches_.size() >= capacity_) {
    room_.wait_for(lock, kCancellationCheck);
    if (is_cancelled()) {
      return false;
    }
  }
  if (closed_) {
    return false;
  }
  batches_.push_back(std::move(batch));
  filled_.notify_one();
  return true;
}

std::optional<Batch> CollectQueue::pop(int64_t max_wait_ms) {
  std::unique_lock lock(mutex_);
  filled_.wait_for(lock, std::chrono::milliseconds(max_wait_ms), [this] {
    return closed_ || !batches_.empty();
  });
  if (batches_.empty()) {
    return std::nullopt;
  }
  Batch batch = std::move(batches_.front());
  batches_.pop_front();
  room_.notify_one();
  return batch;
}

void CollectQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  batches_.clear();
  room_.notify_all();
  filled_.notify_all();
}

std::shared_ptr<stream::TableSink> make_collect_sink(std::shared_ptr<CollectQueue> queue) {
  return std::make_shared<CollectSink>(std::move(queue));
}

}  // namespace thalweg::connectors
