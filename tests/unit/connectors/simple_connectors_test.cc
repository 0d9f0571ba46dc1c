#include <set>

#include <doctest/doctest.h>

#include "connectors/fake_context.h"
#include "thalweg/common/error.h"

using namespace thalweg;
using namespace thalweg::connectors;
using namespace thalweg::connectors::testing;
using Rows = std::vector<std::string>;

namespace {

const ConnectorRegistry kConnectors;

stream::TableContext table(Schema columns, stream::OptionMap options) {
  stream::TableContext context;
  context.table_name = "c.d.t";
  context.columns = std::move(columns);
  context.options = std::move(options);
  return context;
}

ReadRows generate(Schema columns, stream::OptionMap options) {
  return read_all(*kConnectors.connector("datagen").create_source(
      table(std::move(columns), std::move(options))));
}

Rows print(const Batch& batch, stream::OptionMap options, int32_t tasks = 1) {
  Rows lines;
  stream::TableContext context = table({}, std::move(options));
  context.print_line = [&lines](std::string_view line) { lines.emplace_back(line); };
  FakeWriterContext writer_context(tasks);
  const auto writer = kConnectors.connector("print").create_sink(context)->create_writer();
  writer->open(writer_context);
  writer->write(batch);
  return lines;
}

}  // namespace

TEST_CASE("connectors are found by name") {
  CHECK(kConnectors.find("nope") == nullptr);
  try {
    kConnectors.connector("fliesystem");
    FAIL("found");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kConnectorNotFound);
    CHECK(error.hint_text() == "Did you mean 'filesystem'?");
    CHECK(error.message().find("\nprint") != std::string::npos);
  }
  CHECK_THROWS_AS(kConnectors.connector_of(table({}, {})), Error);
}

TEST_CASE("print: kinds, prefixes") {
  std::vector<ColumnBuilder> builders =
      make_builders({{"a", DataType::integer()}, {"b", DataType::string()}});
  builders[0].append(int32_t{1});
  builders[0].append(int32_t{2});
  builders[1].append_string("x");
  builders[1].append_null();
  Batch batch = finish_batch(builders);
  CHECK(print(batch, {}) == Rows{"+I[1, x]", "+I[2, null]"});
  batch.set_kinds({RowKind::kUpdateBefore, RowKind::kDelete});
  CHECK(print(batch, {{"print-identifier", "PRE"}}) == Rows{"PRE> -U[1, x]", "PRE> -D[2, null]"});
  CHECK(print(batch, {}, 2) == Rows{"1> -U[1, x]", "1> -D[2, null]"});
  CHECK(print(batch, {{"print-identifier", "PRE"}}, 2)[0] == "PRE:1> -U[1, x]");
  CHECK_THROWS_AS(print(batch, {{"bogus", "1"}}), Error);
  CHECK_THROWS_AS(kConnectors.connector("print").create_source(table({}, {})), Error);
}

TEST_CASE("blackhole wants no old values") {
  const auto sink = kConnectors.connector("blackhole").create_sink(table({}, {}));
  CHECK(sink->accepted(stream::ChangelogMode::all()) == stream::ChangelogMode::upsert());
  CHECK(sink->accepted(stream::ChangelogMode::insert_only()) ==
        stream::ChangelogMode::insert_only());
}

TEST_CASE("datagen: sequences come in order and end") {
  CHECK(generate({{"id", DataType::integer()}, {"s", DataType::string()}},
                 {{"fields.id.kind", "sequence"},
                  {"fields.id.start", "5"},
                  {"fields.id.end", "7"},
                  {"fields.s.kind", "sequence"},
                  {"fields.s.start", "1"},
                  {"fields.s.end", "100"}})
            .rows == Rows{"5, 1", "6, 2", "7, 3"});
  CHECK(generate({{"id", DataType::big_int()}},
                 {{"number-of-rows", "2"},
                  {"fields.id.kind", "sequence"},
                  {"fields.id.start", "1"},
                  {"fields.id.end", "9"}})
            .rows == Rows{"1", "2"});
}

