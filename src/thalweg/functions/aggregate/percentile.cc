// PERCENTILE.
#include <cmath>

#include "thalweg/functions/aggregate/object_kernel.h"
#include "thalweg/functions/aggregate/ordered_counts.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/decimal.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::FunctionRegistry;

namespace {

/// The values and the percentages asked for, which come with every row. Owned by a state record.
class PercentileState final : public stream::StateObject {
 public:
  static const std::shared_ptr<const stream::StateObjectKind>& kind();

  OrderedCounts<double> counts;
  std::vector<double> percentages;

  std::unique_ptr<stream::StateObject> clone() const override {
    return std::make_unique<PercentileState>(*this);
  }

  void serialize(std::string& bytes) const override {
    write_item(bytes, static_cast<uint64_t>(percentages.size()));
    for (const double percentage : percentages) {
      write_item(bytes, percentage);
    }
    counts.serialize(bytes);
  }

  static std::unique_ptr<stream::StateObject> restore(std::string_view bytes) {
    auto restored = std::make_unique<PercentileState>();
    const auto size = read_item<uint64_t>(bytes);
    for (uint64_t i = 0; i < size; ++i) {
      restored->percentages.push_back(read_item<double>(bytes));
    }
    const auto values = OrderedCounts<double>::restore(bytes);
    restored->counts = static_cast<const OrderedCounts<double>&>(*values);
    return restored;
  }

  int64_t byte_size() const override { return counts.byte_size(); }

  Value inspect() const override { return counts.inspect(); }
};

const std::shared_ptr<const stream::StateObjectKind>& PercentileState::kind() {
  static const auto made = std::make_shared<const stream::StateObjectKind>(stream::StateObjectKind{
      "percentile", [] { return std::make_unique<PercentileState>(); }, &restore});
  return made;
}

/// The value at position `index` of all values in order.
double value_at(const PercentileState& state, int64_t index) {
  for (const auto& [value, count] : state.counts.counts()) {
    if (index < count) {
      return value;
    }
    index -= count;
  }
  return 0;
}

/// Between two values the result lies between them. Places count from 1, which shows in the last
/// digits.
double percentile_of(const PercentileState& state, double percentage, int64_t total) {
  const double position = percentage * static_cast<double>(total - 1) + 1;
  const auto below = static_cast<int64_t>(std::floor(position));
  const auto above = static_cast<int64_t>(std::ceil(position));
  const double low = value_at(state, below - 1);
  if (below == above) {
    return low;
  }
  const double high = value_at(state, above - 1);
  return (static_cast<double>(above) - position) * low +
         (position - static_cast<double>(below)) * high;
}

struct PercentilePolicy {
  using Object = PercentileState;
  bool is_array;

  bool skips(std::span<const ColumnPtr> arguments, int32_t row) const {
    return arguments[0]->is_null(row);
  }

  int64_t count(Object& object,
                std::span<const ColumnPtr> arguments,
                int32_t row,
                int64_t sign) const {
    if (object.percentages.empty()) {
      const Column& wanted = *arguments[1];
      const int32_t begin = is_array ? wanted.list_begin(row) : row;
      const int32_t end = is_array ? wanted.list_end(row) : row + 1;
      for (int32_t i = begin; i < end; ++i) {
        object.percentages.push_back((is_array ? *wanted.child(0) : wanted).at<double>(i));
      }
    }
    const int64_t times =
        arguments.size() < 3 || arguments[2]->is_null(row) ? 1 : arguments[2]->at<int64_t>(row);
    return times <= 0 ? 0 : object.counts.add(arguments[0]->at<double>(row), sign * times);
  }

  int64_t add(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return count(object, arguments, row, 1);
  }

  int64_t remove(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return count(object, arguments, row, -1);
  }

  int64_t merge(Object& into, const Object& from) const {
    if (into.percentages.empty()) {
      into.percentages = from.percentages;
    }
    int64_t bytes = 0;
    for (const auto& [value, number] : from.counts.counts()) {
      bytes += into.counts.add(value, number);
    }
    return bytes;
  }

  void append(const Object* object, ColumnBuilder& results) const {
    int64_t total = 0;
    if (object != nullptr) {
      for (const auto& entry : object->counts.counts()) {
        total += entry.second;
      }
    }
    if (total <= 0) {
      results.append_null();
      return;
    }
    ColumnBuilder& values = is_array ? results.child(0) : results;
    for (const double percentage : object->percentages) {
      values.append(percentile_of(*object, percentage, total));
    }
    if (is_array) {
      results.append_list();
    }
  }
};

/// What can be NULL is none, and no literal out of range.
bool is_share(const BoundArgument& argument) {
  const DataType& type = argument.type;
  if (type.is_nullable() || (type.kind() == TypeKind::kArray && type.child(0).is_nullable())) {
    return false;
  }
  if (!argument.literal) {
    return true;
  }
  double share = 0;
  if (const auto* whole = std::get_if<int64_t>(&argument.literal->data)) {
    share = static_cast<double>(*whole);
  } else if (const auto* decimal = std::get_if<Int128>(&argument.literal->data)) {
    share = decimal_to_double(*decimal, type.scale());
  } else if (const auto* approximate = std::get_if<double>(&argument.literal->data)) {
    share = *approximate;
  }
  return share >= 0 && share <= 1;
}

}  // namespace

void add_percentile(FunctionRegistry& registry) {
  AggregateFunction function;
  function.names = {"PERCENTILE"};
  function.forms = "'PERCENTILE(<NUMERIC>, <NUMERIC> | <ARRAY<NUMERIC>>[, <INTEGER> frequency])'";
  function.description =
      "The value below which a share of all values lies; of several shares an array.";
  const DataType number = DataType::float64();
  const Bind bind = any_of({nullable({{number, number}, {DataType::big_int()}}, number),
                            nullable({{number, DataType::array(number)}, {DataType::big_int()}},
                                     DataType::array(number))});
  function.bind = [bind](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() > 1 && !is_share(arguments[1])) {
      return NoMatch{"Shares of PERCENTILE are numbers from 0 to 1 and not NULL"};
    }
    return bind(arguments);
  };
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>, bool) {
    return object_kernel(PercentilePolicy{signature.arguments[1].kind() == TypeKind::kArray});
  };
  registry.add(std::move(function));
}

}  // namespace thalweg::functions
