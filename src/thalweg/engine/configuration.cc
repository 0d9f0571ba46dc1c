#include "thalweg/engine/configuration.h"

#include <charconv>

#include "thalweg/common/time_zone.h"
#include "thalweg/planner/planner_context.h"

namespace thalweg::engine {

namespace {

Error invalid(const std::string& key, const std::string& value, std::string_view accepted) {
  return Error(
      ErrorCode::kInvalidConfiguration,
      fmt::format("Invalid value '{}' for configuration '{}': expected {}", value, key, accepted));
}

}  // namespace

std::optional<std::string> Configuration::find(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::string Configuration::get(const std::string& key, const std::string& otherwise) const {
  return find(key).value_or(otherwise);
}

bool Configuration::get_bool(const std::string& key, bool otherwise) const {
  const auto value = find(key);
  if (!value) {
    return otherwise;
  }
  if (*value == "true" || *value == "TRUE" || *value == "True") {
    return true;
  }
  if (*value == "false" || *value == "FALSE" || *value == "False") {
    return false;
  }
  throw invalid(key, *value, "true or false");
}

int64_t Configuration::get_int(const std::string& key, int64_t otherwise) const {
  const auto value = find(key);
  if (!value) {
    return otherwise;
  }
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  if (error != std::errc() || end != value->data() + value->size()) {
    throw invalid(key, *value, "a whole number");
  }
  return number;
}

std::optional<int64_t> Configuration::find_duration_ms(const std::string& key) const {
  const auto value = find(key);
  if (!value) {
    return std::nullopt;
  }
  const auto duration = stream::parse_duration_ms(*value);
  if (!duration) {
    throw invalid(key, *value, "a duration such as '10 s' or '500ms'");
  }
  return duration;
}

int64_t Configuration::get_duration_ms(const std::string& key, int64_t otherwise) const {
  return find_duration_ms(key).value_or(otherwise);
}

bool Configuration::is_batch() const {
  return planner::is_batch_mode(values_);
}

std::string Configuration::time_zone() const {
  const std::string zone = get("table.local-time-zone", "default");
  return zone == "default" ? TimeZone::local().name() : zone;
}

runtime::RestartStrategy Configuration::restart_strategy(bool checkpointed) const {
  using Kind = runtime::RestartStrategy::Kind;
  runtime::RestartStrategy strategy;
  const std::string fallback = checkpointed ? "exponential-delay" : "none";
  const std::string type = get("restart-strategy.type", get("restart-strategy", fallback));
  if (type == "none" || type == "off" || type == "disable") {
    return strategy;
  }
  if (type == "fixed-delay" || type == "fixeddelay") {
    strategy.kind = Kind::kFixedDelay;
    strategy.attempts = static_cast<int32_t>(get_int("restart-strategy.fixed-delay.attempts", 1));
    strategy.delay_ms = get_duration_ms("restart-strategy.fixed-delay.delay", 1000);
  } else if (type == "exponential-delay" || type == "exponentialdelay") {
    strategy.kind = Kind::kExponentialDelay;
    strategy.attempts = static_cast<int32_t>(
        get_int("restart-strategy.exponential-delay.attempts-before-reset-backoff",
                std::numeric_limits<int32_t>::max()));
    strategy.delay_ms = get_duration_ms("restart-strategy.exponential-delay.initial-backoff", 1000);
    strategy.max_delay_ms =
        get_duration_ms("restart-strategy.exponential-delay.max-backoff", 60'000);
  } else if (type == "failure-rate" || type == "failurerate") {
    strategy.kind = Kind::kFailureRate;
    strategy.attempts =
        static_cast<int32_t>(get_int("restart-strategy.failure-rate.max-failures-per-interval", 1));
    strategy.delay_ms = get_duration_ms("restart-strategy.failure-rate.delay", 1000);
    strategy.interval_ms =
        get_duration_ms("restart-strategy.failure-rate.failure-rate-interval", 60'000);
  } else {
    throw invalid(
        "restart-strategy.type", type, "none, fixed-delay, exponential-delay or failure-rate");
  }
  return strategy;
}

runtime::JobOptions Configuration::job_options() const {
  runtime::JobOptions options;
  options.checkpoint_interval_ms = find_duration_ms("execution.checkpointing.interval");
  options.checkpoint_timeout_ms =
      get_duration_ms("execution.checkpointing.timeout", options.checkpoint_timeout_ms);
  options.min_pause_ms = get_duration_ms("execution.checkpointing.min-pause", 0);
  options.retained_checkpoints = static_cast<int32_t>(get_int(
      "execution.checkpointing.num-retained", get_int("state.checkpoints.num-retained", 1)));
  options.tolerable_failed_checkpoints =
      static_cast<int32_t>(get_int("execution.checkpointing.tolerable-failed-checkpoints", 0));
  options.retain_on_cancellation = get("execution.checkpointing.externalized-checkpoint-retention",
                                       "NO_EXTERNALIZED_CHECKPOINTS") == "RETAIN_ON_CANCELLATION";
  options.checkpoint_dir = get("execution.checkpointing.dir", get("state.checkpoints.dir", ""));
  if (options.checkpoint_dir.starts_with("file://")) {
    options.checkpoint_dir.erase(0, std::string_view("file://").size());
  }
  options.restore_path = get("execution.state-recovery.path", get("execution.savepoint.path", ""));
  if (options.restore_path == "latest") {
    options.restore_path = options.checkpoint_dir;  // the newest below it
  }
  if (options.restore_path.starts_with("file://")) {
    options.restore_path.erase(0, std::string_view("file://").size());
  }
  options.buffer_timeout_ms = get_duration_ms("execution.buffer-timeout.interval",
                                              get_duration_ms("execution.buffer-timeout", 100));
  if (const auto memory = find("taskmanager.memory.managed.size")) {
    const auto bytes = stream::parse_memory_bytes(*memory);
    if (!bytes) {
      throw invalid("taskmanager.memory.managed.size", *memory, "a size such as '200mb'");
    }
    options.memory_limit_bytes = *bytes;
  }
  options.restart = restart_strategy(options.checkpoint_interval_ms.has_value());
  return options;
}

}  // namespace thalweg::engine
