// Random typed expressions over random columns, over whole batches against one row at a time.
//
// usage: expression_differential [EXPRESSIONS [SEED]]
// Expression i belongs to the seed SEED + i. Ends with 1 when one differs; each difference says its
// seed: `expression_differential 1 THAT` repeats it.
#include <cstdio>
#include <cstdlib>

#include "functions/differential/differential.h"

namespace {

constexpr uint64_t kDefaultExpressions = 1'000'000;
constexpr uint64_t kMostDifferences = 20;

}  // namespace

int main(int count, char** arguments) {
  using namespace thalweg::functions::differential;
  const uint64_t expressions =
      count > 1 ? std::strtoull(arguments[1], nullptr, 10) : kDefaultExpressions;
  const uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 0;
  const Catalogue catalogue;
  const Generator generator(catalogue);
  uint64_t differences = 0;
  uint64_t done = 0;
  for (; done < expressions && differences < kMostDifferences; ++done) {
    const std::string difference = check_seed(generator, first + done);
    if (!difference.empty()) {
      ++differences;
      std::printf("%s\n", difference.c_str());
      std::fflush(stdout);
    }
  }
  std::printf("%llu expressions from seed %llu, %llu differ\n",
              static_cast<unsigned long long>(done),
              static_cast<unsigned long long>(first),
              static_cast<unsigned long long>(differences));
  return differences == 0 ? 0 : 1;
}
