// Random typed expressions over random columns: whole batches against one row at a time. The
// program expression_differential runs more of them, or one by its seed.
#include "functions/differential/differential.h"

#include <doctest/doctest.h>

namespace thalweg::functions::differential {

TEST_CASE("expressions over batches agree with a row at a time") {
  constexpr uint64_t kExpressions = 15'000;
  const Catalogue catalogue;
  REQUIRE(catalogue.functions().size() > 150);
  const Generator generator(catalogue);
  for (uint64_t seed = 0; seed < kExpressions; ++seed) {
    const std::string difference = check_seed(generator, seed);
    CHECK_MESSAGE(difference.empty(), difference);
  }
}

}  // namespace thalweg::functions::differential
