#pragma once

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "thalweg/runtime/job.h"

namespace thalweg::simulation {

/// Where a job is made to fail.
struct Fault {
  enum class Kind : uint8_t {
    /// An operator throws at its n-th batch, counted over all subtasks.
    kBatch,
    /// A source's record is bad.
    kSource,
    /// The work at a point of a checkpoint's life throws at the n-th time.
    kPoint,
  };
  Kind kind = Kind::kBatch;
  runtime::HookPoint point = runtime::HookPoint::kBeforeSnapshot;
  int64_t nth = 1;

  std::string to_string() const;
};

/// The faults of one run, each of which strikes once. Called by the job's threads, of which one
/// runs at a time.
class FaultPlan final : public runtime::JobHook {
 public:
  explicit FaultPlan(std::vector<Fault> faults);

  void reached(runtime::HookPoint point, CheckpointId checkpoint) override;
  void batch_seen();

  int64_t struck() const { return struck_; }

 private:
  struct Armed {
    Fault fault;
    std::atomic<int64_t> left;
  };

  void count(Fault::Kind kind, runtime::HookPoint point);

  std::vector<std::unique_ptr<Armed>> armed_;
  std::atomic<int64_t> struck_{0};
};

/// Up to three faults.
std::vector<Fault> draw_faults(std::mt19937_64& random);

}  // namespace thalweg::simulation
