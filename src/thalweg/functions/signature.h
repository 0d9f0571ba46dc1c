#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "thalweg/expression/function_registry.h"
#include "thalweg/expression/scalar_function.h"

/// Short ways to say which arguments a function takes and what it returns.
namespace thalweg::functions {

using expression::BoundArgument;
using expression::NoMatch;
using expression::Signature;
using Bind = expression::ScalarFunction::Bind;
using Bound = std::variant<Signature, NoMatch>;

/// Sets of types of which any is taken as it is.
enum class Family : uint8_t {
  kAny,
  kNumeric,
  kExact,
  kInteger,
  kText,
  kBytes,
  kBoolean,
  /// DATE, TIMESTAMP and TIMESTAMP_LTZ.
  kDatetime,
  kTimestamp,
  kDate,
  kTime,
  kInterval,
  kArray,
  kMap,
};

/// What one argument may be: a family, or a type that it is implicitly cast to.
using Parameter = std::variant<Family, DataType>;

bool is_in(Family family, const DataType& type);

struct Parameters {
  std::vector<Parameter> fixed;
  std::vector<Parameter> optional = {};
  /// Any number of further arguments.
  std::vector<Parameter> repeated = {};
};

/// The types that the arguments are cast to; nullopt when they do not fit. An untyped NULL becomes
/// the parameter's own type.
std::optional<std::vector<DataType>> match(const Parameters& parameters,
                                           std::span<const BoundArgument> arguments);

/// NoMatch with Flink's words when the number of arguments is wrong, without a reason otherwise.
NoMatch mismatch(const Parameters& parameters, size_t given);

/// The result is `type`, NULL when any argument is NULL.
Bind strict(Parameters parameters, DataType type);
/// The result may be NULL whatever the arguments.
Bind nullable(Parameters parameters, DataType type);
/// The result's type is that of argument `index`, NULL when any argument is NULL.
Bind strict_like(Parameters parameters, size_t index = 0);
/// The first that takes the arguments.
Bind any_of(std::vector<Bind> binds);

/// Calcite's refusal of an untyped NULL, where Flink keeps Calcite's own function; nullopt when no
/// argument is one.
std::optional<NoMatch> refuse_null_literal(std::span<const BoundArgument> arguments);

bool any_nullable(std::span<const BoundArgument> arguments);

/// The literal of argument `index`, when it is a text literal.
std::optional<std::string> literal_text(std::span<const BoundArgument> arguments, size_t index);
/// The literal of argument `index`, when it is an integer literal.
std::optional<int64_t> literal_integer(std::span<const BoundArgument> arguments, size_t index);

}  // namespace thalweg::functions
