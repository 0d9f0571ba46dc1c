// ROW_NUMBER, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST, NTILE.
#include "thalweg/common/check.h"
#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/aggregate/value_codec.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;
using expression::PartitionKernel;
using expression::PartitionRows;

namespace {

/// Counts the rows.
class RowNumberKernel final : public AggregateKernel {
 public:
  std::vector<stream::StateField> accumulator() const override {
    return {{"number", DataType::big_int().not_null()}};
  }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    for (size_t i = 0; i < input.rows.size(); ++i) {
      store_field(accumulators.records[i], accumulators.offsets[0], number(accumulators, i) + 1);
    }
  }

  void merge(const Accumulators& into, const Accumulators& from) const override {
    for (size_t i = 0; i < into.records.size(); ++i) {
      store_field(into.records[i], into.offsets[0], number(into, i) + number(from, i));
    }
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    for (size_t i = 0; i < accumulators.records.size(); ++i) {
      results.append(number(accumulators, i));
    }
  }

 private:
  static int64_t number(const Accumulators& accumulators, size_t i) {
    return load_field<int64_t>(accumulators.records[i], accumulators.offsets[0]);
  }
};

/// RANK and DENSE_RANK of rows that come in the window's order, whose columns are the arguments.
class RankKernel final : public AggregateKernel {
 public:
  explicit RankKernel(bool is_dense) : is_dense_(is_dense) {}

  std::vector<stream::StateField> accumulator() const override {
    return {{"rank", DataType::big_int().not_null()},
            {"rows", DataType::big_int().not_null()},
            {"last", DataType::bytes().not_null()}};
  }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    std::string values;
    for (size_t i = 0; i < input.rows.size(); ++i) {
      std::byte* record = accumulators.records[i];
      std::byte* last = record + accumulators.offsets[2];
      values.clear();
      for (const ColumnPtr& column : input.arguments) {
        encode_value(values, *column, input.rows[i]);
      }
      const auto rank = load_field<int64_t>(record, accumulators.offsets[0]);
      const auto rows = load_field<int64_t>(record, accumulators.offsets[1]) + 1;
      store_field(record, accumulators.offsets[1], rows);
      if (rows == 1 || reinterpret_cast<const StringView*>(last)->view() != values) {
        accumulators.memory.assign_string(last, values);
        store_field(record, accumulators.offsets[0], is_dense_ ? rank + 1 : rows);
      }
    }
  }

  void merge(const Accumulators& /*into*/, const Accumulators& /*from*/) const override {
    unreachable("ranks of two orders were to be merged");
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    for (std::byte* record : accumulators.records) {
      results.append(load_field<int64_t>(record, accumulators.offsets[0]));
    }
  }

 private:
  bool is_dense_;
};

/// Where a row stands in its partition, counted from 0.
struct Place {
  int64_t row = 0;
  /// Its peers are rows [first_peer, end_of_peers), and the groups of peers are counted too.
  int64_t first_peer = 0;
  int64_t end_of_peers = 0;
  int64_t group = 0;
  int64_t rows = 0;
};

/// A function of a row's place: `value(partition, place)`.
template <typename Function>
class PlaceKernel final : public PartitionKernel {
 public:
  explicit PlaceKernel(Function value) : value_(std::move(value)) {}

  void append_results(const PartitionRows& rows, ColumnBuilder& results) const override {
    Place place;
    place.rows = rows.end - rows.begin;
    while (place.first_peer < place.rows) {
      place.end_of_peers = place.first_peer + 1;
      while (place.end_of_peers < place.rows &&
             rows.starts_peers[static_cast<size_t>(place.end_of_peers)] == 0) {
        ++place.end_of_peers;
      }
      for (; place.row < place.end_of_peers; ++place.row) {
        results.append(value_(rows, place));
      }
      place.first_peer = place.end_of_peers;
      ++place.group;
    }
  }

 private:
  Function value_;
};

template <typename Function>
AggregateFunction::MakePartitionKernel by_place(Function value) {
  return [value](const Signature&, std::span<const BoundArgument>) {
    return std::make_unique<PlaceKernel<Function>>(value);
  };
}

double percent_rank(const PartitionRows& /*rows*/, const Place& place) {
  return place.rows == 1
             ? 0
             : static_cast<double>(place.first_peer) / static_cast<double>(place.rows - 1);
}

double cume_dist(const PartitionRows& /*rows*/, const Place& place) {
  return static_cast<double>(place.end_of_peers) / static_cast<double>(place.rows);
}

