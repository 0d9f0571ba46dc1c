#pragma once

#include "thalweg/expression/aggregate_function.h"

/// Aggregates whose accumulator is one StateObject.
namespace thalweg::functions {

/// Policy: `Object`, `add(object, arguments, row) -> bytes gained`, `remove(...)` likewise where
/// rows can be taken back, `merge(into, from)` likewise, `append(const Object*, builder)` (null: no
/// rows yet), and `skips(arguments, row)` for rows that do not count.
template <typename Policy>
class ObjectKernel final : public expression::AggregateKernel {
 public:
  explicit ObjectKernel(Policy policy) : policy_(std::move(policy)) {}

  std::vector<stream::StateField> accumulator() const override {
    return {{"values", DataType::bytes().not_null(), Object::kind()}};
  }

  bool supports_retract() const override { return kRetracts; }

  void accumulate(const expression::AggregateInput& input,
                  const expression::Accumulators& accumulators) const override {
    for (size_t i = 0; i < input.rows.size(); ++i) {
      if (!policy_.skips(input.arguments, input.rows[i])) {
        accumulators.memory.object_resized(
            policy_.add(writable(accumulators, i), input.arguments, input.rows[i]));
      }
    }
  }

  void retract(const expression::AggregateInput& input,
               const expression::Accumulators& accumulators) const override {
    if constexpr (kRetracts) {
      for (size_t i = 0; i < input.rows.size(); ++i) {
        if (!policy_.skips(input.arguments, input.rows[i])) {
          accumulators.memory.object_resized(
              policy_.remove(writable(accumulators, i), input.arguments, input.rows[i]));
        }
      }
    } else {
      AggregateKernel::retract(input, accumulators);
    }
  }

  void merge(const expression::Accumulators& into,
             const expression::Accumulators& from) const override {
    for (size_t i = 0; i < into.records.size(); ++i) {
      if (const Object* object = readable(from, i)) {
        into.memory.object_resized(policy_.merge(writable(into, i), *object));
      }
    }
  }

  void append_results(const expression::Accumulators& accumulators,
                      ColumnBuilder& results) const override {
    for (size_t i = 0; i < accumulators.records.size(); ++i) {
      policy_.append(readable(accumulators, i), results);
    }
  }

 private:
  using Object = typename Policy::Object;

  static constexpr bool kRetracts =
      requires(const Policy& policy, Object& object, std::span<const ColumnPtr> arguments) {
        policy.remove(object, arguments, 0);
      };

  static std::byte* place(const expression::Accumulators& accumulators, size_t i) {
    return accumulators.records[i] + accumulators.offsets[0];
  }

  static Object& writable(const expression::Accumulators& accumulators, size_t i) {
    return static_cast<Object&>(
        accumulators.memory.writable_object(place(accumulators, i), *Object::kind()));
  }

  static const Object* readable(const expression::Accumulators& accumulators, size_t i) {
    return static_cast<const Object*>(accumulators.memory.object(place(accumulators, i)));
  }

  Policy policy_;
};

template <typename Policy>
std::unique_ptr<expression::AggregateKernel> object_kernel(Policy policy) {
  return std::make_unique<ObjectKernel<Policy>>(std::move(policy));
}

}  // namespace thalweg::functions
