#pragma once

#include <list>
#include <mutex>
#include <string>

#include "thalweg/runtime/job.h"
#include "thalweg/stream/metrics.h"

namespace thalweg::runtime {

/// The numbers of one operator on one subtask. Its task adds and changes them; any thread may read.
/// Counters and gauges stay where they are for the registry's life.
class MetricRegistry {
 public:
  MetricRegistry(OperatorId id, std::string name, int32_t subtask);

  stream::Counter& counter(const std::string& name);
  stream::Gauge& gauge(const std::string& name);

  OperatorId id() const { return id_; }

  OperatorMetrics snapshot() const;

 private:
  template <typename Metric>
  struct Named {
    std::string name;
    Metric metric;
  };

  OperatorId id_;
  std::string name_;
  int32_t subtask_;
  mutable std::mutex mutex_;
  std::list<Named<stream::Counter>> counters_;
  std::list<Named<stream::Gauge>> gauges_;
};

}  // namespace thalweg::runtime
