#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg::state {

/// CRC-32C (Castagnoli) of `bytes`, going on from `crc`.
uint32_t crc32c(std::string_view bytes, uint32_t crc = 0);

}  // namespace thalweg::state
