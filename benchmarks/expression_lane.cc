// Expressions over columns in memory: what the evaluation alone costs.
//
// usage: expression_lane FILE
// A line of the file is `column NAME SQL`, a column made of the row's number `i`, or
// `case NAME SQL`, between tabs. Prints a line for each case, between tabs: its name, rows per
// CPU-second with the cost of counting a column taken off, and how many of the rows it is not NULL
// for.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "functions/evaluate.h"
#include "thalweg/types/column_builder.h"

namespace thalweg {

namespace {

constexpr int32_t kBatches = 64;
/// A measurement goes on for as long; the least of some counts.
constexpr double kLeastSeconds = 0.1;
constexpr int kRuns = 5;

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

struct Line {
  std::string kind;
  std::string name;
  std::string sql;
};

std::vector<Line> read_lines(const char* path) {
  std::ifstream file(path);
  std::vector<Line> lines;
  std::string text;
  while (std::getline(file, text)) {
    const size_t first = text.find('\t');
    const size_t second = text.find('\t', first + 1);
    lines.push_back({text.substr(0, first),
                     text.substr(first + 1, second - first - 1),
                     text.substr(second + 1)});
  }
  return lines;
}

std::vector<ColumnPtr> evaluate(expression::Evaluator& evaluator, const Batch& batch) {
  expression::RowErrors errors;
  auto columns = evaluator.evaluate(batch, {}, errors);
  if (const auto failure = errors.first()) {
    throw Error(failure->error);
  }
  return columns;
}

/// The batches of all columns, and their schema.
struct Table {
  Schema schema;
  std::vector<Batch> batches;
};

Table make_table(const std::vector<Line>& lines) {
  const Schema number = {{"i", DataType::big_int().not_null()}};
  std::vector<expression::ExpressionPtr> sources;
  Table table;
  for (const Line& line : lines) {
    if (line.kind == "column") {
      sources.push_back(functions::bind_sql(line.sql, number));
      table.schema.push_back({line.name, sources.back()->type});
    }
  }
  expression::Evaluator evaluator(sources);
  for (int64_t batch = 0; batch < kBatches; ++batch) {
    ColumnBuilder builder(number[0].type);
    for (int64_t row = 0; row < kTargetBatchRows; ++row) {
      builder.append(batch * kTargetBatchRows + row);
    }
    table.batches.emplace_back(kTargetBatchRows,
                               evaluate(evaluator, Batch(kTargetBatchRows, {builder.finish()})));
  }
  return table;
}

int64_t count_valid(const Column& column) {
  if (!column.may_have_nulls()) {
    return column.size();
  }
  int64_t count = 0;
  for (int32_t row = 0; row < column.size(); ++row) {
    count += column.is_null(row) ? 0 : 1;
  }
  return count;
}

struct Measured {
  double seconds_per_row = 1e9;
  int64_t valid = 0;
};

Measured measure(const Table& table, const expression::ExpressionPtr& expression) {
  expression::Evaluator evaluator({expression});
  Measured measured;
  for (int run = 0; run < kRuns; ++run) {
    const double start = cpu_seconds();
    int64_t rows = 0;
    double taken = 0;
    while (taken < kLeastSeconds / kRuns) {
      measured.valid = 0;
      for (const Batch& batch : table.batches) {
        measured.valid += count_valid(*evaluate(evaluator, batch)[0]);
        rows += batch.row_count();
      }
      taken = cpu_seconds() - start;
    }
    measured.seconds_per_row =
        std::min(measured.seconds_per_row, taken / static_cast<double>(rows));
  }
  return measured;
}

void run(const char* path) {
  const std::vector<Line> lines = read_lines(path);
  const Table table = make_table(lines);
  const Measured reading = measure(table, expression::make_column({0}, table.schema[0].type));
  for (const Line& line : lines) {
    if (line.kind == "case") {
      const Measured whole = measure(table, functions::bind_sql(line.sql, table.schema));
      const double net = std::max(whole.seconds_per_row - reading.seconds_per_row, 1e-11);
      std::printf(
          "%s\t%.0f\t%lld\n", line.name.c_str(), 1 / net, static_cast<long long>(whole.valid));
    }
  }
}

}  // namespace

}  // namespace thalweg

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: expression_lane FILE\n");
    return 2;
  }
  try {
    thalweg::run(argv[1]);
  } catch (const thalweg::Error& error) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    return 1;
  }
  return 0;
}
