#include "thalweg/sql/keyword_hint.h"

#include <algorithm>

namespace thalweg::sql {

namespace {

/// The words that carry a statement; a misspelt one makes the parser stumble over what follows.
constexpr std::string_view kKeywords[] = {
    "ALTER",     "ANALYZE",  "BETWEEN",  "CATALOG",   "COLUMNS",   "COMMENT",  "COMPILE",
    "CREATE",    "CROSS",    "DATABASE", "DELETE",    "DESCRIBE",  "DISTINCT", "EXECUTE",
    "EXPLAIN",   "FROM",     "FUNCTION", "GROUP",     "HAVING",    "INNER",    "INSERT",
    "INTERSECT", "INTERVAL", "INTO",     "JOIN",      "LATERAL",   "LEFT",     "LIMIT",
    "OFFSET",    "ORDER",    "OUTER",    "OVERWRITE", "PARTITION", "PRIMARY",  "RENAME",
    "RESET",     "RIGHT",    "SELECT",   "SHOW",      "STATEMENT", "TABLE",    "TABLES",
    "TEMPORARY", "TRUNCATE", "UNION",    "UPDATE",    "VALUES",    "VIEW",     "WATERMARK",
    "WHERE",     "WINDOW",   "WITH"};

/// Whether `longer` is `shorter` with one letter put in.
bool has_one_more(std::string_view longer, std::string_view shorter) {
  const auto [at_long, at_short] =
      std::mismatch(longer.begin(), longer.end(), shorter.begin(), shorter.end());
  return std::equal(at_long + 1, longer.end(), at_short, shorter.end());
}

bool differs_once(std::string_view a, std::string_view b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (left == a.end()) {
    return false;
  }
  if (std::equal(left + 1, a.end(), right + 1, b.end())) {
    return true;
  }
  const bool swapped = left + 1 != a.end() && left[0] == right[1] && left[1] == right[0];
  return swapped && std::equal(left + 2, a.end(), right + 2, b.end());
}

bool is_near(std::string_view word, std::string_view keyword) {
  if (word.size() == keyword.size()) {
    return differs_once(word, keyword);
  }
  if (word.size() == keyword.size() + 1) {
    return has_one_more(word, keyword);
  }
  return word.size() + 1 == keyword.size() && has_one_more(keyword, word);
}

}  // namespace

std::string_view nearest_keyword(std::string_view word) {
  constexpr size_t kShortest = 4;  // shorter words are near too many
  if (word.size() + 1 < kShortest ||
      std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords)) {
    return {};
  }
  const auto* found =
      std::find_if(std::begin(kKeywords), std::end(kKeywords), [word](std::string_view keyword) {
        return is_near(word, keyword);
      });
  return found == std::end(kKeywords) ? std::string_view() : *found;
}

}  // namespace thalweg::sql
