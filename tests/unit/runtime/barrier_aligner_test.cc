#include "thalweg/runtime/barrier_aligner.h"

#include <doctest/doctest.h>

namespace thalweg::runtime {

namespace {

Barrier barrier(uint64_t checkpoint) {
  return {.checkpoint = {checkpoint}};
}

}  // namespace

TEST_CASE("a barrier is passed when it has come on all channels that are open") {
  BarrierAligner aligner(3);
  CHECK(aligner.on_barrier(0, barrier(1)).blocks);
  CHECK_FALSE(aligner.on_closed(2).complete);
  const BarrierAligner::Decision last = aligner.on_barrier(1, barrier(1));
  REQUIRE(last.complete);
  CHECK(last.complete->checkpoint == CheckpointId{1});
}

TEST_CASE(
    "a checkpoint that is given up lets its channels go on, and its late barriers block none") {
  BarrierAligner aligner(2);
  CHECK(aligner.on_barrier(0, barrier(1)).blocks);
  CHECK(aligner.on_aborted({1}).unblocks_first);
  // The other sender was told later, so its barrier is still on the way.
  CHECK_FALSE(aligner.on_barrier(1, barrier(1)).blocks);
  // The task may be told before any barrier has come.
  CHECK_FALSE(aligner.on_aborted({2}).unblocks_first);
  CHECK_FALSE(aligner.on_barrier(0, barrier(2)).blocks);
  CHECK(aligner.on_barrier(0, barrier(3)).blocks);
  CHECK(aligner.on_barrier(1, barrier(3)).complete);
}

TEST_CASE("a newer barrier takes the place of one that some channel lacks") {
  BarrierAligner aligner(2);
  CHECK(aligner.on_barrier(0, barrier(1)).blocks);
  const BarrierAligner::Decision newer = aligner.on_barrier(1, barrier(2));
  CHECK(newer.unblocks_first);
  CHECK(newer.blocks);
  CHECK(aligner.on_barrier(0, barrier(2)).complete);
}

}  // namespace thalweg::runtime
