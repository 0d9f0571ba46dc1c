#include <iterator>
#include <mutex>

#include "thalweg/runtime/job_master.h"

namespace thalweg::runtime {

namespace {

class ThreadRuntime final : public Runtime {
 public:
  explicit ThreadRuntime(MemoryBudget& process_budget) : budget_(process_budget) {}

  ~ThreadRuntime() override {
    for (const auto& job : masters()) {
      job->cancel();
    }
    for (const auto& job : masters()) {
      job->join();
    }
  }

  std::shared_ptr<Job> submit(JobGraph graph, JobOptions options) override {
    auto job = std::make_shared<JobMaster>(std::move(graph), std::move(options), budget_);
    std::vector<std::shared_ptr<JobMaster>> forgotten;  // goes when the lock is open again
    {
      const std::lock_guard lock(mutex_);
      const auto kept = std::stable_partition(jobs_.begin(), jobs_.end(), [](const auto& one) {
        return one.use_count() > 1 || !one->wait_for(0);
      });
      std::move(kept, jobs_.end(), std::back_inserter(forgotten));
      jobs_.erase(kept, jobs_.end());
      jobs_.push_back(job);
    }
    job->start();
    return job;
  }

  std::vector<std::shared_ptr<Job>> jobs() const override {
    const std::lock_guard lock(mutex_);
    return {jobs_.begin(), jobs_.end()};
  }

 private:
  std::vector<std::shared_ptr<JobMaster>> masters() const {
    const std::lock_guard lock(mutex_);
    return jobs_;
  }

  MemoryBudget& budget_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<JobMaster>> jobs_;
};

}  // namespace

std::unique_ptr<Runtime> make_runtime(MemoryBudget& process_budget) {
  return std::make_unique<ThreadRuntime>(process_budget);
}

}  // namespace thalweg::runtime
