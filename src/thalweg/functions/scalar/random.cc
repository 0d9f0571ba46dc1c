// RAND, RAND_INTEGER, UUID.
#include <random>

#include "thalweg/expression/row_kernel.h"
#include "thalweg/functions/scalar/java_random.h"
#include "thalweg/functions/signature.h"

namespace thalweg::functions {

using expression::EvaluationContext;
using expression::FunctionRegistry;
using expression::RowErrors;
using expression::ScalarFunction;
using expression::ScalarKernel;

namespace {

uint64_t fresh_seed() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32U | device();
}

/// A sequence for each task, as Flink's generated code has one Random for each call in the query.
template <typename T, typename Next>
class RandomKernel final : public ScalarKernel {
 public:
  RandomKernel(DataType type, bool has_seed, size_t bound, Next next)
      : type_(std::move(type)), has_seed_(has_seed), bound_(bound), next_(next) {}

  ColumnPtr evaluate(std::span<const ColumnPtr> arguments,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors&) override {
    if (!random_ && rows > 0) {
      const bool seeded = has_seed_ && !arguments[0]->is_null(0);
      random_.emplace(seeded ? static_cast<uint64_t>(int64_t{arguments[0]->at<int32_t>(0)})
                             : fresh_seed());
    }
    auto result = Column::make(type_, rows);
    for (int32_t row = 0; row < rows; ++row) {
      const int32_t bound = bound_ < arguments.size() ? arguments[bound_]->at<int32_t>(row) : 0;
      if (bound_ < arguments.size() && arguments[bound_]->is_null(row)) {
        result->set_null(row);
      } else {
        result->template mutable_values<T>()[static_cast<size_t>(row)] = next_(*random_, bound);
      }
    }
    return result;
  }

 private:
  DataType type_;
  bool has_seed_;
  size_t bound_;
  Next next_;
  std::optional<JavaRandom> random_;
};

constexpr size_t kNoBound = 9;

ScalarFunction rand_function() {
  ScalarFunction function;
  function.names = {"RAND"};
  function.forms = "'RAND([<INTEGER> seed])'";
  function.description = "A number from 0 up to, not including, 1; the same sequence for one seed.";
  function.is_deterministic = false;
  function.bind = strict({{}, {DataType::integer()}}, DataType::float64());
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto next = [](JavaRandom& random, int32_t) { return random.next_double(); };
    return std::make_unique<RandomKernel<double, decltype(next)>>(
        signature.result, !signature.arguments.empty(), kNoBound, next);
  };
  return function;
}

ScalarFunction rand_integer_function() {
  ScalarFunction function;
  function.names = {"RAND_INTEGER"};
  function.forms = "'RAND_INTEGER([<INTEGER> seed, ]<INTEGER> bound)'";
  function.description =
      "A whole number from 0 up to, not including, the bound; the same sequence for one seed.";
  function.is_deterministic = false;
  function.bind = strict({{DataType::integer()}, {DataType::integer()}}, DataType::integer());
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    const auto next = [](JavaRandom& random, int32_t bound) {
      return bound > 0 ? random.next_int(bound) : 0;
    };
    const size_t count = signature.arguments.size();
    return std::make_unique<RandomKernel<int32_t, decltype(next)>>(
        signature.result, count == 2, count - 1, next);
  };
  return function;
}

class UuidKernel final : public ScalarKernel {
 public:
  explicit UuidKernel(DataType type) : type_(std::move(type)), random_(fresh_seed()) {}

  ColumnPtr evaluate(std::span<const ColumnPtr>,
                     int32_t rows,
                     const EvaluationContext&,
                     RowErrors&) override {
    auto result = Column::make(type_, rows);
    for (int32_t row = 0; row < rows; ++row) {
      // Version 4, variant 1.
      const uint64_t high = (random_() & ~uint64_t{0xF000}) | 0x4000U;
      const uint64_t low = (random_() >> 2U) | uint64_t{1} << 63U;
      const std::string text = fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
                                           high >> 32U,
                                           high >> 16U & 0xFFFFU,
                                           high & 0xFFFFU,
                                           low >> 48U,
                                           low & 0xFFFFFFFFFFFFU);
      result->mutable_values<StringView>()[static_cast<size_t>(row)] = result->heap().add(text);
    }
    return result;
  }

 private:
  DataType type_;
  std::mt19937_64 random_;
};

ScalarFunction uuid_function() {
  ScalarFunction function;
  function.names = {"UUID"};
  function.forms = "'UUID()'";
  function.description = "A random UUID of version 4.";
  function.is_deterministic = false;
  function.bind = strict({}, DataType::character(36));
  function.make_kernel = [](const Signature& signature, std::span<const BoundArgument>) {
    return std::make_unique<UuidKernel>(signature.result);
  };
  return function;
}

}  // namespace

void add_random(FunctionRegistry& registry) {
  registry.add(rand_function());
  registry.add(rand_integer_function());
  registry.add(uuid_function());
}

}  // namespace thalweg::functions
