#include "thalweg/sql/reserved_words.h"

#include <algorithm>
#include <iterator>

namespace thalweg::sql {

namespace {

// Plain arrays: clang cannot deduce the size of a std::array of so many.
constexpr std::string_view kWords[] = {
#define THALWEG_RESERVED(word, callable) std::string_view(#word),
#include "thalweg/sql/reserved_words.def"
#undef THALWEG_RESERVED
};

constexpr bool kCallable[] = {
#define THALWEG_RESERVED(word, callable) callable,
#include "thalweg/sql/reserved_words.def"
#undef THALWEG_RESERVED
};

static_assert(std::is_sorted(std::begin(kWords), std::end(kWords)));

}  // namespace

bool is_reserved(std::string_view word) {
  return std::binary_search(std::begin(kWords), std::end(kWords), word);
}

bool is_callable_reserved(std::string_view word) {
  const auto* found = std::lower_bound(std::begin(kWords), std::end(kWords), word);
  return found != std::end(kWords) && *found == word && kCallable[found - std::begin(kWords)];
}

std::span<const std::string_view> reserved_words() {
  return kWords;
}

}  // namespace thalweg::sql