TEST_CASE("datagen: random values stay in their range") {
  const ReadRows result = generate({{"i", DataType::integer()},
                                    {"s", DataType::string()},
                                    {"n", DataType::boolean()},
                                    {"c", DataType::character(4)},
                                    {"ts", DataType::timestamp(3)}},
                                   {{"number-of-rows", "3000"},
                                    {"rows-per-second", "100000"},
                                    {"fields.i.min", "3"},
                                    {"fields.i.max", "5"},
                                    {"fields.s.length", "2"},
                                    {"fields.n.null-rate", "1"}});
  CHECK(result.rows.size() == 3000);
  std::set<char> first;
  size_t shaped = 0;
  for (const std::string& row : result.rows) {
    first.insert(row[0]);
    shaped += row.substr(5).starts_with(", null, ") && row.substr(17).starts_with(", 2023-11-14T")
                  ? 1
                  : 0;
  }
  CHECK(shaped == result.rows.size());
  CHECK(first == std::set<char>{'3', '4', '5'});
}

TEST_CASE("datagen: every type, and projection") {
  const DataType row = DataType::row({{"x", DataType::integer()}, {"y", DataType::string()}});
  const ReadRows result =
      generate({{"a", DataType::array(DataType::integer())},
                {"m", DataType::map(DataType::string(), DataType::float64())},
                {"u", DataType::multiset(DataType::string())},
                {"r", row},
                {"d", DataType::decimal(5, 2)},
                {"b", DataType::bytes()},
                {"t", DataType::time()},
                {"f", DataType::float32()}},
               {{"number-of-rows", "3"}, {"fields.r.x.min", "7"}, {"fields.r.x.max", "7"}});
  REQUIRE(result.rows.size() == 3);
  CHECK(result.rows[0].find("+I[7, ") != std::string::npos);
  stream::TableContext context =
      table({{"a", DataType::integer()}, {"b", DataType::integer()}}, {{"number-of-rows", "3"}});
  context.projection = std::vector<int32_t>{};
  CHECK(read_all(*kConnectors.connector("datagen").create_source(context)).rows.size() == 3);
}

TEST_CASE("datagen: the same rows after a restore, the rate by the clock") {
  const auto source = kConnectors.connector("datagen").create_source(
      table({{"i", DataType::integer()}}, {{"rows-per-second", "1000"}}));
  FakeReaderContext context;
  auto reader = source->create_reader();
  reader->open(context);
  reader->add_splits(source->discover_splits());
  Rows before;
  show(reader->poll(0).batch, before);
  CHECK(before.size() == 100);
  CHECK(reader->poll(0).kind == stream::PollResult::Kind::kNothing);
  const std::vector<stream::Split> splits = reader->snapshot();
  context.now_ms += 100;
  Rows first;
  show(reader->poll(0).batch, first);
  reader = source->create_reader();
  reader->open(context);
  reader->add_splits(splits);
  Rows second;
  show(reader->poll(0).batch, second);
  CHECK(first == second);
  CHECK(first != before);
}

TEST_CASE("datagen: options that are wrong") {
  const Schema columns = {{"id", DataType::integer()}, {"c", DataType::character(3)}};
  CHECK_THROWS_AS(generate(columns, {{"rows-per-second", "abc"}}), Error);
  CHECK_THROWS_AS(generate(columns, {{"fields.di.min", "1"}}), Error);
  CHECK_THROWS_AS(generate(columns, {{"fields.id.kind", "sequence"}}), Error);
  CHECK_THROWS_AS(generate(columns, {{"fields.c.length", "5"}}), Error);
  CHECK_THROWS_AS(generate(columns, {{"fields.id.min", "5"}, {"fields.id.max", "1"}}), Error);
}
