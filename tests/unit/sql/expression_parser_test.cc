#include <doctest/doctest.h>

#include "thalweg/sql/ast_build.h"
#include "thalweg/sql/parser.h"
#include "thalweg/sql/unparser.h"

namespace thalweg::sql {
namespace {

std::string canonical(std::string_view text) {
  return unparse(*parse_expression(text));
}

/// The canonical text must parse to the same canonical text.
void expect_canonical(std::string_view text, std::string_view expected) {
  CAPTURE(std::string(text));
  const std::string first = canonical(text);
  CHECK(first == expected);
  CHECK(canonical(first) == first);
}

TEST_CASE("literals of all kinds") {
  expect_canonical("12", "12");
  expect_canonical("1.50", "1.50");
  expect_canonical(".5", ".5");
  expect_canonical("1.5e-3", "1.5e-3");
  expect_canonical("'it''s'", "'it''s'");
  expect_canonical("''", "''");
  expect_canonical("U&'\\00e9'", "'é'");
  expect_canonical("U&'$00e9$$' UESCAPE '$'", "'é$'");
  expect_canonical("'a'\n'b'", "'ab'");
  expect_canonical("x'4a4B'", "X'4A4B'");
  expect_canonical("true", "TRUE");
  expect_canonical("null", "NULL");
  expect_canonical("DATE '2024-01-02'", "DATE '2024-01-02'");
  expect_canonical("TIME '12:00:01'", "TIME '12:00:01'");
  expect_canonical("TIMESTAMP '2024-01-02 03:04:05'", "TIMESTAMP '2024-01-02 03:04:05'");
}

TEST_CASE("interval literals") {
  expect_canonical("interval '5' second", "INTERVAL '5' SECOND");
  expect_canonical("INTERVAL '5' SECONDS", "INTERVAL '5' SECOND");
  expect_canonical("INTERVAL '10' DAYS", "INTERVAL '10' DAY");
  expect_canonical("INTERVAL -'1-2' YEAR(4) TO MONTH", "INTERVAL -'1-2' YEAR(4) TO MONTH");
  expect_canonical("INTERVAL '1 2:3:4.5' DAY TO SECOND(3)",
                   "INTERVAL '1 2:3:4.5' DAY TO SECOND(3)");
  expect_canonical("INTERVAL '4.5' SECOND(2, 3)", "INTERVAL '4.5' SECOND(2, 3)");
  expect_canonical("INTERVAL 3 MONTHS", "INTERVAL '3' MONTH");
  expect_canonical("INTERVAL (a + 1) DAY", "INTERVAL (`a` + 1) DAY");
}

TEST_CASE("precedence of operators") {
  expect_canonical("a + b * c - d", "`a` + `b` * `c` - `d`");
  expect_canonical("(a + b) * c", "(`a` + `b`) * `c`");
  expect_canonical("a - (b - c)", "`a` - (`b` - `c`)");
  expect_canonical("a or b and not c = d", "`a` OR `b` AND NOT `c` = `d`");
  expect_canonical("(a or b) and c", "(`a` OR `b`) AND `c`");
  expect_canonical("a = b is null", "`a` = `b` IS NULL");
  expect_canonical("-a * -1", "- `a` * -1");
  expect_canonical("a || b || 'c'", "`a` || `b` || 'c'");
  expect_canonical("a != b", "`a` <> `b`");
  expect_canonical("a % 2 <= 1", "`a` % 2 <= 1");
  expect_canonical("not (a and b)", "NOT (`a` AND `b`)");
}

TEST_CASE("predicates") {
  expect_canonical("a between 1 and 2 and b", "`a` BETWEEN ASYMMETRIC 1 AND 2 AND `b`");
  expect_canonical("a not between symmetric 1 and 2", "`a` NOT BETWEEN SYMMETRIC 1 AND 2");
  expect_canonical("a in (1, 2)", "`a` IN (1, 2)");
  expect_canonical("a not in (select b from t)", "`a` NOT IN (SELECT `b`\nFROM `t`)");
  expect_canonical("a like 'x!%' escape '!'", "`a` LIKE 'x!%' ESCAPE '!'");
  expect_canonical("a not similar to 'x'", "`a` NOT SIMILAR TO 'x'");
  expect_canonical("a is not distinct from b", "`a` IS NOT DISTINCT FROM `b`");
  expect_canonical("a is not unknown", "`a` IS NOT UNKNOWN");
  expect_canonical("a is json", "`a` IS JSON VALUE");
  expect_canonical("a is not json object", "`a` IS NOT JSON OBJECT");
  expect_canonical("not exists (select 1)", "NOT EXISTS (SELECT 1)");
  expect_canonical("a > all (select b from t)", "`a` > ALL (SELECT `b`\nFROM `t`)");
  expect_canonical("a = any (1, 2)", "`a` = SOME (1, 2)");
}

TEST_CASE("names, fields, constructors") {
  expect_canonical("a.b.c", "`a`.`b`.`c`");
  expect_canonical("`a``b`.`select`", "`a``b`.`select`");
  expect_canonical("(r).f", "`r`.`f`");
  expect_canonical("f(x).y.z", "F(`x`).`y`.`z`");
  expect_canonical("a[1].b['k']", "`a`[1].`b`['k']");
  expect_canonical("array[1, 2]", "ARRAY[1, 2]");
  expect_canonical("map['a', 1, 'b', 2]", "MAP['a', 1, 'b', 2]");
  expect_canonical("row(1, 'a')", "ROW(1, 'a')");
  expect_canonical("(1, 'a')", "ROW(1, 'a')");
  expect_canonical("case a when 1 then 'x' else 'y' end", "CASE `a` WHEN 1 THEN 'x' ELSE 'y' END");
  expect_canonical("case when a then 1 when b then 2 end",
                   "CASE WHEN `a` THEN 1 WHEN `b` THEN 2 ELSE NULL END");
  expect_canonical("cast(a as int)", "CAST(`a` AS INTEGER)");
  expect_canonical("try_cast(a as row<x int, y array<string>>)",
                   "TRY_CAST(`a` AS ROW< `x` INTEGER, `y` ARRAY< STRING > >)");
  expect_canonical("((select 1) union (select 2))", "(SELECT 1\nUNION\nSELECT 2)");
  expect_canonical("user", "`user`");
}

TEST_CASE("special calls") {
  expect_canonical("extract(day from ts)", "EXTRACT(DAY FROM `ts`)");
  expect_canonical("floor(ts to hour)", "FLOOR(`ts` TO HOUR)");
  expect_canonical("ceil(x)", "CEIL(`x`)");
  expect_canonical("timestampadd(minute, 5, ts)", "TIMESTAMPADD(MINUTE, 5, `ts`)");
  expect_canonical("timestampdiff(sql_tsi_day, a, b)", "TIMESTAMPDIFF(DAY, `a`, `b`)");
  expect_canonical("position('a' in s)", "POSITION('a' IN `s`)");
  expect_canonical("substring(s, 2, 3)", "SUBSTRING(`s` FROM 2 FOR 3)");
  expect_canonical("substring(s from 2)", "SUBSTRING(`s` FROM 2)");
  expect_canonical("trim(s)", "TRIM(BOTH ' ' FROM `s`)");
  expect_canonical("trim(leading 'x' from s)", "TRIM(LEADING 'x' FROM `s`)");
  expect_canonical("trim('x' from s)", "TRIM(BOTH 'x' FROM `s`)");
  expect_canonical("overlay(s placing 'x' from 2 for 1)", "OVERLAY(`s` PLACING 'x' FROM 2 FOR 1)");
  expect_canonical("current_timestamp", "CURRENT_TIMESTAMP");
  expect_canonical("proctime()", "PROCTIME()");
  expect_canonical("left(s, 2)", "LEFT(`s`, 2)");
  expect_canonical("year(d)", "YEAR(`d`)");
  expect_canonical("cat.db.f(1)", "`cat`.`db`.`f`(1)");
  expect_canonical("if(a, 1, 2)", "IF(`a`, 1, 2)");
}

TEST_CASE("aggregates and windows") {
  expect_canonical("count(*)", "COUNT(*)");
  expect_canonical("count(distinct a)", "COUNT(DISTINCT `a`)");
  expect_canonical("sum(a) filter (where b > 1)", "SUM(`a`) FILTER (WHERE `b` > 1)");
  expect_canonical("listagg(a, ',') within group (order by b desc)",
                   "LISTAGG(`a`, ',') WITHIN GROUP (ORDER BY `b` DESC)");
  expect_canonical("row_number() over (partition by a order by b desc nulls last)",
                   "ROW_NUMBER() OVER (PARTITION BY `a` ORDER BY `b` DESC NULLS LAST)");
  expect_canonical("sum(a) over (order by t rows between 2 preceding and current row)",
                   "SUM(`a`) OVER (ORDER BY `t` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)");
  expect_canonical(
      "sum(a) over (order by t range interval '1' hour preceding)",
      "SUM(`a`) OVER (ORDER BY `t` RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW)");
  expect_canonical("sum(a) over w", "SUM(`a`) OVER `w`");
}

TEST_CASE("JSON calls") {
  expect_canonical("json_value(j, '$.a' returning int default 0 on empty error on error)",
                   "JSON_VALUE(`j`, '$.a' RETURNING INTEGER DEFAULT 0 ON EMPTY ERROR ON ERROR)");
  expect_canonical(
      "json_query(j, 'lax $' with wrapper empty array on error)",
      "JSON_QUERY(`j`, 'lax $' WITH UNCONDITIONAL ARRAY WRAPPER EMPTY ARRAY ON ERROR)");
  expect_canonical("json_exists(j, '$' true on error)", "JSON_EXISTS(`j`, '$' TRUE ON ERROR)");
  expect_canonical("json_object('a' value 1, key 'b' value x absent on null)",
                   "JSON_OBJECT(KEY 'a' VALUE 1, KEY 'b' VALUE `x` ABSENT ON NULL)");
  expect_canonical("json_object()", "JSON_OBJECT()");
  expect_canonical("json_array(1, null null on null)", "JSON_ARRAY(1, NULL NULL ON NULL)");
  expect_canonical("json_objectagg(key k value v)", "JSON_OBJECTAGG(KEY `k` VALUE `v`)");
}

TEST_CASE("arguments of table functions") {
  expect_canonical("f(data => table t partition by k, `offset` => interval '1' day)",
                   "F(`data` => TABLE `t` PARTITION BY (`k`), `offset` => INTERVAL '1' DAY)");
  expect_canonical("tumble(table t, descriptor(ts), interval '10' minutes)",
                   "TUMBLE(TABLE `t`, DESCRIPTOR(`ts`), INTERVAL '10' MINUTE)");
}

TEST_CASE("positions are those of Flink: from 1, the end included") {
  const ExprPtr sum = parse_expression("1 + true");
  CHECK(sum->position == SourcePosition{1, 1, 1, 8});
  const auto& operands = as<Operator>(*sum).operands;
  CHECK(operands[1]->position == SourcePosition{1, 5, 1, 8});
  CHECK(parse_expression("f(a,\n  b)")->position == SourcePosition{1, 1, 2, 4});
  CHECK(parse_expression("'é' = x")->position == SourcePosition{1, 1, 1, 7});
}

TEST_CASE("what is wrong is named with its place") {
  const auto message = [](std::string_view text) {
    try {
      parse_expression(text);
      return std::string("no error");
    } catch (const Error& error) {
      return error.message();
    }
  };
  CHECK(message("1 +").starts_with("SQL parse failed. Encountered \"<EOF>\" at line 1, column 4."));
  CHECK(message("a AND value")
            .starts_with("SQL parse failed. Encountered \"value\" at line 1, column 7."));
  CHECK(
      message("'abc").starts_with("SQL parse failed. The string that starts at line 1, column 1"));
  CHECK(message("MAP[1, 2, 3]").find("even number") != std::string::npos);
  CHECK(message("EXTRACT(FORTNIGHT FROM a)") == "'FORTNIGHT' is not a valid time frame");
  CHECK(message("CASE a END").find("WHEN") != std::string::npos);
}

TEST_CASE("a reserved word as a name says so") {
  try {
    parse_statement("SELECT x AS dec FROM t");
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::kReservedWord);
    CHECK(error.hint_text().find("`dec`") != std::string::npos);
    CHECK(*error.position() == SourcePosition{1, 13, 1, 15});
  }
}

std::string repeat(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) {
    text += piece;
  }
  return text;
}

