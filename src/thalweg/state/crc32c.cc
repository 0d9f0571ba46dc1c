#include "thalweg/state/crc32c.h"

#include <cstring>

#include <nmmintrin.h>

namespace thalweg::state {

uint32_t crc32c(std::string_view bytes, uint32_t crc) {
  uint64_t state = ~crc;
  while (bytes.size() >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), 8);
    state = _mm_crc32_u64(state, word);
    bytes.remove_prefix(8);
  }
  auto narrow = static_cast<uint32_t>(state);
  for (const char byte : bytes) {
    narrow = _mm_crc32_u8(narrow, static_cast<uint8_t>(byte));
  }
  return ~narrow;
}

}  // namespace thalweg::state
