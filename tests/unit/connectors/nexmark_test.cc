#include <doctest/doctest.h>

#include "connectors/fake_context.h"
#include "thalweg/common/error.h"
#include "thalweg/connectors/nexmark/nexmark_model.h"

using namespace thalweg;
using namespace thalweg::connectors;
using namespace thalweg::connectors::testing;

namespace {

const ConnectorRegistry kConnectors;

Schema nexmark_columns() {
  const DataType id = DataType::big_int();
  const DataType text = DataType::string();
  const DataType time = DataType::timestamp(3);
  return {{"event_type", DataType::integer()},
          {"person",
           DataType::row({{"id", id},
                          {"name", text},
                          {"emailAddress", text},
                          {"creditCard", text},
                          {"city", text},
                          {"state", text},
                          {"dateTime", time},
                          {"extra", text}})},
          {"auction",
           DataType::row({{"id", id},
                          {"itemName", text},
                          {"description", text},
                          {"initialBid", id},
                          {"reserve", id},
                          {"dateTime", time},
                          {"expires", time},
                          {"seller", id},
                          {"category", id},
                          {"extra", text}})},
          {"bid",
           DataType::row({{"auction", id},
                          {"bidder", id},
                          {"price", id},
                          {"channel", text},
                          {"url", text},
                          {"dateTime", time},
                          {"extra", text}})}};
}

std::shared_ptr<stream::TableSource> make_source(stream::OptionMap options) {
  stream::TableContext context;
  context.table_name = "c.d.nexmark";
  context.columns = nexmark_columns();
  context.options = std::move(options);
  return kConnectors.connector("nexmark").create_source(context);
}

}  // namespace

TEST_CASE("nexmark: rounds of people, auctions and bids, the same in every run") {
  const auto rows = read_all(*make_source({{"events.num", "5000"}})).rows;
  REQUIRE(rows.size() == 5000);
  size_t counts[3] = {};
  for (const std::string& row : rows) {
    ++counts[row[0] - '0'];
  }
  CHECK(counts[0] == 100);
  CHECK(counts[1] == 300);
  CHECK(counts[2] == 4600);
  CHECK(rows[0].starts_with("0, +I[1000, "));
  CHECK(rows[0].ends_with(", null, null"));
  CHECK(rows[1].starts_with("1, null, +I[1000, "));
  CHECK(rows[4].starts_with("2, null, null, +I[1"));
  CHECK(rows[4].find("2015-07-15T00:00") != std::string::npos);
  CHECK(rows == read_all(*make_source({{"events.num", "5000"}})).rows);
  CHECK(rows != read_all(*make_source({{"events.num", "5000"}, {"seed", "1"}})).rows);
}

TEST_CASE("nexmark: splits together give every event once") {
  const auto source = make_source({{"events.num", "300000"}});
  FakeReaderContext context;
  int64_t rows = 0;
  const std::vector<stream::Split> splits = source->discover_splits();
  for (size_t share = 0; share < 3; ++share) {
    const auto reader = source->create_reader();
    reader->open(context);
    for (size_t i = share; i < splits.size(); i += 3) {
      reader->add_splits({splits[i]});
    }
    reader->no_more_splits();
    for (auto polled = reader->poll(0); polled.kind == stream::PollResult::Kind::kBatch;
         polled = reader->poll(0)) {
      rows += polled.batch.row_count();
    }
    CHECK(reader->snapshot().empty());
  }
  CHECK(rows == 300000);
}

TEST_CASE("nexmark: who was last") {
  const NexmarkModel model;
  CHECK(model.newest(0).person == 0);
  CHECK(model.newest(49).person == 0);
  CHECK(model.newest(50).person == 1);
  CHECK(model.newest(0).auction == -1);
  CHECK(model.newest(1).auction == 0);
  CHECK(model.newest(49).auction == 2);
  CHECK(model.newest(50).auction == 2);
  CHECK(model.newest(51).auction == 3);
}

TEST_CASE("nexmark: other columns are refused") {
  stream::TableContext context;
  context.columns = {{"price", DataType::big_int()}};
  CHECK_THROWS_AS(kConnectors.connector("nexmark").create_source(context), Error);
}
