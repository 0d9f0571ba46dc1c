#include "thalweg/operators/sink/drop_update_before.h"

#include <vector>

#include "thalweg/operators/factory.h"

namespace thalweg::operators {

namespace {

struct NoSpec {};

/// One per subtask, task thread.
class DropUpdateBefore final : public stream::Operator {
 public:
  explicit DropUpdateBefore(const NoSpec& /*spec*/) {}

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    if (batch.is_insert_only()) {
      output.emit(std::move(batch));
      return;
    }
    kept_rows_.clear();
    for (int32_t row = 0; row < batch.row_count(); ++row) {
      if (batch.kind(row) != RowKind::kUpdateBefore) {
        kept_rows_.push_back(row);
      }
    }
    output.emit(batch.select(kept_rows_));
  }

 private:
  std::vector<int32_t> kept_rows_;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_drop_update_before() {
  return make_factory<DropUpdateBefore>(NoSpec{});
}

}  // namespace thalweg::operators
