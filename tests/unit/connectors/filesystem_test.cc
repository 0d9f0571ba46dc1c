#include <fstream>
#include <set>
#include <sstream>

#include <doctest/doctest.h>

#include "connectors/fake_context.h"
#include "thalweg/common/error.h"
#include "thalweg/connectors/filesystem/block_reader.h"
#include "thalweg/connectors/filesystem/partition_path.h"

using namespace thalweg;
using namespace thalweg::connectors;
using namespace thalweg::connectors::testing;
using Rows = std::vector<std::string>;

namespace {

const formats::FormatRegistry kFormats;
const ConnectorRegistry kConnectors;

void write_file(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

stream::TableContext table(const std::string& path, stream::OptionMap more = {}) {
  stream::TableContext context;
  context.table_name = "c.d.t";
  context.columns = {{"a", DataType::integer()}, {"b", DataType::string()}};
  context.options = {{"connector", "filesystem"}, {"path", path}, {"format", "csv"}};
  context.options.merge(more);
  context.formats = &kFormats;
  return context;
}

ReadRows read(const stream::TableContext& context) {
  return read_all(*kConnectors.connector("filesystem").create_source(context));
}

Batch make_batch(const Schema& schema, const std::vector<std::vector<Value>>& rows) {
  std::vector<ColumnBuilder> builders = make_builders(schema);
  for (const std::vector<Value>& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      builders[i].append_value(row[i]);
    }
  }
  return finish_batch(builders);
}

Value number(int64_t value) {
  return Value(value);
}

Value text_of(const std::string& value) {
  return Value(value);
}

/// Files of a folder: path within it, and contents. Hidden ones have their id cut off.
std::map<std::string, std::string> files_of(const ScratchFolder& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (entry.is_regular_file()) {
      const std::string path = entry.path().string().substr(folder.path().size() + 1);
      files[path] = read_file(entry.path().string());
    }
  }
  return files;
}

}  // namespace

TEST_CASE("filesystem: a directory is read in order, hidden files are not") {
  const ScratchFolder folder;
  write_file(folder / "b/2.csv", "3,z");
  write_file(folder / "a.csv", "1,x\n2,\"y\ny\"\r\n");
  write_file(folder / "_hidden.csv", "9,h\n");
  write_file(folder / ".hidden/x.csv", "9,h\n");
  write_file(folder / "empty.csv", "");
  CHECK(read(table(folder.path())).rows == Rows{"1, x", "2, y\ny", "3, z"});
  CHECK(read(table("file://" + (folder / "a.csv"))).rows.size() == 2);
  CHECK(read(table(folder.path(), {{"source.path.regex-pattern", ".*/b/\\d\\.csv"}})).rows ==
        Rows{"3, z"});
}

TEST_CASE("filesystem: what is missing or wrong is named") {
  const ScratchFolder folder;
  const auto source = kConnectors.connector("filesystem").create_source(table(folder / "none"));
  CHECK_THROWS_WITH(source->discover_splits(),
                    ("File does not exist: " + (folder / "none")).c_str());
  CHECK_THROWS_AS(read(table("s3://bucket/x")), Error);
  CHECK_THROWS_AS(read(table(folder.path(), {{"source.monitor-intervall", "1 s"}})), Error);
  write_file(folder / "a.csv", "1,x\nbad,y\n3,z\n");
  const ReadRows result = read(table(folder.path()));
  CHECK(result.rows == Rows{"1, x"});
  CHECK(result.failure.ends_with("(byte 4 of " + (folder / "a.csv") + ")"));
}

TEST_CASE("filesystem: an unknown option of the format is only warned of") {
  const ScratchFolder folder;
  write_file(folder / "a.csv", "1,x\n");
  stream::TableContext context = table(folder.path(), {{"csv.ignore-parse-error", "true"}});
  std::string warning;
  context.warn = [&warning](const std::string& text) { warning = text; };
  CHECK(read(context).rows.size() == 1);
  CHECK(warning.find("Did you mean 'csv.ignore-parse-errors'?") != std::string::npos);
}

TEST_CASE("filesystem: projection, metadata, partitions") {
  const ScratchFolder folder;
  write_file(folder / "p=A/day=2024-01-02/1.csv", "1,x\n2,y\n");
  write_file(folder / "p=__DEFAULT_PARTITION__/day=2024-01-03/1.csv", "3,z\n");
  write_file(folder / "stray.csv", "9,s\n");
  stream::TableContext context = table(folder.path());
  context.columns = {{"p", DataType::string()},
                     {"a", DataType::integer()},
                     {"b", DataType::string()},
                     {"day", DataType::date()}};
  context.partition_keys = {"p", "day"};
  CHECK(read(context).rows ==
        Rows{"A, 1, x, 2024-01-02", "A, 2, y, 2024-01-02", "null, 3, z, 2024-01-03"});
  context.projection = {{2, 3}};
  context.metadata_keys = {"file.name", "file.size"};
  CHECK(read(context).rows ==
        Rows{"x, 2024-01-02, 1.csv, 8", "y, 2024-01-02, 1.csv, 8", "z, 2024-01-03, 1.csv, 4"});
  context.projection = std::vector<int32_t>{};
  context.metadata_keys = {};
  CHECK(read(context).rows.size() == 3);
}

