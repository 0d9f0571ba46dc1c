#pragma once

#include <optional>
#include <string>

#include "thalweg/types/value.h"

/// Numbers calculated one at a time and without thought of speed: whole numbers and decimals with
/// as many digits as they need, texts digit by digit.
namespace thalweg::functions::differential {

/// A value, or that the row fails.
struct Outcome {
  Value value = {};
  bool fails = false;
  /// Why, where a kernel said so.
  std::string reason = {};

  static Outcome failure(std::string why) { return {{}, true, std::move(why)}; }
};

/// "+", "-", "*", "/", "%" of two values that are not NULL and of type `operands[0]`, or decimals
/// of both types.
Outcome reference_arithmetic(char operation,
                             const Value& left,
                             const Value& right,
                             const DataType& left_type,
                             const DataType& right_type,
                             const DataType& result);

/// A cast between numbers, BOOLEAN and text of a value that is not NULL; nullopt for other types.
std::optional<Outcome> reference_cast(const Value& value,
                                      const DataType& source,
                                      const DataType& target);

}  // namespace thalweg::functions::differential
