#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "thalweg/runtime/job.h"
#include "thalweg/stream/option.h"

namespace thalweg::engine {

/// A session's settings by Flink's keys. What the user did not set has Flink's default.
class Configuration {
 public:
  Configuration() = default;

  explicit Configuration(stream::OptionMap values) : values_(std::move(values)) {}

  void set(const std::string& key, const std::string& value) { values_[key] = value; }

  void reset(const std::string& key) { values_.erase(key); }

  void reset_all() { values_.clear(); }

  std::optional<std::string> find(const std::string& key) const;
  std::string get(const std::string& key, const std::string& otherwise) const;
  /// Throws kInvalidConfiguration naming key, value and what is accepted.
  bool get_bool(const std::string& key, bool otherwise) const;
  int64_t get_int(const std::string& key, int64_t otherwise) const;
  int64_t get_duration_ms(const std::string& key, int64_t otherwise) const;
  std::optional<int64_t> find_duration_ms(const std::string& key) const;

  bool is_batch() const;

  int32_t parallelism() const { return static_cast<int32_t>(get_int("parallelism.default", 1)); }

  /// table.local-time-zone; "default" and unset mean the process's zone.
  std::string time_zone() const;

  /// What the runtime needs: checkpoints, restarts, buffers, memory.
  runtime::JobOptions job_options() const;

  const stream::OptionMap& values() const { return values_; }

 private:
  runtime::RestartStrategy restart_strategy(bool checkpointed) const;

  stream::OptionMap values_;
};

}  // namespace thalweg::engine
