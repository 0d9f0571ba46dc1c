#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <nanobind/nanobind.h>

namespace thalweg::binding {

/// How long the binding waits without looking for Ctrl-C.
inline constexpr int64_t kSignalCheckMs = 100;

/// Throws KeyboardInterrupt (or what another signal handler raised) when a signal has come.
inline void check_signals() {
  if (PyErr_CheckSignals() != 0) {
    throw nanobind::python_error();
  }
}

/// Calls `step(ms)` without the GIL until it returns true or `timeout_ms` (negative: no limit) have
/// passed; between calls signals are heard. Whether `step` returned true.
template <typename Step>
bool wait_until(int64_t timeout_ms, const Step& step) {
  const auto start = std::chrono::steady_clock::now();
  while (true) {
    int64_t slice = kSignalCheckMs;
    if (timeout_ms >= 0) {
      const auto passed = std::chrono::steady_clock::now() - start;
      const int64_t left =
          timeout_ms - std::chrono::duration_cast<std::chrono::milliseconds>(passed).count();
      slice = std::clamp<int64_t>(left, 0, kSignalCheckMs);
    }
    bool done = false;
    {
      const nanobind::gil_scoped_release release;
      done = step(slice);
    }
    check_signals();
    if (done) {
      return true;
    }
    if (timeout_ms >= 0 && slice < kSignalCheckMs) {
      return false;
    }
  }
}

}  // namespace thalweg::binding
