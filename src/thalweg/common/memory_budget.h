#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <string>

namespace thalweg {

/// A limit on bytes that nests: process > job > task > {state, buffers}. A reservation is charged
/// to the budget and all its parents, or to none. Thread-safe. A parent outlives its children.
class MemoryBudget {
 public:
  static constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

  explicit MemoryBudget(std::string name,
                        int64_t limit_bytes = kUnlimited,
                        MemoryBudget* parent = nullptr);
  ~MemoryBudget();
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  /// True and charged, or false and nothing changed.
  bool try_reserve(int64_t bytes);

  /// As try_reserve, but throws kStateMemoryExceeded naming this budget, the one that is full, and
  /// both sizes.
  void reserve(int64_t bytes);

  void release(int64_t bytes);

  const std::string& name() const { return name_; }

  int64_t used_bytes() const { return used_.load(std::memory_order_relaxed); }

  int64_t peak_bytes() const { return peak_.load(std::memory_order_relaxed); }

  int64_t limit_bytes() const { return limit_; }

 private:
  const MemoryBudget* charge(int64_t bytes);

  std::string name_;
  int64_t limit_;
  MemoryBudget* parent_;
  std::atomic<int64_t> used_{0};
  std::atomic<int64_t> peak_{0};
};

}  // namespace thalweg
