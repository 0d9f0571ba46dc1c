#include <array>
#include <charconv>
#include <limits>

#include "thalweg/stream/option.h"

namespace thalweg::stream {

namespace {

struct Unit {
  std::string_view label;
  /// Milliseconds or bytes; below one for the parts of a millisecond.
  int64_t factor;
  int64_t divisor = 1;
};

// The labels of Flink's TimeUtils (2.3).
constexpr std::array kDurationUnits = {
    Unit{"", 1},
    Unit{"d", 86'400'000},
    Unit{"day", 86'400'000},
    Unit{"days", 86'400'000},
    Unit{"h", 3'600'000},
    Unit{"hour", 3'600'000},
    Unit{"hours", 3'600'000},
    Unit{"m", 60'000},
    Unit{"min", 60'000},
    Unit{"minute", 60'000},
    Unit{"minutes", 60'000},
    Unit{"s", 1'000},
    Unit{"sec", 1'000},
    Unit{"secs", 1'000},
    Unit{"second", 1'000},
    Unit{"seconds", 1'000},
    Unit{"ms", 1},
    Unit{"milli", 1},
    Unit{"millis", 1},
    Unit{"millisecond", 1},
    Unit{"milliseconds", 1},
    Unit{"us", 1, 1'000},
    Unit{"µs", 1, 1'000},
    Unit{"micro", 1, 1'000},
    Unit{"micros", 1, 1'000},
    Unit{"microsecond", 1, 1'000},
    Unit{"microseconds", 1, 1'000},
    Unit{"ns", 1, 1'000'000},
    Unit{"nano", 1, 1'000'000},
    Unit{"nanos", 1, 1'000'000},
    Unit{"nanosecond", 1, 1'000'000},
    Unit{"nanoseconds", 1, 1'000'000},
};

constexpr int64_t kKibi = 1024;

// The labels of Flink's MemorySize (2.3).
constexpr std::array kMemoryUnits = {
    Unit{"", 1},
    Unit{"b", 1},
    Unit{"bytes", 1},
    Unit{"k", kKibi},
    Unit{"kb", kKibi},
    Unit{"kibibytes", kKibi},
    Unit{"m", kKibi * kKibi},
    Unit{"mb", kKibi * kKibi},
    Unit{"mebibytes", kKibi * kKibi},
    Unit{"g", kKibi * kKibi * kKibi},
    Unit{"gb", kKibi * kKibi * kKibi},
    Unit{"gibibytes", kKibi * kKibi * kKibi},
    Unit{"t", kKibi * kKibi * kKibi * kKibi},
    Unit{"tb", kKibi * kKibi * kKibi * kKibi},
    Unit{"tebibytes", kKibi * kKibi * kKibi * kKibi},
};

std::string_view trim(std::string_view text) {
  const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return result;
}

std::optional<int64_t> parse_amount(std::string_view text, std::span<const Unit> units) {
  text = trim(text);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) {
    return std::nullopt;
  }
  const std::string label = lower(trim(text.substr(static_cast<size_t>(end - text.data()))));
  for (const Unit& unit : units) {
    if (unit.label == label) {
      if (number > std::numeric_limits<int64_t>::max() / unit.factor) {
        return std::nullopt;
      }
      return number * unit.factor / unit.divisor;
    }
  }
  return std::nullopt;
}

size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<size_t> row(right.size() + 1);
  std::vector<size_t> above(right.size() + 1);
  std::vector<size_t> two_above;
  for (size_t j = 0; j <= right.size(); ++j) {
    above[j] = j;
  }
  for (size_t i = 1; i <= left.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= right.size(); ++j) {
      const size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
      // Two neighbours swapped count once: the commonest slip of all.
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        row[j] = std::min(row[j], two_above[j - 2] + 1);
      }
    }
    two_above = above;
    std::swap(above, row);
  }
  return above[right.size()];
}

}  // namespace

std::optional<int64_t> parse_duration_ms(std::string_view text) {
  return parse_amount(text, kDurationUnits);
}

std::optional<int64_t> parse_memory_bytes(std::string_view text) {
  return parse_amount(text, kMemoryUnits);
}

std::optional<std::string> did_you_mean(std::string_view word,
                                        const std::vector<std::string>& candidates) {
  const std::string folded = lower(word);
  std::optional<std::string> nearest;
  size_t nearest_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(folded, lower(candidate));
    if (distance < nearest_distance) {
      nearest_distance = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace thalweg::stream
