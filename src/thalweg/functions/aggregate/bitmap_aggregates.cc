// Aggregates of bitmaps: BITMAP_BUILD_AGG, BITMAP_AND_AGG and so on, and those that give only how
// many values there are.
#include "thalweg/common/check.h"
#include "thalweg/functions/aggregate/bitmap_state.h"
#include "thalweg/functions/aggregate/object_kernel.h"
#include "thalweg/functions/bitmap/bitmap_signature.h"
#include "thalweg/types/bitmap_format.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::AggregateKernel;
using expression::FunctionRegistry;

namespace {

enum class Combines : uint8_t { kNumbers, kAnd, kOr, kXor };

struct BitmapPolicy {
  Combines combines;
  bool gives_cardinality;

  bool skips(std::span<const ColumnPtr> arguments, int32_t row) const {
    return arguments[0]->is_null(row);
  }

  BitmapOperation operation() const {
    switch (combines) {
      case Combines::kAnd:
        return BitmapOperation::kAnd;
      case Combines::kXor:
        return BitmapOperation::kXor;
      case Combines::kNumbers:
      case Combines::kOr:
        return BitmapOperation::kOr;
    }
    unreachable("aggregate of bitmaps");
  }

  void append_result(const Bitmap& bitmap, ColumnBuilder& results) const {
    if (gives_cardinality) {
      results.append(bitmap.cardinality());
    } else {
      results.append_string(bitmap.serialize());
    }
  }
};

struct AppendOnlyPolicy : BitmapPolicy {
  using Object = BitmapState;

  int64_t add(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    if (combines == Combines::kNumbers) {
      return object.add(static_cast<uint32_t>(arguments[0]->at<int32_t>(row)));
    }
    return object.combine(operation(), Bitmap(arguments[0]->string_at(row)), 1);
  }

  int64_t merge(Object& into, const Object& from) const {
    return from.rows() == 0 ? 0 : into.combine(operation(), from.set(), from.rows());
  }

  void append(const Object* object, ColumnBuilder& results) const {
    if (object == nullptr || object->rows() <= 0) {
      results.append_null();
    } else {
      append_result(object->set(), results);
    }
  }
};

/// What XOR put in, XOR takes out.
struct XorPolicy : AppendOnlyPolicy {
  int64_t remove(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return object.combine(BitmapOperation::kXor, Bitmap(arguments[0]->string_at(row)), -1);
  }

  int64_t merge(Object& into, const Object& from) const {
    return into.combine(BitmapOperation::kXor, from.set(), from.rows());
  }
};

struct CountingPolicy : BitmapPolicy {
  using Object = BitmapCounts;

  int64_t count(Object& object,
                std::span<const ColumnPtr> arguments,
                int32_t row,
                int64_t step) const {
    object.add_rows(step);
    const Column& column = *arguments[0];
    if (combines == Combines::kNumbers) {
      return object.count(static_cast<uint32_t>(column.at<int32_t>(row)), step);
    }
    int64_t gained = 0;
    bitmap::visit_runs(column.string_at(row), [&](uint32_t first, uint32_t last) {
      for (uint64_t value = first; value <= last; ++value) {
        gained += object.count(static_cast<uint32_t>(value), step);
      }
      return true;
    });
    return gained;
  }

  int64_t add(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return count(object, arguments, row, 1);
  }

  int64_t remove(Object& object, std::span<const ColumnPtr> arguments, int32_t row) const {
    return count(object, arguments, row, -1);
  }

  int64_t merge(Object& into, const Object& from) const { return into.merge(from); }

  /// Numbers are judged by what is there: one may have been taken back before another came.
  bool has_result(const Object* object) const {
    return object != nullptr &&
           (combines == Combines::kNumbers ? !object->present().is_empty() : object->rows() > 0);
  }

  void append(const Object* object, ColumnBuilder& results) const {
    if (!has_result(object)) {
      results.append_null();
    } else if (combines == Combines::kAnd) {
      append_result(object->in_all_rows(), results);
    } else {
      append_result(object->present(), results);
    }
  }
};

std::unique_ptr<AggregateKernel> make_kernel(const BitmapPolicy& policy, bool needs_retract) {
  if (policy.combines == Combines::kXor) {
    return object_kernel(XorPolicy{{policy}});
  }
  if (needs_retract) {
    return object_kernel(CountingPolicy{policy});
  }
  return object_kernel(AppendOnlyPolicy{policy});
}

AggregateFunction aggregate(std::string name, BitmapPolicy policy, std::string description) {
  const bool of_numbers = policy.combines == Combines::kNumbers;
  AggregateFunction function;
  function.forms = fmt::format("'{}(<{}>)'", name, of_numbers ? "INT" : "BITMAP");
  function.names = {std::move(name)};
  function.description = std::move(description);
  const DataType result = policy.gives_cardinality ? DataType::big_int() : DataType::bitmap();
  function.bind = of_numbers ? nullable({{DataType::integer()}}, result)
                             : taking_bitmaps(nullable({{DataType::bitmap()}}, result));
  function.make_kernel = [policy](
                             const Signature&, std::span<const BoundArgument>, bool needs_retract) {
    return make_kernel(policy, needs_retract);
  };
  return function;
}

}  // namespace

void add_bitmap_aggregates(FunctionRegistry& registry) {
  struct Kind {
    std::string name;
    Combines combines;
    std::string values;
  };

  const std::vector<Kind> kinds = {
      {"BUILD",
       Combines::kNumbers,
       "all numbers, a negative one as the unsigned one with its bits"},
      {"AND", Combines::kAnd, "the values that all bitmaps have"},
      {"OR", Combines::kOr, "the values that any bitmap has"},
      {"XOR", Combines::kXor, "the values that an odd number of bitmaps have"},
  };
  for (const Kind& kind : kinds) {
    registry.add(aggregate(fmt::format("BITMAP_{}_AGG", kind.name),
                           {kind.combines, false},
                           fmt::format("A bitmap of {}; NULL when there are none.", kind.values)));
    registry.add(aggregate(
        fmt::format("BITMAP_{}_CARDINALITY_AGG", kind.name),
        {kind.combines, true},
        fmt::format("How many values BITMAP_{}_AGG has; NULL where it is NULL.", kind.name)));
  }
}

}  // namespace thalweg::functions
