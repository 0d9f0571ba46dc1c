// FIRST_VALUE, LAST_VALUE, LISTAGG, ARRAY_AGG, SINGLE_VALUE: aggregates that keep values in order.
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

using ColumnSpan = std::span<const ColumnPtr>;

std::string encoded(const Column& column, int32_t row) {
  std::string bytes;
  encode_value(bytes, column, row);
  return bytes;
}

/// What the aggregates over a ValueSequence share.
struct SequencePolicy {
  using Object = ValueSequence;
  bool keeps_nulls = false;

  bool skips(ColumnSpan arguments, int32_t row) const {
    return !keeps_nulls && arguments[0]->is_null(row);
  }

  int64_t add(ValueSequence& object, ColumnSpan arguments, int32_t row) const {
    return object.add(encoded(*arguments[0], row));
  }

  int64_t remove(ValueSequence& object, ColumnSpan arguments, int32_t row) const {
    return object.remove(encoded(*arguments[0], row));
  }

  int64_t merge(ValueSequence& into, const ValueSequence& from) const {
    int64_t bytes = 0;
    for (const std::string& value : from.values()) {
      bytes += into.add(value);
    }
    return bytes;
  }
};

/// FIRST_VALUE and LAST_VALUE that can lose rows; NULLs are passed over.
template <bool is_last>
struct RetractableEndPolicy : SequencePolicy {
  void append(const ValueSequence* object, ColumnBuilder& results) const {
    if (object == nullptr || object->values().empty()) {
      results.append_null();
      return;
    }
    std::string_view bytes = is_last ? object->values().back() : object->values().front();
    decode_value(bytes, results);
  }
};

/// The same for rows that stay: one encoded value.
template <bool is_last>
class EndKernel final : public AggregateKernel {
 public:
  std::vector<stream::StateField> accumulator() const override {
    return {{"value", DataType::bytes().not_null()}};
  }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    std::string bytes;
    for (size_t i = 0; i < input.rows.size(); ++i) {
      const Column& column = *input.arguments[0];
      if (!column.is_null(input.rows[i]) && (is_last || kept(accumulators, i).empty())) {
        bytes.clear();
        encode_value(bytes, column, input.rows[i]);
        accumulators.memory.assign_string(place(accumulators, i), bytes);
      }
    }
  }

  void merge(const Accumulators& into, const Accumulators& from) const override {
    for (size_t i = 0; i < into.records.size(); ++i) {
      const std::string_view value = kept(from, i);
      if (!value.empty() && (is_last || kept(into, i).empty())) {
        into.memory.assign_string(place(into, i), value);
      }
    }
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    for (size_t i = 0; i < accumulators.records.size(); ++i) {
      std::string_view bytes = kept(accumulators, i);
      if (bytes.empty()) {
        results.append_null();
      } else {
        decode_value(bytes, results);
      }
    }
  }

 private:
  static std::byte* place(const Accumulators& accumulators, size_t i) {
    return accumulators.records[i] + accumulators.offsets[0];
  }

  static std::string_view kept(const Accumulators& accumulators, size_t i) {
    return reinterpret_cast<const StringView*>(place(accumulators, i))->view();
  }
};

struct ListaggPolicy : SequencePolicy {
  int64_t add(ValueSequence& object, ColumnSpan arguments, int32_t row) const {
    object.note = arguments.size() > 1 ? std::string(arguments[1]->string_at(row)) : ",";
    return object.add(std::string(arguments[0]->string_at(row)));
  }

  int64_t remove(ValueSequence& object, ColumnSpan arguments, int32_t row) const {
    return object.remove(std::string(arguments[0]->string_at(row)));
  }

  int64_t merge(ValueSequence& into, const ValueSequence& from) const {
    into.note = from.note;
    return SequencePolicy::merge(into, from);
  }

  void append(const ValueSequence* object, ColumnBuilder& results) const {
    if (object == nullptr || object->values().empty()) {
      results.append_null();
      return;
    }
    std::string joined;
    for (const std::string& value : object->values()) {
      joined += &value == &object->values().front() ? "" : object->note;
      joined += value;
    }
    results.append_string(joined);
  }
};

