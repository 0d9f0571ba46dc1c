#include "thalweg/sql/reserved_words.h"

#include <algorithm>
#include <array>

namespace thalweg::sql {

namespace {

constexpr std::array kWords = {
#define THALWEG_RESERVED(word, callable) std::string_view(#word),
#include "thalweg/sql/reserved_words.def"
#undef THALWEG_RESERVED
};

constexpr std::array kCallable = {
#define THALWEG_RESERVED(word, callable) callable,
#include "thalweg/sql/reserved_words.def"
#undef THALWEG_RESERVED
};

static_assert(std::is_sorted(kWords.begin(), kWords.end()));

}  // namespace

bool is_reserved(std::string_view word) {
  return std::binary_search(kWords.begin(), kWords.end(), word);
}

bool is_callable_reserved(std::string_view word) {
  const auto* found = std::lower_bound(kWords.begin(), kWords.end(), word);
  return found != kWords.end() && *found == word &&
         kCallable[static_cast<size_t>(found - kWords.begin())];
}

std::span<const std::string_view> reserved_words() {
  return kWords;
}

}  // namespace thalweg::sql
