#include "thalweg/operators/calc/gathered.h"

#include <doctest/doctest.h>

#include "operator_harness.h"

namespace thalweg::operators {

namespace {

const Schema kNumbers = {{"n", DataType::big_int()}};

/// Says how many rows each batch had, with the last of them.
class BatchSizes final : public stream::Operator {
 public:
  void on_batch(Batch batch, int32_t /*input*/, stream::Output& output) override {
    const int32_t rows = batch.row_count();
    MutableColumnPtr size = Column::make(DataType::big_int(), 1);
    MutableColumnPtr last = Column::make(DataType::big_int(), 1);
    size->mutable_values<int64_t>()[0] = rows;
    last->mutable_values<int64_t>()[0] = batch.column(0).at<int64_t>(rows - 1);
    output.emit(Batch(1, {size, last}));
  }
};

class Factory final : public stream::OperatorFactory {
 public:
  explicit Factory(int64_t wait_ms) : wait_ms_(wait_ms) {}

  std::unique_ptr<stream::Operator> create() const override {
    return make_gathered(std::make_unique<BatchSizes>(), [wait_ms = wait_ms_] {
      return expression::Gathering{.rows = 4, .wait_ms = wait_ms};
    });
  }

 private:
  int64_t wait_ms_;
};

OperatorHarness harness(int64_t wait_ms = 10) {
  return {std::make_shared<const Factory>(wait_ms), kNumbers};
}

}  // namespace

TEST_CASE("rows are gathered to full batches, and the rest waits its time") {
  OperatorHarness gathered = harness();
  gathered.feed({row(1), row(2), row(3)});
  CHECK(gathered.take().empty());
  gathered.set_time(5);
  gathered.feed({row(4), row(5)});
  CHECK(gathered.take() == "+I(4, 4)\n");
  gathered.set_time(10);
  CHECK(gathered.take().empty());
  gathered.set_time(15);
  CHECK(gathered.take() == "+I(1, 5)\n");
}

TEST_CASE("a batch that is too large is cut") {
  OperatorHarness gathered = harness();
  gathered.feed({row(1), row(2), row(3), row(4), row(5), row(6), row(7), row(8), row(9)});
  CHECK(gathered.take() == "+I(4, 4)\n+I(4, 8)\n");
  gathered.end();
  CHECK(gathered.take() == "+I(1, 9)\n");
}

TEST_CASE("rows that may not wait leave at once") {
  OperatorHarness gathered = harness(0);
  gathered.feed({row(1), row(2), row(3), row(4), row(5)});
  CHECK(gathered.take() == "+I(4, 4)\n+I(1, 5)\n");
}

TEST_CASE("nothing overtakes rows that wait") {
  OperatorHarness gathered = harness();
  gathered.feed({row(1)});
  gathered.watermark(7);
  CHECK(gathered.take() == "+I(1, 1)\nWM 7\n");
  gathered.feed({row(2)});
  gathered.before_snapshot();
  CHECK(gathered.take() == "+I(1, 2)\n");
  gathered.feed({row(3)});
  gathered.split("a", true);
  CHECK(gathered.take() == "+I(1, 3)\n");
}

TEST_CASE("rows of different splits are not mixed") {
  OperatorHarness gathered = harness();
  for (const char* split : {"a", "b"}) {
    Batch batch = gathered.make_batch({row(1), row(2)});
    batch.set_origin({std::make_shared<const std::string>(split), 0});
    gathered.feed_batch(batch);
  }
  CHECK(gathered.take() == "+I(2, 2)\n");
}

}  // namespace thalweg::operators