struct ArrayAggPolicy : SequencePolicy {
  void append(const ValueSequence* object, ColumnBuilder& results) const {
    if (object == nullptr || object->values().empty()) {
      results.append_null();
      return;
    }
    for (const std::string& value : object->values()) {
      std::string_view bytes = value;
      decode_value(bytes, results.child(0));
    }
    results.append_list();
  }
};

/// The value of a scalar subquery, which must have at most one row.
struct SingleValuePolicy : SequencePolicy {
  void append(const ValueSequence* object, ColumnBuilder& results) const {
    if (object == nullptr || object->values().empty()) {
      results.append_null();
      return;
    }
    if (object->values().size() > 1) {
      throw Error(ErrorCode::kInvalidArgument,
                  "SingleValueAggFunction received more than one element.");
    }
    std::string_view bytes = object->values().front();
    decode_value(bytes, results);
  }
};

AggregateFunction described(std::string name, std::string forms, std::string description) {
  AggregateFunction function;
  function.names = {std::move(name)};
  function.forms = std::move(forms);
  function.description = std::move(description);
  return function;
}

/// One argument of any type; the result is like it, or an array of it.
Bind one_argument(bool array) {
  return [array](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() != 1) {
      return mismatch({{Family::kAny}}, arguments.size());
    }
    const DataType type = arguments[0].type.with_time_attribute(TimeAttribute::kNone);
    return Signature{{arguments[0].type}, array ? DataType::array(type) : type.as_nullable()};
  };
}

template <bool is_last>
AggregateFunction end_function(std::string name, std::string description) {
  AggregateFunction function =
      described(name, fmt::format("'{}(<ANY>)'", name), std::move(description));
  function.bind = one_argument(false);
  function.make_kernel = [](const Signature&,
                            std::span<const BoundArgument>,
                            bool needs_retract) -> std::unique_ptr<AggregateKernel> {
    if (needs_retract) {
      return object_kernel(RetractableEndPolicy<is_last>{});
    }
    return std::make_unique<EndKernel<is_last>>();
  };
  return function;
}

AggregateFunction array_agg(std::string name, bool keeps_nulls) {
  AggregateFunction function =
      described(std::move(name),
                "'ARRAY_AGG(<ANY> [{ RESPECT | IGNORE } NULLS] [ORDER BY ...])'",
                "All values as an array, NULLs too unless they are ignored, in the order in which "
                "they come; ORDER BY changes nothing, as in Flink.");
  function.bind = one_argument(true);
  function.make_kernel = [keeps_nulls](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(ArrayAggPolicy{{keeps_nulls}});
  };
  return function;
}

}  // namespace

void add_sequence_aggregates(FunctionRegistry& registry) {
  registry.add(end_function<false>("FIRST_VALUE", "The first value that is not NULL."));
  registry.add(end_function<true>("LAST_VALUE", "The last value that is not NULL."));
  AggregateFunction listagg = described("LISTAGG",
                                        "'LISTAGG(<CHARACTER>[, <CHARACTER> separator])'",
                                        "All texts with a separator, ',' when not given.");
  listagg.bind = [](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() > 1 && !arguments[1].literal) {
      return NoMatch{"Argument to function '{}' must be a literal"};
    }
    return nullable({{Family::kText}, {Family::kText}}, DataType::string())(arguments);
  };
  listagg.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(ListaggPolicy{});
  };
  registry.add(std::move(listagg));
  registry.add(array_agg("ARRAY_AGG", true));
  registry.add(array_agg("$ARRAY_AGG_IGNORE_NULLS", false));
  AggregateFunction single = described(
      "SINGLE_VALUE", "'SINGLE_VALUE(<ANY>)'", "The only value; more than one are an error.");
  single.bind = one_argument(false);
  single.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(SingleValuePolicy{{true}});
  };
  registry.add(std::move(single));
}

}  // namespace thalweg::functions
