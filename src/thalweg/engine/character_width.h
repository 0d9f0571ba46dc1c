#pragma once

#include <cstdint>

namespace thalweg::engine {

/// Columns of a printed table that a code point is given: two for East Asian wide and full-width
/// characters, emoji among them, and one for all others. Code points past U+FFFF are given one
/// more, as Flink counts each half of their UTF-16 pair.
int32_t character_width(uint32_t point);

}  // namespace thalweg::engine
