// COLLECT and APPROX_COUNT_DISTINCT: aggregates that count equal values.
#include "thalweg/functions/aggregate/object_kernel.h"
#include "thalweg/functions/aggregate/ordered_counts.h"
#include "thalweg/functions/aggregate/value_codec.h"
#include "thalweg/functions/signature.h"
#include "thalweg/types/java_map_order.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::FunctionRegistry;

namespace {

/// Values in encoded form, ordered by it.
struct CountsPolicy {
  using Object = OrderedCounts<std::string>;

  bool skips(std::span<const ColumnPtr> arguments, int32_t row) const {
    return arguments[0]->is_null(row);
  }

  static int64_t count(Object& object,
                       std::span<const ColumnPtr> arguments,
                       int32_t row,
                       int64_t step) {
    std::string bytes;
    encode_value(bytes, *arguments[0], row);
    return object.add(bytes, step);
  }

  int64_t add(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return count(object, arguments, row, 1);
  }

  int64_t remove(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return count(object, arguments, row, -1);
  }

  int64_t merge(Object& into, const Object& from) const {
    int64_t bytes = 0;
    for (const auto& [value, number] : from.counts()) {
      bytes += into.add(value, number);
    }
    return bytes;
  }
};

struct CollectPolicy : CountsPolicy {
  /// In the order of the map that Flink collects them in, which programs see.
  void append(const Object* object, ColumnBuilder& results) const {
    if (object != nullptr) {
      ColumnBuilder unordered(results.type());
      for (const auto& [value, number] : object->counts()) {
        if (number > 0) {
          std::string_view bytes = value;
          decode_value(bytes, unordered.child(0));
          unordered.child(1).append(static_cast<int32_t>(number));
        }
      }
      unordered.append_list();
      const ColumnPtr map = unordered.finish();
      for (const int32_t entry : flink_map_order(*map, 0)) {
        results.child(0).append_from(*map->child(0), entry);
        results.child(1).append_from(*map->child(1), entry);
      }
    }
    results.append_list();
  }
};

/// Exact, where Flink estimates.
struct CountDistinctPolicy : CountsPolicy {
  void append(const Object* object, ColumnBuilder& results) const {
    int64_t distinct = 0;
    if (object != nullptr) {
      for (const auto& entry : object->counts()) {
        distinct += entry.second > 0 ? 1 : 0;
      }
    }
    results.append(distinct);
  }
};

Bind one_argument(DataType (*result)(const DataType&)) {
  return [result](std::span<const BoundArgument> arguments) -> Bound {
    if (arguments.size() != 1) {
      return mismatch({{Family::kAny}}, arguments.size());
    }
    return Signature{{arguments[0].type}, result(arguments[0].type)};
  };
}

}  // namespace

void add_collect(FunctionRegistry& registry) {
  AggregateFunction collect;
  collect.names = {"COLLECT"};
  collect.forms = "'COLLECT(<ANY>)'";
  collect.description = "All values that are not NULL, with how often each comes, as a multiset.";
  collect.bind = one_argument([](const DataType& type) {
    return DataType::multiset(type.with_time_attribute(TimeAttribute::kNone).not_null()).not_null();
  });
  collect.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(CollectPolicy{});
  };
  registry.add(std::move(collect));
  AggregateFunction distinct;
  distinct.names = {"APPROX_COUNT_DISTINCT"};
  distinct.forms = "'APPROX_COUNT_DISTINCT(<ANY>)'";
  distinct.description = "How many different values there are (here exactly).";
  distinct.bind = one_argument([](const DataType&) { return DataType::big_int().not_null(); });
  distinct.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(CountDistinctPolicy{});
  };
  registry.add(std::move(distinct));
}

}  // namespace thalweg::functions