TEST_CASE("deep nesting is refused, not a crash") {
  constexpr int kDepth = 5000;
  for (const std::string_view piece : {"(", "- ", "NOT ", "f(", "ARRAY[", "CASE WHEN ", "CAST("}) {
    CAPTURE(std::string(piece));
    CHECK_THROWS_AS(parse_expression(repeat(piece, kDepth)), Error);
  }
  CHECK_THROWS_AS(parse_data_type(repeat("ARRAY<", kDepth)), Error);
  CHECK_THROWS_AS(parse_query(repeat("SELECT * FROM (", kDepth)), Error);
  CHECK_THROWS_AS(parse_query("SELECT 1 FROM a JOIN " + repeat("((", kDepth)), Error);
}

TEST_CASE("trees made without text print like parsed ones") {
  const ExprPtr expr = make_operator(
      Op::kMinus, {make_column("ts"), make_interval("5", {.leading = TimeUnit::kSecond})});
  CHECK(unparse(*expr) == "`ts` - INTERVAL '5' SECOND");
  CHECK(unparse(*make_call("upper", {make_column("name")})) == "UPPER(`name`)");
  const std::string cast =
      "CAST(`x` AS STRUCTURED< 'c', `a` INTEGER NOT NULL 'note', `v` MAP< STRING, VARIANT > >)";
  CHECK(unparse(*parse_expression(cast)) == cast);
}

}  // namespace
}  // namespace thalweg::sql
