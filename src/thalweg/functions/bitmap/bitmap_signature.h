#pragma once

#include "thalweg/functions/signature.h"

namespace thalweg::functions {

/// As `bind`, for a function of bitmaps: Calcite, which has no BITMAP of its own, refuses an
/// untyped NULL for it.
inline Bind taking_bitmaps(Bind bind) {
  return [bind = std::move(bind)](std::span<const BoundArgument> arguments) -> Bound {
    if (auto refused = refuse_null_literal(arguments)) {
      return *refused;
    }
    return bind(arguments);
  };
}

}  // namespace thalweg::functions
