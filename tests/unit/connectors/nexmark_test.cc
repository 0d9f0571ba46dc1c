#include <doctest/doctest.h>

#include "connectors/fake_context.h"
#include "thalweg/common/error.h"
#include "thalweg/connectors/nexmark/nexmark_model.h"
#include "thalweg/types/column_operations.h"

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

std::shared_ptr<stream::TableSource> make_source(stream::OptionMap options,
                                                 Schema columns = nexmark_columns()) {
  stream::TableContext context;
  context.table_name = "c.d.nexmark";
  context.columns = std::move(columns);
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

TEST_CASE("nexmark: fields that are left out change no other") {
  const auto whole = make_source({{"events.num", "300"}});
  CHECK(whole->abilities().nested_projection);
  Schema some = nexmark_columns();
  const auto keep = [&some](size_t column, std::vector<size_t> fields) {
    std::vector<Field> kept;
    for (const size_t field : fields) {
      kept.push_back(some[column].type.fields()[field]);
    }
    some[column].type = DataType::row(std::move(kept));
  };
  const auto first_event = [](stream::TableSource& source) {
    const auto reader = source.create_reader();
    FakeReaderContext context;
    reader->open(context);
    reader->add_splits(source.discover_splits());
    return reader->poll(0).batch;
  };
  keep(1, {2, 7});
  keep(2, {5, 9});
  keep(3, {1, 4});
  const Batch all = first_event(*whole);
  const Batch few = first_event(*make_source({{"events.num", "300"}}, some));
  const std::vector<std::vector<size_t>> kept = {{2, 7}, {5, 9}, {1, 4}};
  for (size_t column = 1; column < 4; ++column) {
    REQUIRE(few.column(column).child_count() == 2);
    for (size_t i = 0; i < 2; ++i) {
      const Column& expected = *all.column(column).child(kept[column - 1][i]);
      const Column& found = *few.column(column).child(i);
      for (int32_t row = 0; row < all.row_count(); ++row) {
        REQUIRE(equal_values(expected, row, found, row));
      }
    }
  }
}

TEST_CASE("nexmark: rows whose fields are called otherwise are given whole") {
  Schema renamed = nexmark_columns();
  std::vector<Field> fields = renamed[3].type.fields();
  fields[0].name = "auction_id";
  renamed[3].type = DataType::row(fields);
  const auto source = make_source({{"events.num", "300"}}, renamed);
  CHECK_FALSE(source->abilities().nested_projection);
  CHECK(read_all(*source).rows == read_all(*make_source({{"events.num", "300"}})).rows);
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
