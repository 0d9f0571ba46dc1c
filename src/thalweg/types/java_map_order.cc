#include "thalweg/types/java_map_order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>

namespace thalweg {

/// Counts UTF-16 units.
uint32_t java_text_hash(std::string_view text) {
  uint32_t hash = 0;
  for (size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const size_t bytes = first < 0x80 ? 1 : (first < 0xE0 ? 2 : (first < 0xF0 ? 3 : 4));
    uint32_t code = bytes == 1 ? first : first & (0x7FU >> bytes);
    for (size_t i = 1; i < bytes && at + i < text.size(); ++i) {
      code = code << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    }
    at += bytes;
    if (code >= 0x10000) {
      hash = hash * 31 + (0xD800U + ((code - 0x10000) >> 10U));
      code = 0xDC00U + ((code - 0x10000) & 0x3FFU);
    }
    hash = hash * 31 + code;
  }
  return hash;
}

uint32_t flink_text_hash(std::string_view text) {
  uint32_t hash = 42;
  const auto mix = [&hash](uint32_t block) {
    hash ^= std::rotl(block * 0xCC9E2D51U, 15) * 0x1B873593U;
    hash = std::rotl(hash, 13) * 5 + 0xE6546B64U;
  };
  size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    mix(word);
  }
  for (; at < text.size(); ++at) {
    mix(static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(text[at]))));
  }
  hash ^= static_cast<uint32_t>(text.size());
  hash = (hash ^ hash >> 16U) * 0x85EBCA6BU;
  hash = (hash ^ hash >> 13U) * 0xC2B2AE35U;
  return hash ^ hash >> 16U;
}

namespace {

using TextHash = uint32_t (*)(std::string_view text);

std::optional<uint32_t> hash_key(const Column& keys, int32_t row, TextHash hash_text) {
  if (keys.is_null(row)) {
    return 0;
  }
  switch (keys.type().kind()) {
    case TypeKind::kChar:
    case TypeKind::kVarChar:
      return hash_text(keys.string_at(row));
    case TypeKind::kBoolean:
      return keys.at<uint8_t>(row) != 0 ? 1231U : 1237U;
    case TypeKind::kTinyInt:
      return static_cast<uint32_t>(keys.at<int8_t>(row));
    case TypeKind::kSmallInt:
      return static_cast<uint32_t>(keys.at<int16_t>(row));
    case TypeKind::kInt:
      return static_cast<uint32_t>(keys.at<int32_t>(row));
    case TypeKind::kBigInt: {
      const auto bits = static_cast<uint64_t>(keys.at<int64_t>(row));
      return static_cast<uint32_t>(bits ^ bits >> 32U);
    }
    default:
      return std::nullopt;
  }
}

std::vector<int32_t> map_order(const Column& map, int32_t row, TextHash hash_text) {
  const int32_t begin = map.list_begin(row);
  const auto size = static_cast<size_t>(map.list_end(row) - begin);
  std::vector<int32_t> order(size);
  std::iota(order.begin(), order.end(), begin);
  size_t buckets = 16;
  while (size * 4 > buckets * 3) {
    buckets *= 2;
  }
  std::vector<uint32_t> places(size);
  for (size_t i = 0; i < size; ++i) {
    const auto hash = hash_key(*map.child(0), order[i], hash_text);
    if (!hash) {
      return order;
    }
    places[i] = (*hash ^ *hash >> 16U) & static_cast<uint32_t>(buckets - 1);
  }
  std::stable_sort(order.begin(), order.end(), [&](int32_t left, int32_t right) {
    return places[static_cast<size_t>(left - begin)] < places[static_cast<size_t>(right - begin)];
  });
  return order;
}

}  // namespace

std::vector<int32_t> java_map_order(const Column& map, int32_t row) {
  return map_order(map, row, java_text_hash);
}

std::vector<int32_t> flink_map_order(const Column& map, int32_t row) {
  return map_order(map, row, flink_text_hash);
}

}  // namespace thalweg
