#include "simulation/fault_plan.h"

#include <fmt/format.h>

namespace thalweg::simulation {

namespace {

using runtime::HookPoint;

constexpr const char* kPointNames[] = {"before the snapshot",
                                       "after the snapshot",
                                       "before the manifest",
                                       "after the manifest",
                                       "before the commit",
                                       "after the commit",
                                       "at the start of a task"};

}  // namespace

std::string Fault::to_string() const {
  switch (kind) {
    case Kind::kBatch:
      return fmt::format("at batch {}", nth);
    case Kind::kSource:
      return fmt::format("at record {} of a split", nth);
    case Kind::kPoint:
      break;
  }
  return fmt::format("{}, time {}", kPointNames[static_cast<size_t>(point)], nth);
}

FaultPlan::FaultPlan(std::vector<Fault> faults) {
  for (const Fault& fault : faults) {
    armed_.push_back(std::make_unique<Armed>(fault, fault.nth));
  }
}

void FaultPlan::count(Fault::Kind kind, HookPoint point) {
  for (const auto& one : armed_) {
    if (one->fault.kind == kind && one->fault.point == point && one->left.fetch_sub(1) == 1) {
      ++struck_;
      throw Error(ErrorCode::kIoFailed, "simulated fault " + one->fault.to_string());
    }
  }
}

void FaultPlan::reached(HookPoint point, CheckpointId checkpoint) {
  static_cast<void>(checkpoint);
  count(Fault::Kind::kPoint, point);
}

void FaultPlan::batch_seen() {
  count(Fault::Kind::kBatch, {});
}

std::vector<Fault> draw_faults(std::mt19937_64& random) {
  std::vector<Fault> faults(random() % 4);
  for (Fault& fault : faults) {
    switch (random() % 8) {
      case 0:
      case 1:
        fault.kind = Fault::Kind::kBatch;
        fault.nth = 1 + static_cast<int64_t>(random() % 60);
        break;
      case 2:
        fault.kind = Fault::Kind::kSource;
        fault.nth = static_cast<int64_t>(random() % 300);
        break;
      default:
        fault.kind = Fault::Kind::kPoint;
        fault.point = static_cast<HookPoint>(random() % std::size(kPointNames));
        fault.nth = 1 + static_cast<int64_t>(random() % 8);
    }
  }
  return faults;
}

}  // namespace thalweg::simulation
