#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "thalweg/types/column.h"

namespace thalweg {

/// Java's String.hashCode.
uint32_t java_text_hash(std::string_view text);
/// BinaryStringData.hashCode of Flink: Murmur3 over words, then over each byte that is left.
uint32_t flink_text_hash(std::string_view text);

/// The entries of a map in the order in which Java's HashMap gives them, as rows of its children:
/// what Flink prints of maps that went through Java objects. For keys of text, integers and
/// booleans; other maps keep their own order.
std::vector<int32_t> java_map_order(const Column& map, int32_t row);
/// The same of maps whose keys are Flink's own data: its texts have hashes of their own.
std::vector<int32_t> flink_map_order(const Column& map, int32_t row);

}  // namespace thalweg
