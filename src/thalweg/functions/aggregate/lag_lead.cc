// LAG, LEAD.
#include <cstring>
#include <limits>

#include "thalweg/functions/aggregate/object_kernel.h"
#include "thalweg/functions/aggregate/value_codec.h"
#include "thalweg/functions/aggregate/value_sequence.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::AggregateFunction;
using expression::FunctionRegistry;
using expression::PartitionKernel;
using expression::PartitionRows;

namespace {

using Columns = std::span<const ColumnPtr>;

/// How many rows away the value is; nullopt: nowhere, as the offset is NULL.
std::optional<int64_t> offset_at(Columns arguments, int32_t row) {
  if (arguments.size() < 2) {
    return 1;
  }
  if (arguments[1]->is_null(row)) {
    return std::nullopt;
  }
  return arguments[1]->at<int64_t>(row);
}

void append_default(Columns arguments, int32_t row, ColumnBuilder& results) {
  if (arguments.size() < 3) {
    results.append_null();
  } else {
    results.append_from(*arguments[2], row);
  }
}

/// LAG of rows that come in the window's order (Flink's LagAggFunction): the last values, as far
/// back as the last row looked. The sequence's note is that row's offset, then its encoded default.
struct LagPolicy {
  using Object = ValueSequence;

  bool skips(Columns, int32_t) const { return false; }

  int64_t add(ValueSequence& object, Columns arguments, int32_t row) const {
    const int64_t offset = offset_at(arguments, row).value_or(kNowhere);
    if (offset < 0 && offset != kNowhere) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("Offset({}) should be positive.", offset));
    }
    object.note.assign(reinterpret_cast<const char*>(&offset), sizeof(offset));
    if (arguments.size() > 2) {
      encode_value(object.note, *arguments[2], row);
    }
    std::string value;
    encode_value(value, *arguments[0], row);
    int64_t bytes = object.add(std::move(value));
    while (offset != kNowhere && size_of(object) > offset + 1) {
      bytes += object.remove(object.values().front());
    }
    return bytes;
  }

  int64_t merge(ValueSequence& into, const ValueSequence& from) const {
    into.note = from.note;
    int64_t bytes = 0;
    for (const std::string& value : from.values()) {
      bytes += into.add(value);
    }
    return bytes;
  }

  void append(const ValueSequence* object, ColumnBuilder& results) const {
    if (object == nullptr) {
      results.append_null();
      return;
    }
    int64_t offset = 0;
    std::memcpy(&offset, object->note.data(), sizeof(offset));
    std::string_view bytes = object->values().front();
    if (size_of(*object) <= offset) {
      bytes = std::string_view(object->note).substr(sizeof(offset));
    }
    if (offset == kNowhere || bytes.empty()) {
      results.append_null();
    } else {
      decode_value(bytes, results);
    }
  }

 private:
  static constexpr int64_t kNowhere = std::numeric_limits<int64_t>::min();

  static int64_t size_of(const ValueSequence& object) {
    return static_cast<int64_t>(object.values().size());
  }
};

/// LAG and LEAD where the whole partition is there.
class NeighborKernel final : public PartitionKernel {
 public:
  explicit NeighborKernel(int64_t direction) : direction_(direction) {}

  void append_results(const PartitionRows& rows, ColumnBuilder& results) const override {
    for (int32_t row = rows.begin; row < rows.end; ++row) {
      const auto offset = offset_at(rows.arguments, row);
      if (!offset) {
        results.append_null();
        continue;
      }
      const int64_t rows_away = *offset * direction_;
      if (rows_away >= rows.begin - row && rows_away < rows.end - row) {
        results.append_from(*rows.arguments[0], row + static_cast<int32_t>(rows_away));
      } else {
        append_default(rows.arguments, row, results);
      }
    }
  }

 private:
  int64_t direction_;
};

Bound bind_neighbor(std::span<const BoundArgument> arguments) {
  const Parameters parameters{{Family::kAny}, {DataType::big_int(), Family::kAny}};
  auto types = match(parameters, arguments);
  if (!types) {
    return mismatch(parameters, arguments.size());
  }
  const DataType value = types->front().with_time_attribute(TimeAttribute::kNone);
  bool nullable = value.is_nullable() || types->size() < 3;
  if (types->size() == 3) {
    // Flink says NOT NULL where only the default is, and shows NULLs as -1 then.
    nullable = nullable || (*types)[2].is_nullable() || (*types)[1].is_nullable();
    (*types)[2] = value.as_nullable((*types)[2].is_nullable());
  }
  return Signature{std::move(*types), value.as_nullable(nullable)};
}

AggregateFunction neighbor_function(std::string name,
                                    std::string description,
                                    std::vector<std::string> examples,
                                    int64_t direction) {
  AggregateFunction function;
  function.forms = fmt::format("'{}(<ANY>[, <INTEGER> offset[, <ANY> default]])'", name);
  function.names = {std::move(name)};
  function.description = std::move(description);
  function.examples = std::move(examples);
  function.is_over_only = true;
  function.bind = bind_neighbor;
  function.make_partition_kernel = [direction](const Signature&, std::span<const BoundArgument>) {
    return std::make_unique<NeighborKernel>(direction);
  };
  return function;
}

}  // namespace

void add_lag_lead(FunctionRegistry& registry) {
  AggregateFunction lag =
      neighbor_function("LAG",
                        "The value some rows before, one when not given; else the default or NULL.",
                        {"LAG(x) OVER (ORDER BY x) for x of 5, 7, 9 -> NULL, 5, 7",
                         "LAG(x, 2, 0) OVER (ORDER BY x) for x of 5, 7, 9 -> 0, 0, 5"},
                        -1);
  lag.make_kernel = [](const Signature&, std::span<const BoundArgument>, bool) {
    return object_kernel(LagPolicy{});
  };
  registry.add(std::move(lag));
  registry.add(
      neighbor_function("LEAD",
                        "The value some rows behind, one when not given; else the default or NULL.",
                        {"LEAD(x) OVER (ORDER BY x) for x of 5, 7, 9 -> 7, 9, NULL",
                         "LEAD(x, 2, 0) OVER (ORDER BY x) for x of 5, 7, 9 -> 9, 0, 0"},
                        1));
}

}  // namespace thalweg::functions
