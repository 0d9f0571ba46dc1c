#include <cstddef>
#include <cstdint>
#include <string_view>

#include "thalweg/common/check.h"
#include "thalweg/sql/parser.h"
#include "thalweg/sql/script.h"
#include "thalweg/sql/unparser.h"

// libFuzzer entry: any bytes either parse or give an Error, and the canonical text of a parsed
// query parses to itself.
//
// clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc tests/fuzz/sql_parser_fuzz.cc
// \
//   src/thalweg/sql/*.cc src/thalweg/types/data_type.cc src/thalweg/common/{error,check}.cc -lfmt

namespace {

using thalweg::Error;

void round_trip(std::string_view text) {
  const thalweg::sql::StatementPtr statement = thalweg::sql::parse_statement(text);
  const auto* query = thalweg::sql::if_a<thalweg::sql::QueryStatement>(*statement);
  if (query == nullptr) {
    return;
  }
  const std::string canonical = thalweg::sql::unparse(*query->query);
  const std::string again = thalweg::sql::unparse(*thalweg::sql::parse_query(canonical));
  thalweg::check(canonical == again, "the canonical text of a query is not stable");
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
