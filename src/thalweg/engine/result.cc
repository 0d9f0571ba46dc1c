#include "thalweg/engine/result.h"

namespace thalweg::engine {

namespace {

class StaticRows final : public ResultRows {
 public:
  explicit StaticRows(Batch batch) : batch_(std::move(batch)) {}

  State next(int64_t max_wait_ms, Batch& batch) override {
    static_cast<void>(max_wait_ms);
    if (read_) {
      return State::kEnd;
    }
    read_ = true;
    batch = std::move(batch_);
    return State::kBatch;
  }

 private:
  Batch batch_;
  bool read_ = false;
};

}  // namespace

std::unique_ptr<ResultRows> make_static_rows(Batch batch) {
  return std::make_unique<StaticRows>(std::move(batch));
}

}  // namespace thalweg::engine
