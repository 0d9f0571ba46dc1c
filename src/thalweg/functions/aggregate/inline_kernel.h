#pragma once

#include <cstring>

#include "thalweg/expression/aggregate_function.h"
#include "thalweg/expression/row_kernel.h"

/// Aggregates whose accumulator lies inline in the record. A policy says what one value does; the
/// loops here call it without virtual calls.
namespace thalweg::functions {

using expression::Accumulators;
using expression::AggregateInput;

template <typename T>
T load_field(const std::byte* record, size_t offset) {
  T value;
  std::memcpy(&value, record + offset, sizeof(T));
  return value;
}

template <typename T>
void store_field(std::byte* record, size_t offset, const T& value) {
  std::memcpy(record + offset, &value, sizeof(T));
}

/// What a policy's operations get: a record and where the fields are in it.
struct Accumulator {
  std::byte* record;
  const size_t* offsets;
  stream::StateMemory& memory;

  template <typename T>
  T get(size_t field) const {
    return load_field<T>(record, offsets[field]);
  }

  template <typename T>
  void set(size_t field, const T& value) const {
    store_field(record, offsets[field], value);
  }

  std::byte* place(size_t field) const { return record + offsets[field]; }
};

/// Policy: `Input` (the argument's C++ type), fields(), add(accumulator, value), subtract(...),
/// merge(into, from), append(accumulator, builder), kRetracts. NULL arguments are skipped.
template <typename Policy>
class InlineKernel final : public expression::AggregateKernel {
 public:
  explicit InlineKernel(Policy policy) : policy_(std::move(policy)) {}

  std::vector<stream::StateField> accumulator() const override { return policy_.fields(); }

  bool supports_retract() const override { return Policy::kRetracts; }

  void accumulate(const AggregateInput& input, const Accumulators& accumulators) const override {
    each_value(input,
               [&](size_t i, const Input& value) { policy_.add(at(accumulators, i), value); });
  }

  void retract(const AggregateInput& input, const Accumulators& accumulators) const override {
    if constexpr (Policy::kRetracts) {
      each_value(input, [&](size_t i, const Input& value) {
        policy_.subtract(at(accumulators, i), value);
      });
    } else {
      AggregateKernel::retract(input, accumulators);
    }
  }

  void merge(const Accumulators& into, const Accumulators& from) const override {
    for (size_t i = 0; i < into.records.size(); ++i) {
      policy_.merge(at(into, i), at(from, i));
    }
  }

  void append_results(const Accumulators& accumulators, ColumnBuilder& results) const override {
    for (size_t i = 0; i < accumulators.records.size(); ++i) {
      policy_.append(at(accumulators, i), results);
    }
  }

  void update_rows(const AggregateInput& input,
                   std::span<const RowKind> kinds,
                   std::span<const uint8_t> counts,
                   const Accumulators& accumulators,
                   ColumnBuilder& before,
                   ColumnBuilder& after) const override {
    const Column& column = *input.arguments[0];
    const expression::Argument<Input> values(column);
    const bool may_have_nulls = column.may_have_nulls();
    for (size_t i = 0; i < input.rows.size(); ++i) {
      const Accumulator accumulator = at(accumulators, i);
      policy_.append(accumulator, before);
      const int32_t row = input.rows[i];
      if ((counts.empty() || counts[i] != 0) && !(may_have_nulls && column.is_null(row))) {
        if (kinds.empty() || is_accumulate(kinds[i])) {
          policy_.add(accumulator, values[row]);
        } else if constexpr (Policy::kRetracts) {
          policy_.subtract(accumulator, values[row]);
        }
      }
      policy_.append(accumulator, after);
    }
  }

 private:
  using Input = typename Policy::Input;

  static Accumulator at(const Accumulators& accumulators, size_t i) {
    return {accumulators.records[i], accumulators.offsets.data(), accumulators.memory};
  }

  template <typename Body>
  static void each_value(const AggregateInput& input, Body body) {
    const Column& column = *input.arguments[0];
    const expression::Argument<Input> values(column);
    if (!column.may_have_nulls()) {
      for (size_t i = 0; i < input.rows.size(); ++i) {
        body(i, values[input.rows[i]]);
      }
      return;
    }
    for (size_t i = 0; i < input.rows.size(); ++i) {
      if (!column.is_null(input.rows[i])) {
        body(i, values[input.rows[i]]);
      }
    }
  }

  Policy policy_;
};

template <typename Policy>
std::unique_ptr<expression::AggregateKernel> inline_kernel(Policy policy) {
  return std::make_unique<InlineKernel<Policy>>(std::move(policy));
}

}  // namespace thalweg::functions
