#include <doctest/doctest.h>

#include "thalweg/sql/parser.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::sql {
namespace {

std::string canonical(std::string_view text) {
  return unparse(*parse_query(text));
}

void expect_canonical(std::string_view text, std::string_view expected) {
  CAPTURE(std::string(text));
  const std::string first = canonical(text);
  CHECK(first == expected);
  CHECK(canonical(first) == first);
}

const Select& select_of(const QueryPtr& query) {
  return as<Select>(*query->body);
}

TEST_CASE("the clauses of SELECT") {
  expect_canonical(
      "select distinct a, b as x, t.*, * from t where a > 1 group by a, b having count(*) > 1 "
      "qualify rn = 1 order by a desc limit 5 offset 2",
      "SELECT DISTINCT `a`, `b` AS `x`, `t`.*, *\nFROM `t`\nWHERE `a` > 1\nGROUP BY `a`, `b`\n"
      "HAVING COUNT(*) > 1\nQUALIFY `rn` = 1\nORDER BY `a` DESC\nOFFSET 2 ROWS\nFETCH NEXT 5 ROWS "
      "ONLY");
  expect_canonical("SELECT 1", "SELECT 1");
  expect_canonical("select a from t offset 3 rows fetch first 2 rows only",
                   "SELECT `a`\nFROM `t`\nOFFSET 3 ROWS\nFETCH NEXT 2 ROWS ONLY");
  expect_canonical("select sum(a) over w from t window w as (partition by b)",
                   "SELECT SUM(`a`) OVER `w`\nFROM `t`\nWINDOW `w` AS (PARTITION BY `b`)");
}

TEST_CASE("grouping sets") {
  expect_canonical("select 1 from t group by grouping sets ((a, b), (a), b, ())",
                   "SELECT 1\nFROM `t`\nGROUP BY GROUPING SETS((`a`, `b`), `a`, `b`, ())");
  expect_canonical("select 1 from t group by a, cube(b, c), rollup((b, c), d)",
                   "SELECT 1\nFROM `t`\nGROUP BY `a`, CUBE(`b`, `c`), ROLLUP((`b`, `c`), `d`)");
  expect_canonical("select 1 from t group by ()", "SELECT 1\nFROM `t`\nGROUP BY ()");
  expect_canonical("select 1 from t group by (a + b) * 2, tumble(ts, interval '1' hour)",
                   "SELECT 1\nFROM `t`\nGROUP BY (`a` + `b`) * 2, TUMBLE(`ts`, INTERVAL '1' HOUR)");
}

TEST_CASE("joins") {
  expect_canonical("select 1 from a, b x join c on x.i = c.i left outer join d using (i, j)",
                   "SELECT 1\nFROM `a`,\n`b` AS `x`\nINNER JOIN `c` ON `x`.`i` = `c`.`i`\n"
                   "LEFT JOIN `d` USING (`i`, `j`)");
  expect_canonical("select 1 from a natural full join b cross join (select 2) as c(n)",
                   "SELECT 1\nFROM `a`\nNATURAL FULL JOIN `b`\nCROSS JOIN (SELECT 2) AS `c` (`n`)");
  expect_canonical("select 1 from a join (b join c on true) on true",
                   "SELECT 1\nFROM `a`\nINNER JOIN (`b`\nINNER JOIN `c` ON TRUE) ON TRUE");
  expect_canonical("select 1 from ((select 1) union all (select 2)) t",
                   "SELECT 1\nFROM (SELECT 1\nUNION ALL\nSELECT 2) AS `t`");
  expect_canonical("select 1 from o join r for system_time as of o.pt as x on o.c = x.c",
                   "SELECT 1\nFROM `o`\nINNER JOIN `r` FOR SYSTEM_TIME AS OF `o`.`pt` AS `x` ON "
                   "`o`.`c` = `x`.`c`");
}

TEST_CASE("table functions and windows") {
  expect_canonical(
      "select * from table(tumble(table bids, descriptor(ts), interval '10' minutes)) t",
      "SELECT *\nFROM TABLE(TUMBLE(TABLE `bids`, DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)) AS `t`");
  expect_canonical(
      "select * from session(table b partition by (k, l), descriptor(ts), interval '1' minute)",
      "SELECT *\nFROM TABLE(SESSION(TABLE `b` PARTITION BY (`k`, `l`), DESCRIPTOR(`ts`), "
      "INTERVAL '1' MINUTE))");
  expect_canonical("select * from t, lateral table(split(t.a)) as s(w)",
                   "SELECT *\nFROM `t`,\nLATERAL TABLE(SPLIT(`t`.`a`)) AS `s` (`w`)");
  expect_canonical(
      "select * from t cross join unnest(t.a) with ordinality as u(x, i)",
      "SELECT *\nFROM `t`\nCROSS JOIN UNNEST(`t`.`a`) WITH ORDINALITY AS `u` (`x`, `i`)");
  const QueryPtr query = parse_query(
      "SELECT * FROM TABLE(TUMBLE((SELECT * FROM t), DESCRIPTOR(ts), INTERVAL '1' DAY))");
  const auto& function = as<TableFunction>(*select_of(query).from);
  CHECK(if_a<TableArgument>(as<FunctionCall>(*function.call).args[0]) != nullptr);
}

TEST_CASE("set operations") {
  expect_canonical("select 1 union select 2 intersect select 3",
                   "SELECT 1\nUNION\nSELECT 2\nINTERSECT\nSELECT 3");
  expect_canonical("(select 1 union all select 2) except select 3",
                   "SELECT 1\nUNION ALL\nSELECT 2\nEXCEPT\nSELECT 3");
  expect_canonical("select 1 except (select 2 union select 3)",
                   "SELECT 1\nEXCEPT\n(SELECT 2\nUNION\nSELECT 3)");
  expect_canonical(
      "(select a from t order by a limit 1) union all select 2",
      "(SELECT `a`\nFROM `t`\nORDER BY `a`\nFETCH NEXT 1 ROWS ONLY)\nUNION ALL\nSELECT 2");
}

TEST_CASE("VALUES and WITH") {
  expect_canonical("values (1, 'a'), row(2, 'b')", "VALUES ROW(1, 'a'),\nROW(2, 'b')");
  expect_canonical("values 1, 2", "VALUES ROW(1),\nROW(2)");
  expect_canonical(
      "with x(a) as (values (1)), y as (select * from x) select * from y",
      "WITH `x` (`a`) AS (VALUES ROW(1)), `y` AS (SELECT *\nFROM `x`)\nSELECT *\nFROM `y`");
  expect_canonical("select * from (values (1,'a'), (2,'b')) as t(id, name)",
                   "SELECT *\nFROM (VALUES ROW(1, 'a'),\nROW(2, 'b')) AS `t` (`id`, `name`)");
}

TEST_CASE("hints") {
  const QueryPtr query = parse_query(
      "SELECT /*+ BROADCAST(a), STATE_TTL('b' = '1d') */ * FROM a /*+ OPTIONS('k'='v', 'l' = 'w') "
      "*/ AS x");
  CHECK(select_of(query).hints.size() == 2);
  CHECK(select_of(query).hints[1].args[0].key == "b");
  const auto& table = as<NamedTable>(*select_of(query).from);
  CHECK(table.hints[0].args[1].value == "w");
  CHECK(table.alias->name.text == "x");
}

TEST_CASE("MATCH_RECOGNIZE") {
  expect_canonical(
      "select * from t match_recognize (partition by s order by ts measures first(a.p) as fp, "
      "final last(b.p) as lp "
      "one row per match after match skip to first b pattern (a b* c{2,3}? | (d e)+) within "
      "interval '1' hour "
      "subset x = (a, b) define a as a.p > 1, b as b.p < prev(b.p, 1)) as m",
      "SELECT *\nFROM `t` MATCH_RECOGNIZE(\nPARTITION BY `s`\nORDER BY `ts`\nMEASURES "
      "FIRST(`a`.`p`) AS `fp`, "
      "FINAL(LAST(`b`.`p`)) AS `lp`\nONE ROW PER MATCH\nAFTER MATCH SKIP TO FIRST `b`\n"
      "PATTERN (`a` `b`* `c`{2,3}? | (`d` `e`)+) WITHIN INTERVAL '1' HOUR\nSUBSET `x` = (`a`, "
      "`b`)\n"
      "DEFINE `a` AS `a`.`p` > 1, `b` AS `b`.`p` < PREV(`b`.`p`, 1)) AS `m`");
}

TEST_CASE("comments are blanks") {
  expect_canonical("select -- a ; comment\n 1 /* and\n another */ + // one more\n 2",
                   "SELECT 1 + 2");
}

TEST_CASE("queries that are wrong") {
  for (const std::string_view text : {"SELECT",
                                      "SELECT FROM t",
                                      "SELECT a FROM",
                                      "SELECT a FROM t WHERE",
                                      "SELECT a b c FROM t",
                                      "SELECT a FROM t GROUP a",
                                      "SELECT * FROM t JOIN",
                                      "WITH x AS SELECT 1 SELECT 2",
                                      "SELECT a FROM (t",
                                      "SELECT * FROM t TABLESAMPLE BERNOULLI(1)",
                                      "SELECT ? FROM t",
                                      "SELECT \"a\"",
                                      "SELECT 1 /* open"}) {
    CAPTURE(std::string(text));
    CHECK_THROWS_AS(parse_query(text), Error);
  }
}

}  // namespace
}  // namespace thalweg::sql
