#pragma once

#include <cstddef>
#include <utility>

namespace thalweg::state {

/// Zeroed memory that begins with a cache line. From two megabytes on it lies in huge pages where
/// the system has them: random reads of a large table then seldom miss the TLB. Move-only.
class PageMemory {
 public:
  static constexpr size_t kHugePage = size_t{2} << 20U;

  PageMemory() = default;
  /// Throws std::bad_alloc.
  explicit PageMemory(size_t bytes);
  ~PageMemory();

  PageMemory(PageMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

  PageMemory& operator=(PageMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace thalweg::state
