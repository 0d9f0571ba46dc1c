#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace thalweg::functions {

/// What becomes of a name in Flink's SHOW FUNCTIONS.
enum class FlinkStanding : uint8_t {
  /// A function of the registry.
  kFunction,
  /// A part of SQL that is no call, such as BETWEEN.
  kSyntax,
  /// For the Table API only.
  kTableApi,
  /// Flink's planner alone makes calls of it.
  kInternal,
  /// Not here yet.
  kMissing,
};

struct FlinkName {
  std::string_view name;
  FlinkStanding standing;
  /// The function's name here, or how it is written.
  std::string_view here;
};

/// All that SHOW FUNCTIONS of Flink lists, in its order.
std::span<const FlinkName> flink_names();

}  // namespace thalweg::functions
