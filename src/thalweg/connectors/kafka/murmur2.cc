#include "thalweg/connectors/kafka/murmur2.h"

#include <cstring>

namespace thalweg::connectors::kafka {

uint32_t murmur2(std::string_view bytes) {
  constexpr uint32_t kSeed = 0x9747b28cU;
  constexpr uint32_t kMultiplier = 0x5bd1e995U;
  constexpr uint32_t kShift = 24;

  uint32_t hash = kSeed ^ static_cast<uint32_t>(bytes.size());
  const size_t whole = bytes.size() & ~size_t{3};
  for (size_t i = 0; i < whole; i += 4) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i, sizeof(word));  // little-endian, as the Java code reads it
    word *= kMultiplier;
    word ^= word >> kShift;
    word *= kMultiplier;
    hash *= kMultiplier;
    hash ^= word;
  }
  if (whole < bytes.size()) {
    uint32_t rest = 0;
    std::memcpy(&rest, bytes.data() + whole, bytes.size() - whole);
    hash ^= rest;
    hash *= kMultiplier;
  }
  hash ^= hash >> 13U;
  hash *= kMultiplier;
  hash ^= hash >> 15U;
  return hash;
}

}  // namespace thalweg::connectors::kafka
