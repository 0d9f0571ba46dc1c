#include "thalweg/runtime/metric_registry.h"

namespace thalweg::runtime {

namespace {

template <typename Named>
auto& find_or_add(std::list<Named>& list, const std::string& name) {
  for (Named& named : list) {
    if (named.name == name) {
      return named.metric;
    }
  }
  list.emplace_back();
  list.back().name = name;
  return list.back().metric;
}

}  // namespace

MetricRegistry::MetricRegistry(OperatorId id, std::string name, int32_t subtask)
    : id_(id), name_(std::move(name)), subtask_(subtask) {}

stream::Counter& MetricRegistry::counter(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return find_or_add(counters_, name);
}

stream::Gauge& MetricRegistry::gauge(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return find_or_add(gauges_, name);
}

OperatorMetrics MetricRegistry::snapshot() const {
  const std::lock_guard lock(mutex_);
  OperatorMetrics metrics{id_, name_, subtask_, {}};
  for (const auto& [name, counter] : counters_) {
    metrics.values[name] = counter.value();
  }
  for (const auto& [name, gauge] : gauges_) {
    metrics.values[name] = gauge.value();
  }
  return metrics;
}

}  // namespace thalweg::runtime
