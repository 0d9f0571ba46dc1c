#include <doctest/doctest.h>

#include "thalweg/common/error.h"
#include "thalweg/common/ids.h"
#include "thalweg/common/memory_budget.h"

namespace thalweg {

TEST_CASE("an error shows its code, the line with a caret, and the way out") {
  const Error error = Error(ErrorCode::kColumnNotFound, "Column 'nope' not found in any table")
                          .at({2, 8, 2, 11})
                          .hint("did you mean 'note'?");
  CHECK(render(error, "SELECT a,\n       nope FROM t") ==
        "Column 'nope' not found in any table [TW-2003]\n"
        "     2 |        nope FROM t\n"
        "                ^^^^\n"
        "  hint: did you mean 'note'?");
  CHECK(describe(error.code()).flink_class == "ValidationException");
}

TEST_CASE("a nested budget charges all its parents or none") {
  MemoryBudget process("process", 100);
  MemoryBudget job("job", 80, &process);
  {
    MemoryBudget state("state", 1000, &job);
    CHECK(state.try_reserve(60));
    CHECK_FALSE(state.try_reserve(30));
    CHECK(job.used_bytes() == 60);
    CHECK_THROWS_WITH_AS(
        state.reserve(30), doctest::Contains("'job' is limited to 80 bytes"), Error);
    CHECK(process.used_bytes() == 60);
  }
  CHECK(process.used_bytes() == 0);
  CHECK(job.peak_bytes() == 60);
}

TEST_CASE("every key group has one owner at any parallelism") {
  for (const int32_t parallelism : {1, 2, 3, 4, 7, 128}) {
    int32_t groups = 0;
    for (int32_t subtask = 0; subtask < parallelism; ++subtask) {
      const KeyGroupRange range = key_groups_of(subtask, parallelism);
      for (uint16_t group = range.begin; group < range.end; ++group) {
        CHECK(subtask_of({group}, parallelism) == subtask);
        ++groups;
      }
    }
    CHECK(groups == kKeyGroups);
  }
}

}  // namespace thalweg