TEST_CASE("filesystem: a reader goes on from its snapshot") {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i) + ",row\n";
  }
  write_file(folder / "a.csv", text);
  const auto source = kConnectors.connector("filesystem").create_source(table(folder.path()));
  FakeReaderContext context;
  auto reader = source->create_reader();
  reader->open(context);
  reader->add_splits(source->discover_splits());
  Rows rows;
  show(reader->poll(0).batch, rows);
  const std::vector<stream::Split> splits = reader->snapshot();
  reader = source->create_reader();
  reader->open(context);
  reader->add_splits(splits);
  reader->no_more_splits();
  for (auto polled = reader->poll(0); polled.kind == stream::PollResult::Kind::kBatch;
       polled = reader->poll(0)) {
    show(polled.batch, rows);
  }
  CHECK(rows.size() == 5000);
  CHECK(rows.front() == "0, row");
  CHECK(rows.back() == "4999, row");
  CHECK(std::set<std::string>(rows.begin(), rows.end()).size() == 5000);
}

TEST_CASE("filesystem: records longer than a block") {
  const ScratchFolder folder;
  const std::string big(3'000'000, 'x');
  write_file(folder / "a.csv", "1,\"" + big + "\"\n2,\"" + big + "\"\n");
  CHECK(read(table(folder.path())).rows == Rows{"1, " + big, "2, " + big});
}

TEST_CASE("filesystem: part files appear when they are committed") {
  const ScratchFolder folder;
  const stream::TableContext context = table(folder / "out");
  const auto sink = kConnectors.connector("filesystem").create_sink(context);
  CHECK(sink->accepted(stream::ChangelogMode::all()) == stream::ChangelogMode::insert_only());
  FakeWriterContext writer_context;
  const auto writer = sink->create_writer();
  writer->open(writer_context);
  writer->write(make_batch(context.columns, {{number(1), text_of("x")}, {number(2), Value()}}));
  CHECK(read(context).rows.empty());
  const std::vector<std::string> committables = writer->prepare_commit({1});
  CHECK(read(context).rows.empty());
  writer->write(make_batch(context.columns, {{number(3), text_of("z")}}));
  writer->commit({1}, committables);
  writer->commit({1}, committables);
  CHECK(read(context).rows == Rows{"1, x", "2, "});
  writer->commit({2}, writer->prepare_commit({2}));
  CHECK(read(context).rows == Rows{"1, x", "2, ", "3, z"});
  CHECK(files_of(folder).size() == 2);
}

TEST_CASE("filesystem: what is never committed is deleted") {
  const ScratchFolder folder;
  const stream::TableContext context = table(folder / "out");
  FakeWriterContext writer_context;
  auto writer = kConnectors.connector("filesystem").create_sink(context)->create_writer();
  writer->open(writer_context);
  writer->write(make_batch(context.columns, {{number(1), text_of("x")}}));
  CHECK(files_of(folder).size() == 1);
  writer.reset();
  CHECK(files_of(folder).empty());
}

TEST_CASE("filesystem: rows go into their partitions, which are marked") {
  const ScratchFolder folder;
  stream::TableContext context = table(folder / "out",
                                       {{"sink.partition-commit.policy.kind", "success-file"},
                                        {"sink.rolling-policy.file-size", "1b"}});
  context.partition_keys = {"b"};
  context.is_batch = true;
  FakeWriterContext writer_context;
  const auto writer = kConnectors.connector("filesystem").create_sink(context)->create_writer();
  writer->open(writer_context);
  writer->write(
      make_batch(context.columns,
                 {{number(1), text_of("x/y")}, {number(2), Value()}, {number(3), text_of("x/y")}}));
  writer->commit({1}, writer->prepare_commit({1}));
  std::map<std::string, int> counts;
  for (const auto& [path, text] : files_of(folder)) {
    ++counts[path.substr(0, path.rfind('/'))];
  }
  CHECK(counts ==
        std::map<std::string, int>{{"out/b=__DEFAULT_PARTITION__", 2}, {"out/b=x%2Fy", 3}});
  CHECK(read(context).rows == Rows{"2, null", "1, x/y", "3, x/y"});
}

TEST_CASE("filesystem: INSERT OVERWRITE replaces the partitions it writes") {
  const ScratchFolder folder;
  write_file(folder / "out/b=x/old.csv", "7\n");
  write_file(folder / "out/b=y/old.csv", "8\n");
  stream::TableContext context = table(folder / "out");
  context.partition_keys = {"b"};
  context.is_overwrite = true;
  CHECK_THROWS_AS(kConnectors.connector("filesystem").create_sink(context), Error);
  context.is_batch = true;
  FakeWriterContext writer_context;
  auto writer = kConnectors.connector("filesystem").create_sink(context)->create_writer();
  writer->open(writer_context);
  writer->write(make_batch(context.columns, {{number(1), text_of("x")}}));
  CHECK(read(context).rows == Rows{"7, x", "8, y"});
  writer->commit({1}, writer->prepare_commit({1}));
  CHECK(read(context).rows == Rows{"1, x", "8, y"});
  context.partition_keys = {};
  writer = kConnectors.connector("filesystem").create_sink(context)->create_writer();
  writer->open(writer_context);
  writer->commit({1}, writer->prepare_commit({1}));
  CHECK(files_of(folder).empty());
}

TEST_CASE("filesystem: directory names") {
  CHECK(escape_partition_text("a b:c%") == "a b%3Ac%25");
  CHECK(unescape_partition_text("a b%3Ac%25%") == "a b:c%%");
  CHECK(parse_partition_path("/x/p=1/q=%2F/file=2.csv") == PartitionTexts{{"p", "1"}, {"q", "/"}});
}
