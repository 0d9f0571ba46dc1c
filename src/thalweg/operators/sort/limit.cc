#include "thalweg/operators/sort/limit.h"

#include <algorithm>
#include <limits>

#include "thalweg/operators/factory.h"
#include "thalweg/operators/sort/top_n.h"

namespace thalweg::operators {

namespace {

/// Passes rows by their position. The number of rows so far is state. One subtask; task thread.
class Limit final : public stream::Operator {
 public:
  explicit Limit(const LimitSpec& spec) : spec_(spec) {}

  void open(stream::OperatorContext& context) override {
    table_ = &context.keyed_table(
        {.name = "count", .key = {}, .value = {{"rows", DataType::big_int().not_null()}}});
  }

  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const int64_t last =
        spec_.fetch.has_value() ? spec_.offset + *spec_.fetch : std::numeric_limits<int64_t>::max();
    stream::SlotId slot[1];
    std::byte* record[1];
    uint8_t inserted[1];
    table_->find_or_insert({.columns = {}}, slot, record, inserted);
    int64_t& seen = *reinterpret_cast<int64_t*>(record[0] + table_->layout().offset(0));
    const int64_t rows = batch.row_count();
    const int64_t begin = std::clamp<int64_t>(spec_.offset - seen, 0, rows);
    const int64_t end = std::clamp<int64_t>(last - seen, begin, rows);
    seen += rows;
    std::vector<Mark> marks = batch.marks();
    for (Mark& mark : marks) {
      mark.row = static_cast<int32_t>(std::clamp<int64_t>(mark.row, begin, end) - begin);
    }
    Batch part = batch.slice(static_cast<int32_t>(begin), static_cast<int32_t>(end));
    part.set_marks(std::move(marks));
    output.emit(std::move(part));
  }

 private:
  LimitSpec spec_;
  stream::KeyedTable* table_ = nullptr;
};

}  // namespace

std::shared_ptr<const stream::OperatorFactory> make_limit(LimitSpec spec) {
  return make_factory<Limit>(std::move(spec));
}

std::shared_ptr<const stream::OperatorFactory> make_top_n(TopNSpec spec) {
  return make_factory<TopN>(std::move(spec));
}

}  // namespace thalweg::operators