/// The first tiles get one row more where the rows can't be shared out evenly.
int64_t ntile(const PartitionRows& rows, const Place& place) {
  const auto tiles = rows.arguments[0]->at<int64_t>(rows.begin);
  const int64_t least = place.rows / tiles;
  const int64_t larger_tiles = place.rows % tiles;
  const int64_t rows_in_larger = larger_tiles * (least + 1);
  return place.row < rows_in_larger ? place.row / (least + 1) + 1
                                    : larger_tiles + (place.row - rows_in_larger) / least + 1;
}

Bound bind_ntile(std::span<const BoundArgument> arguments) {
  const Parameters parameters{{DataType::big_int()}};
  auto types = match(parameters, arguments);
  if (!types) {
    return mismatch(parameters, arguments.size());
  }
  if (!arguments[0].literal.has_value()) {
    return NoMatch{"Argument to function '{}' must be a literal"};
  }
  if (literal_integer(arguments, 0).value_or(0) < 1) {
    return NoMatch{"Argument to function '{}' must be a positive integer literal"};
  }
  return Signature{std::move(*types), DataType::big_int().not_null()};
}

AggregateFunction over_function(std::string name, std::string description, std::string example) {
  AggregateFunction function;
  function.forms = fmt::format("'{}()'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.examples = {std::move(example)};
  function.is_over_only = true;
  return function;
}

AggregateFunction rank_function(std::string name,
                                std::string description,
                                std::string example,
                                bool is_dense) {
  AggregateFunction function =
      over_function(std::move(name), std::move(description), std::move(example));
  function.takes_order = true;
  function.bind = strict({}, DataType::big_int());
  function.make_kernel = [is_dense](const Signature&, std::span<const BoundArgument>, bool) {
    return std::make_unique<RankKernel>(is_dense);
  };
  function.make_partition_kernel = by_place([is_dense](const PartitionRows&, const Place& place) {
    return (is_dense ? place.group : place.first_peer) + 1;
  });
  return function;
}

}  // namespace

void add_ranking(FunctionRegistry& registry) {
  AggregateFunction row_number =
      over_function("ROW_NUMBER",
                    "The number of the row in its window's order, from 1.",
                    "ROW_NUMBER() OVER (ORDER BY x) for x of 5, 7, 7, 9 -> 1, 2, 3, 4");
  row_number.bind = strict({}, DataType::big_int());
  row_number.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return std::make_unique<RowNumberKernel>();
  };
  row_number.make_partition_kernel =
      by_place([](const PartitionRows&, const Place& place) { return place.row + 1; });
  registry.add(std::move(row_number));
  registry.add(rank_function("RANK",
                             "One more than the number of rows before the row and its peers.",
                             "RANK() OVER (ORDER BY x) for x of 5, 7, 7, 9 -> 1, 2, 2, 4",
                             false));
  registry.add(
      rank_function("DENSE_RANK",
                    "One more than the number of different places in the order before the row.",
                    "DENSE_RANK() OVER (ORDER BY x) for x of 5, 7, 7, 9 -> 1, 2, 2, 3",
                    true));
  AggregateFunction percent = over_function(
      "PERCENT_RANK",
      "The rank, from 0 for the first row to 1 for a last without peers; 0 for a row alone.",
      "PERCENT_RANK() OVER (ORDER BY x) for x of 5, 7, 7, 9, 9 -> 0.0, 0.25, 0.25, 0.75, 0.75");
  percent.bind = strict({}, DataType::float64());
  percent.make_partition_kernel = by_place(percent_rank);
  registry.add(std::move(percent));
  AggregateFunction cumulative =
      over_function("CUME_DIST",
                    "The share of the rows that stand before the row or are its peers.",
                    "CUME_DIST() OVER (ORDER BY x) for x of 5, 7, 7, 9 -> 0.25, 0.75, 0.75, 1.0");
  cumulative.bind = strict({}, DataType::float64());
  cumulative.make_partition_kernel = by_place(cume_dist);
  registry.add(std::move(cumulative));
  AggregateFunction tiles =
      over_function("NTILE",
                    "The rows in so many tiles of one size, or of one row more for the first; the "
                    "number of the row's tile, from 1.",
                    "NTILE(2) OVER (ORDER BY x) for x of 5, 7, 7, 8, 9 -> 1, 1, 1, 2, 2");
  tiles.forms = "'NTILE(<INTEGER>)'";
  tiles.bind = bind_ntile;
  tiles.make_partition_kernel = by_place(ntile);
  registry.add(std::move(tiles));
}

}  // namespace thalweg::functions
