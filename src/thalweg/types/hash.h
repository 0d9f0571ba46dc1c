#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "thalweg/types/short_copy.h"

namespace thalweg {

/// Multiplies to 128 bits and folds: the mixing step of all hashes here. Fixed for ever: key groups
/// and snapshots depend on it.
inline uint64_t mix_hash(uint64_t left, uint64_t right) {
  const unsigned __int128 product = static_cast<unsigned __int128>(left ^ 0x9E3779B97F4A7C15ULL) *
                                    (right ^ 0xD6E8FEB86659FD93ULL);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64U);
}

inline uint64_t hash_bytes(std::string_view bytes) {
  uint64_t hash = 0x2D358DCCAA6C78A5ULL ^ bytes.size();
  while (bytes.size() >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    hash = mix_hash(hash, word);
    bytes.remove_prefix(8);
  }
  uint64_t rest = 0;
  copy_short(&rest, bytes.data(), bytes.size());
  return mix_hash(hash, rest);
}

}  // namespace thalweg
