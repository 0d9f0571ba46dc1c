#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "thalweg/common/check.h"
#include "thalweg/sql/parser.h"
#include "thalweg/sql/script.h"
#include "thalweg/sql/unparser.h"

// Any bytes either parse or give an Error, and the canonical text of a parsed query parses to
// itself.

namespace {

using thalweg::Error;

/// The canonical text of a query must parse; it may only nest deeper than the parser allows.
std::string parse_again(const std::string& canonical) {
  try {
    return thalweg::sql::unparse(*thalweg::sql::parse_query(canonical));
  } catch (const Error& error) {
    thalweg::check(error.message().find("nested") != std::string::npos, canonical);
    return canonical;
  }
}

void round_trip(std::string_view text) {
  const thalweg::sql::StatementPtr statement = thalweg::sql::parse_statement(text);
  if (const auto* query = thalweg::sql::if_a<thalweg::sql::QueryStatement>(*statement)) {
    const std::string canonical = thalweg::sql::unparse(*query->query);
    thalweg::check(parse_again(canonical) == canonical, canonical);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  thalweg::sql::split_script(text);
  thalweg::sql::is_complete(text);
  try {
    round_trip(text);
  } catch (const Error& error) {
    thalweg::check(error.code() != thalweg::ErrorCode::kInternal, error.what());
  }
  return 0;
}
