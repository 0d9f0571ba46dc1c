// ROW_NUMBER and LAG, for OVER windows that go on from row to row. Named $ROW_NUMBER and $LAG:
// without OVER they are no functions.
#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/aggregate/object_kernel.h"
#include "thalweg/functions/aggregate/value_codec.h"
#include "thalweg/functions/aggregate/value_sequence.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

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

/// Keeps the last `offset` + 1 values; the default is put before the first ones.
struct LagPolicy {
  using Object = ValueSequence;

  bool skips(std::span<const ColumnPtr>, int32_t) const { return false; }

  int64_t add(ValueSequence& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    const int64_t offset =
        arguments.size() > 1 && !arguments[1]->is_null(row) ? arguments[1]->at<int32_t>(row) : 1;
    std::string value;
    encode_value(value, *arguments[0], row);
    int64_t bytes = 0;
    if (object.values().empty()) {
      std::string missing(1, '\0');  // an encoded NULL
      if (arguments.size() > 2) {
        missing.clear();
        encode_value(missing, *arguments[2], row);
      }
      for (int64_t i = 0; i < offset; ++i) {
        bytes += object.add(missing);
      }
    } else {
      bytes += object.remove(object.values().front());
    }
    return bytes + object.add(std::move(value));
  }

  int64_t remove(ValueSequence&, std::span<const ColumnPtr>, int32_t) const { return 0; }

  int64_t merge(ValueSequence& into, const ValueSequence& from) const {
    int64_t bytes = 0;
    for (const std::string& value : from.values()) {
      bytes += into.add(value);
    }
    return bytes;
  }

  void append(const ValueSequence* object, ColumnBuilder& results) const {
    if (object == nullptr || object->values().empty()) {
      results.append_null();
      return;
    }
    std::string_view bytes = object->values().front();
    decode_value(bytes, results);
  }
};

Bound bind_lag(std::span<const BoundArgument> arguments) {
  const Parameters parameters{{Family::kAny}, {DataType::integer(), Family::kAny}};
  auto types = match(parameters, arguments);
  if (!types) {
    return mismatch(parameters, arguments.size());
  }
  const DataType value = types->front().with_time_attribute(TimeAttribute::kNone);
  if (types->size() == 3) {
    (*types)[2] = value.as_nullable((*types)[2].is_nullable());
  }
  const bool nullable = types->size() < 3 || value.is_nullable() || (*types)[2].is_nullable();
  return Signature{std::move(*types), value.as_nullable(nullable)};
}

}  // namespace

void add_ranking(FunctionRegistry& registry) {
  AggregateFunction row_number;
  row_number.names = {"$ROW_NUMBER"};
  row_number.forms = "'ROW_NUMBER()'";
  row_number.description = "The number of the row in its window's order, from 1.";
  row_number.bind = strict({}, DataType::big_int());
  row_number.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return std::make_unique<RowNumberKernel>();
  };
  registry.add(std::move(row_number));
  AggregateFunction lag;
  lag.names = {"$LAG"};
  lag.forms = "'LAG(<ANY>[, <INTEGER> offset[, <ANY> default]])'";
  lag.description = "The value some rows before, one when not given; else the default or NULL.";
  lag.bind = bind_lag;
  lag.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(LagPolicy{});
  };
  registry.add(std::move(lag));
}

}  // namespace thalweg::functions
