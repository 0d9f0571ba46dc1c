#include "thalweg/state/page_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <sys/mman.h>

namespace thalweg::state {

namespace {

size_t rounded_up(size_t bytes) {
  return (bytes + PageMemory::kHugePage - 1) / PageMemory::kHugePage * PageMemory::kHugePage;
}

/// A huge page more than needed is taken and what lies outside of whole ones is given back.
std::byte* map_aligned(size_t size) {
  const size_t taken = size + PageMemory::kHugePage;
  void* const mapped =
      ::mmap(nullptr, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    throw std::bad_alloc();
  }
  auto* const begin = static_cast<std::byte*>(mapped);
  const size_t before =
      (PageMemory::kHugePage - reinterpret_cast<uintptr_t>(begin) % PageMemory::kHugePage) %
      PageMemory::kHugePage;
  if (before > 0) {
    ::munmap(begin, before);
  }
  if (before < PageMemory::kHugePage) {
    ::munmap(begin + before + size, PageMemory::kHugePage - before);
  }
  // Where it is refused the memory is as good, only slower.
  ::madvise(begin + before, size, MADV_HUGEPAGE);
  return begin + before;
}

}  // namespace

PageMemory::PageMemory(size_t bytes) : size_(bytes) {
  if (bytes < kHugePage) {
    constexpr size_t kCacheLine = 64;
    const size_t taken = (bytes + kCacheLine - 1) / kCacheLine * kCacheLine;
    data_ = static_cast<std::byte*>(std::aligned_alloc(kCacheLine, taken));
    if (data_ == nullptr) {
      throw std::bad_alloc();
    }
    std::memset(data_, 0, taken);
  } else {
    size_ = rounded_up(bytes);
    data_ = map_aligned(size_);
  }
}

PageMemory::~PageMemory() {
  if (data_ == nullptr) {
    return;
  }
  if (size_ < kHugePage) {
    std::free(data_);
  } else {
    ::munmap(data_, size_);
  }
}

}  // namespace thalweg::state
