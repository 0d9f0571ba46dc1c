#include <doctest/doctest.h>

#include "thalweg/sql/parser.h"

namespace thalweg::sql {
namespace {

TEST_CASE("data types with their defaults") {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"int", "INT"},
      {"INTEGER NOT NULL", "INT NOT NULL"},
      {"bigint", "BIGINT"},
      {"DOUBLE PRECISION", "DOUBLE"},
      {"DECIMAL", "DECIMAL(10, 0)"},
      {"numeric(5)", "DECIMAL(5, 0)"},
      {"dec(38, 18)", "DECIMAL(38, 18)"},
      {"char", "CHAR(1)"},
      {"char varying(7)", "VARCHAR(7)"},
      {"STRING", "STRING"},
      {"bytes", "BYTES"},
      {"bitmap not null", "BITMAP NOT NULL"},
      {"variant not null", "VARIANT NOT NULL"},
      {"time(3)", "TIME(3)"},
      {"TIME(6)", "TIME(3)"},
      {"TIMESTAMP(12)", "TIMESTAMP(9)"},
      {"DECIMAL(40, 2)", "DECIMAL(38, 2)"},
      {"ROW<a INT 'it''s'>", "ROW<`a` INT 'it''s'>"},
      {"timestamp", "TIMESTAMP(6)"},
      {"TIMESTAMP(3) WITHOUT TIME ZONE", "TIMESTAMP(3)"},
      {"TIMESTAMP(3) WITH LOCAL TIME ZONE", "TIMESTAMP_LTZ(3)"},
      {"timestamp_ltz(9) not null", "TIMESTAMP_LTZ(9) NOT NULL"},
      {"ARRAY<INT NOT NULL>", "ARRAY<INT NOT NULL>"},
      {"INT ARRAY", "ARRAY<INT>"},
      {"INT NOT NULL MULTISET", "MULTISET<INT NOT NULL>"},
      {"MAP<STRING, ARRAY<ROW<a INT>>>", "MAP<STRING, ARRAY<ROW<`a` INT>>>"},
      {"ROW(a INT, `b c` STRING NOT NULL 'note')", "ROW<`a` INT, `b c` STRING NOT NULL 'note'>"},
      {"structured<'com.e.U$1', a INT NOT NULL, `b c` VARIANT 'note'>",
       "STRUCTURED<'com.e.U$1', `a` INT NOT NULL, `b c` VARIANT 'note'>"},
      {"STRUCTURED<'c'> NOT NULL", "STRUCTURED<'c'> NOT NULL"},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(std::string(text));
    CHECK(parse_data_type(text).to_string() == expected);
  }
}

TEST_CASE("types that are wrong or unknown") {
  for (const std::string_view text : {"DECIMAL(0, 0)",
                                      "DECIMAL(5, 6)",
                                      "REAL",
                                      "ROW<a INT, a STRING>",
                                      "CHAR(0)",
                                      "RAW('a', 'b')",
                                      "my_type",
                                      "TIMESTAMP WITH TIME ZONE",
                                      "ARRAY<>",
                                      "ROW<a>",
                                      "STRUCTURED",
                                      "STRUCTURED<a INT>",
                                      "STRUCTURED<'a b', x INT>",
                                      "STRUCTURED<'a.', x INT>",
                                      "STRUCTURED<'', x INT>",
                                      "INT INT"}) {
    CAPTURE(std::string(text));
    CHECK_THROWS_AS(parse_data_type(text), Error);
  }
}

}  // namespace
}  // namespace thalweg::sql
