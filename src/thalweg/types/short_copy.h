#pragma once

#include <cstddef>
#include <cstring>

namespace thalweg {

/// Copies at most 16 bytes without a call. Of nothing, not even the place is looked at: an empty
/// text may have none.
inline void copy_short(void* to, const void* from, size_t size) {
  auto* target = static_cast<char*>(to);
  const auto* source = static_cast<const char*>(from);
  if (size >= 8) {
    // Two halves, which may overlap.
    std::memcpy(target, source, 8);
    std::memcpy(target + size - 8, source + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(target, source, 4);
    std::memcpy(target + size - 4, source + size - 4, 4);
  } else if (size > 0) {
    target[0] = source[0];
    target[size / 2] = source[size / 2];
    target[size - 1] = source[size - 1];
  }
}

}  // namespace thalweg
