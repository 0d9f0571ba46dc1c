#pragma once

#include <algorithm>

#include "thalweg/functions/signature.h"

/// Results of text functions whose length follows from their arguments.
namespace thalweg::functions {

/// The result is a VARCHAR no longer than argument `index`; NULL when any argument is, and always
/// possibly so where `may_be_null`.
inline Bind varying_like(Parameters parameters, size_t index = 0, bool may_be_null = false) {
  return [parameters = std::move(parameters), index, may_be_null](
             std::span<const BoundArgument> arguments) -> Bound {
    auto types = match(parameters, arguments);
    if (!types) {
      return mismatch(parameters, arguments.size());
    }
    const bool any_null = std::any_of(
        types->begin(), types->end(), [](const DataType& type) { return type.is_nullable(); });
    DataType result =
        DataType::varchar((*types)[index].length()).as_nullable(may_be_null || any_null);
    return Signature{std::move(*types), std::move(result)};
  };
}

}  // namespace thalweg::functions
