#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "thalweg/types/string_view.h"

namespace thalweg::state {

/// Reserves memory from a budget; throws when there is none.
using ReserveBytes = std::function<void(int64_t bytes)>;

/// Owns the bytes of long strings: freed ones are used again by size class. One thread.
class StringArena {
 public:
  explicit StringArena(ReserveBytes reserve) : reserve_(std::move(reserve)) {}

  /// A view of a copy; short texts lie inside the view and take nothing.
  StringView add(std::string_view text);
  void remove(const StringView& view);

  int64_t allocated_bytes() const { return allocated_; }

 private:
  /// Classes step by 16 bytes up to 256, then double.
  static constexpr size_t kClasses = 16 + 8;
  static constexpr size_t kLargestClass = size_t{256} << 8U;

  static size_t class_of(size_t size);
  static size_t class_size(size_t index);
  char* allocate(size_t size);

  ReserveBytes reserve_;
  std::array<std::vector<char*>, kClasses> free_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  /// Texts above the largest class, each on its own.
  std::unordered_map<const char*, std::unique_ptr<char[]>> large_;
  char* next_ = nullptr;
  size_t left_ = 0;
  int64_t allocated_ = 0;
};

}  // namespace thalweg::state
