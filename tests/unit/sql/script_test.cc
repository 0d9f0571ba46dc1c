#include "thalweg/sql/script.h"

#include <doctest/doctest.h>

namespace thalweg::sql {
namespace {

TEST_CASE("semicolons inside strings, names and comments do not end a statement") {
  const auto statements = split_script(
      "-- first; comment\nSELECT 'a;b', `c;d` /* ; */;\n\n  INSERT INTO t VALUES "
      "('it''s;');;\nSELECT 1 -- end;");
  REQUIRE(statements.size() == 3);
  CHECK(statements[0].text == "SELECT 'a;b', `c;d`");
  CHECK(statements[0].line == 2);
  CHECK(statements[1].text == "INSERT INTO t VALUES ('it''s;')");
  CHECK(statements[1].line == 4);
  CHECK(statements[1].column == 3);
  CHECK(statements[2].text == "SELECT 1");
}

TEST_CASE("statement sets") {
  constexpr std::string_view kSet =
      "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN b THEN 1 END FROM t; INSERT INTO "
      "c SELECT 2; END; SELECT 1;";
  CHECK(split_script(kSet).size() == 2);
  constexpr std::string_view kBegin = "BEGIN STATEMENT SET; INSERT INTO a SELECT 1; END; SELECT 1";
  CHECK(split_script(kBegin).size() == 2);
  CHECK(split_script(kBegin, StatementSets::kSplit).size() == 4);
}

TEST_CASE("a shell knows whether a statement is complete") {
  CHECK(is_complete(""));
  CHECK(is_complete("SELECT 1;"));
  CHECK(is_complete("SELECT 1; -- so"));
  CHECK_FALSE(is_complete("SELECT 1"));
  CHECK_FALSE(is_complete("SELECT 'a;"));
  CHECK_FALSE(is_complete("SELECT 1 /* ;"));
  CHECK_FALSE(is_complete("EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1;"));
  CHECK(is_complete("BEGIN STATEMENT SET;"));
}

}  // namespace
}  // namespace thalweg::sql
