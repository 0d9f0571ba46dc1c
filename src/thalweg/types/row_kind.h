#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg {

/// What a row does to the table that a changelog describes. Values are Flink's.
enum class RowKind : uint8_t { kInsert = 0, kUpdateBefore = 1, kUpdateAfter = 2, kDelete = 3 };

/// "+I", "-U", "+U" or "-D".
constexpr std::string_view short_name(RowKind kind) {
  constexpr std::string_view kNames[] = {"+I", "-U", "+U", "-D"};
  return kNames[static_cast<uint8_t>(kind)];
}

/// True for +I and +U: the row is there afterwards.
constexpr bool is_accumulate(RowKind kind) {
  return kind == RowKind::kInsert || kind == RowKind::kUpdateAfter;
}

}  // namespace thalweg
