#pragma once

#include <cstdint>

#include "thalweg/expression/scalar_function.h"

namespace thalweg::expression {

/// How many rows a call should be given, and how long the first of them may wait for the others;
/// 0: not at all.
struct Gathering {
  int32_t rows = 0;
  int64_t wait_ms = 0;
};

/// A kernel whose call alone costs as much as thousands of rows, whatever their number: operators
/// gather rows for it, and give it no more than it asks for.
class GatheringKernel : public ScalarKernel {
 public:
  virtual Gathering gathering() const = 0;
};

}  // namespace thalweg::expression
