#pragma once

#include <source_location>
#include <string_view>

namespace thalweg {

/// Fails the running task with an internal error when `condition` is false: our own bug, never the
/// user's. On in release builds too; keep it out of per-row loops.
[[noreturn]] void check_failed(std::string_view message, const std::source_location& where);

inline void check(bool condition,
                  std::string_view message,
                  const std::source_location& where = std::source_location::current()) {
  if (!condition) [[unlikely]] {
    check_failed(message, where);
  }
}

/// For a place that cannot be reached.
[[noreturn]] inline void unreachable(
    std::string_view message, const std::source_location& where = std::source_location::current()) {
  check_failed(message, where);
}

}  // namespace thalweg
