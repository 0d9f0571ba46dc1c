// COUNT(*), COUNT(value).
#include <algorithm>

#include "thalweg/functions/aggregate/inline_kernel.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

namespace {

/// Counts rows where no argument is NULL.
class CountKernel final : public AggregateKernel {
 public:
  std::vector<stream::StateField> accumulator() const override {
    return {{"count", DataType::big_int().not_null()}};
  }

  bool supports_retract() const override { return true; }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    add(input, accumulators, 1);
  }

  void retract(const AggregateInput& input, const Accumulators& accumulators) const override {
    add(input, accumulators, -1);
  }

  void merge(const Accumulators& into, const Accumulators& from) const override {
    for (size_t i = 0; i < into.records.size(); ++i) {
      store_field(into.records[i], into.offsets[0], count(into, i) + count(from, i));
    }
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    for (size_t i = 0; i < accumulators.records.size(); ++i) {
      results.append(count(accumulators, i));
    }
  }

  void update_rows(const AggregateInput& input,
                   std::span<const RowKind> kinds,
                   std::span<const uint8_t> counts,
                   const Accumulators& accumulators,
                   ColumnBuilder& before,
                   ColumnBuilder& after) const override {
    const bool all_count = !may_have_nulls(input);
    for (size_t i = 0; i < input.rows.size(); ++i) {
      int64_t value = count(accumulators, i);
      before.append(value);
      if ((counts.empty() || counts[i] != 0) && (all_count || is_counted(input, i))) {
        value += kinds.empty() || is_accumulate(kinds[i]) ? 1 : -1;
        store_field(accumulators.records[i], accumulators.offsets[0], value);
      }
      after.append(value);
    }
  }

 private:
  static int64_t count(const Accumulators& accumulators, size_t i) {
    return load_field<int64_t>(accumulators.records[i], accumulators.offsets[0]);
  }

  static bool may_have_nulls(const AggregateInput& input) {
    return std::any_of(input.arguments.begin(),
                       input.arguments.end(),
                       [](const ColumnPtr& argument) { return argument->may_have_nulls(); });
  }

  static bool is_counted(const AggregateInput& input, size_t i) {
    return std::none_of(
        input.arguments.begin(),
        input.arguments.end(),
        [row = input.rows[i]](const ColumnPtr& argument) { return argument->is_null(row); });
  }

  static void add(const AggregateInput& input, const Accumulators& accumulators, int64_t step) {
    const bool all_count = !may_have_nulls(input);
    for (size_t i = 0; i < input.rows.size(); ++i) {
      if (all_count || is_counted(input, i)) {
        store_field(
            accumulators.records[i], accumulators.offsets[0], count(accumulators, i) + step);
      }
    }
  }
};

}  // namespace

void add_count(FunctionRegistry& registry) {
  AggregateFunction function;
  function.names = {"COUNT"};
  function.forms = "'COUNT(*)'\n'COUNT([DISTINCT] <ANY>)'";
  function.description = "The number of rows, or of rows where the value is not NULL.";
  function.bind = [](std::span<const BoundArgument> arguments) -> Bound {
    Signature signature;
    for (const BoundArgument& argument : arguments) {
      signature.arguments.push_back(argument.type);
    }
    signature.result = DataType::big_int().not_null();
    return signature;
  };
  function.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return std::make_unique<CountKernel>();
  };
  registry.add(std::move(function));
}

}  // namespace thalweg::functions
