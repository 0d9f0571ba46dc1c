// The plans that Flink 2.3.0 shows for OVER, text for text.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"

namespace thalweg::planner {

namespace {

Planning with_tables(bool batch) {
  Planning planning(batch);
  planning.run(R"sql(
CREATE TABLE bids (bid_id INT, item STRING, price DECIMAL(10,2), bidder STRING, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
WITH ('connector'='filesystem','path'='bids.csv','format'='csv'))sql");
  planning.run(R"sql(
CREATE TABLE b2 (a INT, b INT NOT NULL, c STRING, d DOUBLE, dt DATE, p AS PROCTIME(),
  ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector'='datagen'))sql");
  return planning;
}

}  // namespace

TEST_CASE("plan of OVER: sums and averages are computed from counts and sums") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, SUM(price) OVER w s, AVG(price) OVER w a, MIN(price) OVER w mn FROM bids WINDOW w AS (ORDER BY ts ROWS UNBOUNDED PRECEDING))sql",
          {.changelog_mode = true}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], s=[CASE(>(COUNT($2) OVER (ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING), 0), $SUM0($2) OVER (ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING), null:DECIMAL(38, 2))], a=[/(CAST(CASE(>(COUNT($2) OVER (ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING), 0), $SUM0($2) OVER (ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING), null:DECIMAL(38, 2))):DECIMAL(38, 6), COUNT($2) OVER (ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING))], mn=[MIN($2) OVER (ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
   +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, CASE(>(w0$o0, 0:BIGINT), w0$o1, null:DECIMAL(38, 2)) AS s, /(CAST(CASE(>(w0$o0, 0:BIGINT), w0$o1, null:DECIMAL(38, 2)) AS DECIMAL(38, 6)), w0$o0) AS a, w0$o2 AS mn], changelogMode=[I])
+- OverAggregate(orderBy=[ts ASC], window=[ ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, price, ts, COUNT(price) AS w0$o0, $SUM0(price) AS w0$o1, MIN(price) AS w0$o2], changelogMode=[I])
   +- Exchange(distribution=[single], changelogMode=[I])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)], changelogMode=[I])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, price, ts], metadata=[]]], fields=[bid_id, price, ts], changelogMode=[I])

== Optimized Execution Plan ==
Calc(select=[bid_id, CASE((w0$o0 > 0), w0$o1, null:DECIMAL(38, 2)) AS s, (CAST(CASE((w0$o0 > 0), w0$o1, null:DECIMAL(38, 2)) AS DECIMAL(38, 6)) / w0$o0) AS a, w0$o2 AS mn])
+- OverAggregate(orderBy=[ts ASC], window=[ ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, price, ts, COUNT(price) AS w0$o0, $SUM0(price) AS w0$o1, MIN(price) AS w0$o2])
   +- Exchange(distribution=[single])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, price, ts], metadata=[]]], fields=[bid_id, price, ts])
)plan");
}

TEST_CASE("plan of OVER: constants are no columns") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, LAG(price) OVER (PARTITION BY item ORDER BY ts) lg, LAG(price, 1, 0.00) OVER (PARTITION BY item ORDER BY ts) lg0 FROM bids)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], lg=[LAG($2) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST)], lg0=[LAG($2, 1, 0.00:DECIMAL(3, 2)) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
   +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, w0$o0 AS $1, w0$o1 AS $2])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, price, ts, LAG(price) AS w0$o0, LAG(price, 1, 0.00:DECIMAL(3, 2)) AS w0$o1])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, price, ts], metadata=[]]], fields=[bid_id, item, price, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id, w0$o0 AS $1, w0$o1 AS $2])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, price, ts, LAG(price) AS w0$o0, LAG(price, 1, 0.00:DECIMAL(3, 2)) AS w0$o1])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, price, ts], metadata=[]]], fields=[bid_id, item, price, ts])
)plan");
}

TEST_CASE("plan of OVER: a SELECT that computes nothing shows all columns") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, FIRST_VALUE(bid_id) OVER (PARTITION BY item ORDER BY ts ROWS UNBOUNDED PRECEDING) fv FROM bids)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], fv=[FIRST_VALUE($0) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST ROWS UNBOUNDED PRECEDING)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
   +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, w0$o0 AS $1])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, price, bidder, ts, FIRST_VALUE(bid_id) AS w0$o0])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids]], fields=[bid_id, item, price, bidder, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id, w0$o0 AS $1])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, price, bidder, ts, FIRST_VALUE(bid_id) AS w0$o0])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids]], fields=[bid_id, item, price, bidder, ts])
)plan");
}

TEST_CASE("plan of OVER: spreads by their formulas") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT STDDEV_POP(a) OVER (ORDER BY ts), VAR_SAMP(d) OVER (ORDER BY ts) FROM b2)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[CAST(POWER(/(-(CASE(>(COUNT(*($0, $0)) OVER (ORDER BY $6 NULLS FIRST), 0), $SUM0(*($0, $0)) OVER (ORDER BY $6 NULLS FIRST), null:INTEGER), /(*(CASE(>(COUNT($0) OVER (ORDER BY $6 NULLS FIRST), 0), $SUM0($0) OVER (ORDER BY $6 NULLS FIRST), null:INTEGER), CASE(>(COUNT($0) OVER (ORDER BY $6 NULLS FIRST), 0), $SUM0($0) OVER (ORDER BY $6 NULLS FIRST), null:INTEGER)), CAST(COUNT($0) OVER (ORDER BY $6 NULLS FIRST)):INTEGER NOT NULL)), CAST(COUNT($0) OVER (ORDER BY $6 NULLS FIRST)):INTEGER NOT NULL), 0.5:DECIMAL(2, 1))):INTEGER], EXPR$1=[/(-(CASE(>(COUNT(*($3, $3)) OVER (ORDER BY $6 NULLS FIRST), 0), $SUM0(*($3, $3)) OVER (ORDER BY $6 NULLS FIRST), null:DOUBLE), /(*(CASE(>(COUNT($3) OVER (ORDER BY $6 NULLS FIRST), 0), $SUM0($3) OVER (ORDER BY $6 NULLS FIRST), null:DOUBLE), CASE(>(COUNT($3) OVER (ORDER BY $6 NULLS FIRST), 0), $SUM0($3) OVER (ORDER BY $6 NULLS FIRST), null:DOUBLE)), CAST(COUNT($3) OVER (ORDER BY $6 NULLS FIRST)):DOUBLE NOT NULL)), CASE(=(COUNT($3) OVER (ORDER BY $6 NULLS FIRST), 1), null:BIGINT, -(COUNT($3) OVER (ORDER BY $6 NULLS FIRST), 1)))])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[$6])
   +- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
      +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[CAST(POWER(/(-(CASE(>(w0$o0, 0:BIGINT), w0$o1, null:INTEGER), /(*(CASE(>(w0$o2, 0:BIGINT), w0$o3, null:INTEGER), CASE(>(w0$o2, 0:BIGINT), w0$o3, null:INTEGER)), CAST(w0$o2 AS INTEGER NOT NULL))), CAST(w0$o2 AS INTEGER NOT NULL)), 0.5:DECIMAL(2, 1)) AS INTEGER) AS EXPR$0, /(-(CASE(>(w0$o4, 0:BIGINT), w0$o5, null:DOUBLE), /(*(CASE(>(w0$o6, 0:BIGINT), w0$o7, null:DOUBLE), CASE(>(w0$o6, 0:BIGINT), w0$o7, null:DOUBLE)), CAST(w0$o6 AS DOUBLE NOT NULL))), CASE(=(w0$o6, 1:BIGINT), null:BIGINT, -(w0$o6, 1))) AS EXPR$1])
+- OverAggregate(orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, d, ts, $3, $4, COUNT($3) AS w0$o0, $SUM0($3) AS w0$o1, COUNT(a) AS w0$o2, $SUM0(a) AS w0$o3, COUNT($4) AS w0$o4, $SUM0($4) AS w0$o5, COUNT(d) AS w0$o6, $SUM0(d) AS w0$o7])
   +- Exchange(distribution=[single])
      +- Calc(select=[a, d, ts, *(a, a) AS $3, *(d, d) AS $4])
         +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
            +- Calc(select=[a, d, ts])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[CAST(POWER(((CASE((w0$o0 > 0), w0$o1, null:INTEGER) - ((CASE((w0$o2 > 0), w0$o3, null:INTEGER) * CASE((w0$o2 > 0), w0$o3, null:INTEGER)) / CAST(w0$o2 AS INTEGER))) / CAST(w0$o2 AS INTEGER)), 0.5) AS INTEGER) AS EXPR$0, ((CASE((w0$o4 > 0), w0$o5, null:DOUBLE) - ((CASE((w0$o6 > 0), w0$o7, null:DOUBLE) * CASE((w0$o6 > 0), w0$o7, null:DOUBLE)) / CAST(w0$o6 AS DOUBLE))) / CASE((w0$o6 = 1), null:BIGINT, (w0$o6 - 1))) AS EXPR$1])
+- OverAggregate(orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, d, ts, $3, $4, COUNT($3) AS w0$o0, $SUM0($3) AS w0$o1, COUNT(a) AS w0$o2, $SUM0(a) AS w0$o3, COUNT($4) AS w0$o4, $SUM0($4) AS w0$o5, COUNT(d) AS w0$o6, $SUM0(d) AS w0$o7])
   +- Exchange(distribution=[single])
      +- Calc(select=[a, d, ts, (a * a) AS $3, (d * d) AS $4])
         +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
            +- Calc(select=[a, d, ts])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: what is computed for a window, and a filter below") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT SUM(a * 2) OVER (PARTITION BY UPPER(c) ORDER BY ts) x, COUNT(*) OVER (PARTITION BY UPPER(c) ORDER BY ts) + 1 FROM b2 WHERE b > 2)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(x=[CASE(>(COUNT(*($0, 2)) OVER (PARTITION BY UPPER($2) ORDER BY $6 NULLS FIRST), 0), $SUM0(*($0, 2)) OVER (PARTITION BY UPPER($2) ORDER BY $6 NULLS FIRST), null:INTEGER)], EXPR$1=[+(COUNT() OVER (PARTITION BY UPPER($2) ORDER BY $6 NULLS FIRST), 1)])
+- LogicalFilter(condition=[>($1, 2)])
   +- LogicalWatermarkAssigner(rowtime=[ts], watermark=[$6])
      +- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
         +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[CASE(>(w0$o0, 0:BIGINT), w0$o1, null:INTEGER) AS x, +(w0$o2, 1) AS EXPR$1])
+- OverAggregate(partitionBy=[$2], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[ts, $1, $2, COUNT($1) AS w0$o0, $SUM0($1) AS w0$o1, COUNT(*) AS w0$o2])
   +- Exchange(distribution=[hash[$2]])
      +- Calc(select=[ts, *(a, 2) AS $1, UPPER(c) AS $2], where=[>(b, 2)])
         +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
            +- Calc(select=[a, b, c, ts])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[CASE((w0$o0 > 0), w0$o1, null:INTEGER) AS x, (w0$o2 + 1) AS EXPR$1])
+- OverAggregate(partitionBy=[$2], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[ts, $1, $2, COUNT($1) AS w0$o0, $SUM0($1) AS w0$o1, COUNT(*) AS w0$o2])
   +- Exchange(distribution=[hash[$2]])
      +- Calc(select=[ts, (a * 2) AS $1, UPPER(c) AS $2], where=[(b > 2)])
         +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
            +- Calc(select=[a, b, c, ts])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: ROW_NUMBER and a frame of rows") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY ts), SUM(b) OVER (PARTITION BY a ORDER BY ts ROWS UNBOUNDED PRECEDING) FROM b2)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[ROW_NUMBER() OVER (PARTITION BY $0 ORDER BY $6 NULLS FIRST)], EXPR$1=[SUM($1) OVER (PARTITION BY $0 ORDER BY $6 NULLS FIRST ROWS UNBOUNDED PRECEDING)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[$6])
   +- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
      +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[w0$o0 AS $0, w0$o1 AS $1])
+- OverAggregate(partitionBy=[a], orderBy=[ts ASC], window=[ ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, b, c, d, dt, p, ts, ROW_NUMBER(*) AS w0$o0, SUM(b) AS w0$o1])
   +- Exchange(distribution=[hash[a]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
         +- Calc(select=[a, b, c, d, dt, PROCTIME() AS p, ts])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[w0$o0 AS $0, w0$o1 AS $1])
+- OverAggregate(partitionBy=[a], orderBy=[ts ASC], window=[ ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, b, c, d, dt, p, ts, ROW_NUMBER(*) AS w0$o0, SUM(b) AS w0$o1])
   +- Exchange(distribution=[hash[a]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
         +- Calc(select=[a, b, c, d, dt, PROCTIME() AS p, ts])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: by a value: updates") {
  Planning planning = with_tables(false);
  CHECK(planning.explain(R"sql(SELECT SUM(b) OVER (PARTITION BY a ORDER BY b) FROM b2)sql",
                         {.changelog_mode = true}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[SUM($1) OVER (PARTITION BY $0 ORDER BY $1 NULLS FIRST)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[$6])
   +- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
      +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[w0$o0 AS $0], changelogMode=[I,UA,D])
+- OverAggregate(partitionBy=[a], orderBy=[b ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, b, c, d, dt, p, ts, SUM(b) AS w0$o0], changelogMode=[I,UA,D])
   +- Exchange(distribution=[hash[a]], changelogMode=[I])
      +- WatermarkAssigner(rowtime=[ts], watermark=[ts], changelogMode=[I])
         +- Calc(select=[a, b, c, d, dt, PROCTIME() AS p, ts], changelogMode=[I])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts], changelogMode=[I])

== Optimized Execution Plan ==
Calc(select=[w0$o0 AS $0])
+- OverAggregate(partitionBy=[a], orderBy=[b ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, b, c, d, dt, p, ts, SUM(b) AS w0$o0])
   +- Exchange(distribution=[hash[a]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
         +- Calc(select=[a, b, c, d, dt, PROCTIME() AS p, ts])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: by PROCTIME()") {
  Planning planning = with_tables(false);
  CHECK(planning.explain(
            R"sql(SELECT a, SUM(b) OVER (PARTITION BY a ORDER BY PROCTIME()) FROM b2)sql", {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalProject(a=[$0], EXPR$1=[SUM($1) OVER (PARTITION BY $0 ORDER BY PROCTIME() NULLS FIRST)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[$6])
   +- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
      +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[a, w0$o0 AS $1])
+- OverAggregate(partitionBy=[a], orderBy=[$2 ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, b, $2, SUM(b) AS w0$o0])
   +- Exchange(distribution=[hash[a]])
      +- Calc(select=[a, b, PROCTIME() AS $2])
         +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
            +- Calc(select=[a, b, ts])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[a, w0$o0 AS $1])
+- OverAggregate(partitionBy=[a], orderBy=[$2 ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[a, b, $2, SUM(b) AS w0$o0])
   +- Exchange(distribution=[hash[a]])
      +- Calc(select=[a, b, PROCTIME() AS $2])
         +- WatermarkAssigner(rowtime=[ts], watermark=[ts])
            +- Calc(select=[a, b, ts])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: ranks beside sums") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, RANK() OVER w, SUM(bid_id) OVER w, DENSE_RANK() OVER w FROM bids WINDOW w AS (PARTITION BY item ORDER BY ts))sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], EXPR$1=[RANK() OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST)], EXPR$2=[CASE(>(COUNT($0) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST), 0), $SUM0($0) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST), null:INTEGER)], EXPR$3=[DENSE_RANK() OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
   +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, w0$o0 AS EXPR$1, CASE(>(w0$o1, 0:BIGINT), w0$o2, null:INTEGER) AS EXPR$2, w0$o3 AS EXPR$3])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, RANK(*) AS w0$o0, COUNT(bid_id) AS w0$o1, $SUM0(bid_id) AS w0$o2, DENSE_RANK(*) AS w0$o3])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id, w0$o0 AS EXPR$1, CASE((w0$o1 > 0), w0$o2, null:INTEGER) AS EXPR$2, w0$o3 AS EXPR$3])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, RANK(*) AS w0$o0, COUNT(bid_id) AS w0$o1, $SUM0(bid_id) AS w0$o2, DENSE_RANK(*) AS w0$o3])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])
)plan");
}

TEST_CASE("plan of OVER: a literal in the SELECT list") {
  Planning planning = with_tables(false);
  CHECK(planning.explain(R"sql(SELECT 1, item, MAX(price) OVER (ORDER BY ts) FROM bids)sql", {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[1], item=[$1], EXPR$2=[MAX($2) OVER (ORDER BY $4 NULLS FIRST)])
+- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
   +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[1 AS EXPR$0, item, w0$o0 AS EXPR$2])
+- OverAggregate(orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[item, price, ts, MAX(price) AS w0$o0])
   +- Exchange(distribution=[single])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, price, ts], metadata=[]]], fields=[item, price, ts])

== Optimized Execution Plan ==
Calc(select=[1 AS EXPR$0, item, w0$o0 AS EXPR$2])
+- OverAggregate(orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[item, price, ts, MAX(price) AS w0$o0])
   +- Exchange(distribution=[single])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, price, ts], metadata=[]]], fields=[item, price, ts])
)plan");
}

TEST_CASE("plan of OVER: QUALIFY") {
  Planning planning = with_tables(false);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id FROM bids QUALIFY COUNT(*) OVER (PARTITION BY item ORDER BY ts) > 1)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0])
+- LogicalFilter(condition=[$1])
   +- LogicalProject(bid_id=[$0], QualifyExpression=[>(COUNT() OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST), 1)])
      +- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
         +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id], where=[>(w0$o0, 1)])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, COUNT(*) AS w0$o0])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id], where=[(w0$o0 > 1)])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, COUNT(*) AS w0$o0])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: sorted partitions") {
  Planning planning = with_tables(true);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, item, COUNT(*) OVER (PARTITION BY item ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) n FROM bids)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], item=[$1], n=[COUNT() OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST ROWS 1 PRECEDING)])
+- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, item, w0$o0 AS $2])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window#0=[COUNT(*) AS w0$o0 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, w0$o0])
   +- Sort(orderBy=[item ASC, ts ASC])
      +- Exchange(distribution=[hash[item]])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id, item, w0$o0 AS $2])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window#0=[COUNT(*) AS w0$o0 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, w0$o0])
   +- Exchange(distribution=[forward])
      +- Sort(orderBy=[item ASC, ts ASC])
         +- Exchange(distribution=[hash[item]])
            +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: LEAD") {
  Planning planning = with_tables(true);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, LEAD(price) OVER (PARTITION BY item ORDER BY ts) ld, LEAD(price, 2, 0) OVER (PARTITION BY item ORDER BY ts) ld2 FROM bids)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], ld=[LEAD($2) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST)], ld2=[LEAD($2, 2, 0) OVER (PARTITION BY $1 ORDER BY $4 NULLS FIRST)])
+- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, w0$o0 AS $1, w0$o1 AS $2])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window#0=[LEAD(price) AS w0$o0, LEAD(price, 2, 0) AS w0$o1 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, price, ts, w0$o0, w0$o1])
   +- Sort(orderBy=[item ASC, ts ASC])
      +- Exchange(distribution=[hash[item]])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, price, ts], metadata=[]]], fields=[bid_id, item, price, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id, w0$o0 AS $1, w0$o1 AS $2])
+- OverAggregate(partitionBy=[item], orderBy=[ts ASC], window#0=[LEAD(price) AS w0$o0, LEAD(price, 2, 0) AS w0$o1 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[bid_id, item, price, ts, w0$o0, w0$o1])
   +- Exchange(distribution=[forward])
      +- Sort(orderBy=[item ASC, ts ASC])
         +- Exchange(distribution=[hash[item]])
            +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, price, ts], metadata=[]]], fields=[bid_id, item, price, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: frames of one order in one node") {
  Planning planning = with_tables(true);
  CHECK(
      planning.explain(
          R"sql(SELECT bid_id, ROW_NUMBER() OVER (PARTITION BY item ORDER BY ts DESC) rn, RANK() OVER (PARTITION BY item ORDER BY ts DESC) r, SUM(bid_id) OVER (PARTITION BY item ORDER BY ts DESC) s, SUM(bid_id) OVER (PARTITION BY item ORDER BY ts DESC ROWS 1 PRECEDING) s1  FROM bids)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(bid_id=[$0], rn=[ROW_NUMBER() OVER (PARTITION BY $1 ORDER BY $4 DESC NULLS LAST)], r=[RANK() OVER (PARTITION BY $1 ORDER BY $4 DESC NULLS LAST)], s=[CASE(>(COUNT($0) OVER (PARTITION BY $1 ORDER BY $4 DESC NULLS LAST), 0), $SUM0($0) OVER (PARTITION BY $1 ORDER BY $4 DESC NULLS LAST), null:INTEGER)], s1=[CASE(>(COUNT($0) OVER (PARTITION BY $1 ORDER BY $4 DESC NULLS LAST ROWS 1 PRECEDING), 0), $SUM0($0) OVER (PARTITION BY $1 ORDER BY $4 DESC NULLS LAST ROWS 1 PRECEDING), null:INTEGER)])
+- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[bid_id, w0$o0 AS rn, w1$o0 AS r, CASE(>(w1$o1, 0), w1$o2, null:INTEGER) AS s, CASE(>(w2$o0, 0), w2$o1, null:INTEGER) AS s1])
+- OverAggregate(partitionBy=[item], orderBy=[ts DESC], window#0=[ROW_NUMBER(*) AS w0$o0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#1=[RANK(*) AS w1$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#2=[COUNT(bid_id) AS w1$o1, $SUM0(bid_id) AS w1$o2 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#3=[COUNT(bid_id) AS w2$o0, $SUM0(bid_id) AS w2$o1 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, w0$o0, w1$o0, w1$o1, w1$o2, w2$o0, w2$o1])
   +- Sort(orderBy=[item ASC, ts DESC])
      +- Exchange(distribution=[hash[item]])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])

== Optimized Execution Plan ==
Calc(select=[bid_id, w0$o0 AS rn, w1$o0 AS r, CASE((w1$o1 > 0), w1$o2, null:INTEGER) AS s, CASE((w2$o0 > 0), w2$o1, null:INTEGER) AS s1])
+- OverAggregate(partitionBy=[item], orderBy=[ts DESC], window#0=[ROW_NUMBER(*) AS w0$o0 ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#1=[RANK(*) AS w1$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#2=[COUNT(bid_id) AS w1$o1, $SUM0(bid_id) AS w1$o2 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#3=[COUNT(bid_id) AS w2$o0, $SUM0(bid_id) AS w2$o1 ROWS BETWEEN 1 PRECEDING AND CURRENT ROW], select=[bid_id, item, ts, w0$o0, w1$o0, w1$o1, w1$o2, w2$o0, w2$o1])
   +- Exchange(distribution=[forward])
      +- Sort(orderBy=[item ASC, ts DESC])
         +- Exchange(distribution=[hash[item]])
            +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[bid_id, item, ts], metadata=[]]], fields=[bid_id, item, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: windows on windows") {
  Planning planning = with_tables(true);
  CHECK(
      planning.explain(
          R"sql(SELECT COUNT(*) OVER (), SUM(b) OVER (), COUNT(*) OVER (PARTITION BY a) FROM b2)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[COUNT() OVER ()], EXPR$1=[SUM($1) OVER ()], EXPR$2=[COUNT() OVER (PARTITION BY $0)])
+- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
   +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[w0$o0 AS $0, w0$o1 AS $1, w1$o0 AS $2])
+- OverAggregate(partitionBy=[a], window#0=[COUNT(*) AS w1$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING], select=[a, b, w0$o0, w0$o1, w1$o0])
   +- Sort(orderBy=[a ASC])
      +- Exchange(distribution=[hash[a]])
         +- OverAggregate(window#0=[COUNT(*) AS w0$o0, SUM(b) AS w0$o1 RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING], select=[a, b, w0$o0, w0$o1])
            +- Exchange(distribution=[single])
               +- Calc(select=[a, b])
                  +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[w0$o0 AS $0, w0$o1 AS $1, w1$o0 AS $2])
+- OverAggregate(partitionBy=[a], window#0=[COUNT(*) AS w1$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING], select=[a, b, w0$o0, w0$o1, w1$o0])
   +- Exchange(distribution=[forward])
      +- Sort(orderBy=[a ASC])
         +- Exchange(distribution=[hash[a]])
            +- OverAggregate(window#0=[COUNT(*) AS w0$o0, SUM(b) AS w0$o1 RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING], select=[a, b, w0$o0, w0$o1])
               +- Exchange(distribution=[single])
                  +- Calc(select=[a, b])
                     +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: two orders of one partition") {
  Planning planning = with_tables(true);
  CHECK(
      planning.explain(
          R"sql(SELECT SUM(b) OVER (PARTITION BY a ORDER BY b RANGE BETWEEN 10 PRECEDING AND 5 FOLLOWING), SUM(b) OVER (PARTITION BY a ORDER BY ts RANGE BETWEEN INTERVAL '10' SECOND PRECEDING AND CURRENT ROW) FROM b2)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[CASE(>(COUNT($1) OVER (PARTITION BY $0 ORDER BY $1 NULLS FIRST RANGE BETWEEN 10 PRECEDING AND 5 FOLLOWING), 0), $SUM0($1) OVER (PARTITION BY $0 ORDER BY $1 NULLS FIRST RANGE BETWEEN 10 PRECEDING AND 5 FOLLOWING), null:INTEGER)], EXPR$1=[CASE(>(COUNT($1) OVER (PARTITION BY $0 ORDER BY $6 NULLS FIRST RANGE 10000:INTERVAL SECOND PRECEDING), 0), $SUM0($1) OVER (PARTITION BY $0 ORDER BY $6 NULLS FIRST RANGE 10000:INTERVAL SECOND PRECEDING), null:INTEGER)])
+- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
   +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[CASE(>(w0$o0, 0), w0$o1, null:INTEGER) AS EXPR$0, CASE(>(w1$o0, 0), w1$o1, null:INTEGER) AS EXPR$1])
+- OverAggregate(partitionBy=[a], orderBy=[ts ASC], window#0=[COUNT(b) AS w1$o0, $SUM0(b) AS w1$o1 RANGE BETWEEN 10000 PRECEDING AND CURRENT ROW], select=[a, b, ts, w0$o0, w0$o1, w1$o0, w1$o1])
   +- Sort(orderBy=[a ASC, ts ASC])
      +- OverAggregate(partitionBy=[a], orderBy=[b ASC], window#0=[COUNT(b) AS w0$o0, $SUM0(b) AS w0$o1 RANGE BETWEEN 10 PRECEDING AND 5 FOLLOWING], select=[a, b, ts, w0$o0, w0$o1])
         +- Sort(orderBy=[a ASC, b ASC])
            +- Exchange(distribution=[hash[a]])
               +- Calc(select=[a, b, ts])
                  +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[CASE((w0$o0 > 0), w0$o1, null:INTEGER) AS EXPR$0, CASE((w1$o0 > 0), w1$o1, null:INTEGER) AS EXPR$1])
+- OverAggregate(partitionBy=[a], orderBy=[ts ASC], window#0=[COUNT(b) AS w1$o0, $SUM0(b) AS w1$o1 RANGE BETWEEN 10000 PRECEDING AND CURRENT ROW], select=[a, b, ts, w0$o0, w0$o1, w1$o0, w1$o1])
   +- Exchange(distribution=[forward])
      +- Sort(orderBy=[a ASC, ts ASC])
         +- Exchange(distribution=[keep_input_as_is[hash[a]]])
            +- OverAggregate(partitionBy=[a], orderBy=[b ASC], window#0=[COUNT(b) AS w0$o0, $SUM0(b) AS w0$o1 RANGE BETWEEN 10 PRECEDING AND 5 FOLLOWING], select=[a, b, ts, w0$o0, w0$o1])
               +- Exchange(distribution=[forward])
                  +- Sort(orderBy=[a ASC, b ASC])
                     +- Exchange(distribution=[hash[a]])
                        +- Calc(select=[a, b, ts])
                           +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: functions of the whole partition") {
  Planning planning = with_tables(true);
  CHECK(
      planning.explain(
          R"sql(SELECT NTILE(4) OVER (ORDER BY b), CUME_DIST() OVER (ORDER BY b), PERCENT_RANK() OVER (ORDER BY b), LAST_VALUE(b) OVER (ORDER BY b) FROM b2)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[NTILE(4) OVER (ORDER BY $1 NULLS FIRST)], EXPR$1=[CUME_DIST() OVER (ORDER BY $1 NULLS FIRST)], EXPR$2=[PERCENT_RANK() OVER (ORDER BY $1 NULLS FIRST)], EXPR$3=[LAST_VALUE($1) OVER (ORDER BY $1 NULLS FIRST)])
+- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
   +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[w0$o0 AS $0, w0$o1 AS $1, w0$o2 AS $2, w0$o3 AS $3])
+- OverAggregate(orderBy=[b ASC], window#0=[NTILE(4) AS w0$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#1=[CUME_DIST(*) AS w0$o1, PERCENT_RANK(*) AS w0$o2 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#2=[LAST_VALUE(b) AS w0$o3 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[b, w0$o0, w0$o1, w0$o2, w0$o3])
   +- Sort(orderBy=[b ASC])
      +- Exchange(distribution=[single])
         +- Calc(select=[b])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[w0$o0 AS $0, w0$o1 AS $1, w0$o2 AS $2, w0$o3 AS $3])
+- OverAggregate(orderBy=[b ASC], window#0=[NTILE(4) AS w0$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#1=[CUME_DIST(*) AS w0$o1, PERCENT_RANK(*) AS w0$o2 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], window#2=[LAST_VALUE(b) AS w0$o3 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[b, w0$o0, w0$o1, w0$o2, w0$o3])
   +- Sort(orderBy=[b ASC])
      +- Exchange(distribution=[single])
         +- Calc(select=[b])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

TEST_CASE("plan of OVER: batch: a partition by an expression") {
  Planning planning = with_tables(true);
  CHECK(planning.explain(
            R"sql(SELECT UPPER(c), SUM(b) OVER (PARTITION BY UPPER(c) ORDER BY a + 1) FROM b2)sql",
            {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[UPPER($2)], EXPR$1=[SUM($1) OVER (PARTITION BY UPPER($2) ORDER BY +($0, 1) NULLS FIRST)])
+- LogicalProject(a=[$0], b=[$1], c=[$2], d=[$3], dt=[$4], p=[PROCTIME()], ts=[$5])
   +- LogicalTableScan(table=[[default_catalog, default_database, b2]])

== Optimized Physical Plan ==
Calc(select=[$1 AS $0, w0$o0 AS $1])
+- OverAggregate(partitionBy=[$1], orderBy=[$2 ASC], window#0=[SUM(b) AS w0$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[b, $1, $2, w0$o0])
   +- Sort(orderBy=[$1 ASC, $2 ASC])
      +- Exchange(distribution=[hash[$1]])
         +- Calc(select=[b, UPPER(c) AS $1, +(a, 1) AS $2])
            +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])

== Optimized Execution Plan ==
Calc(select=[$1 AS $0, w0$o0 AS $1])
+- OverAggregate(partitionBy=[$1], orderBy=[$2 ASC], window#0=[SUM(b) AS w0$o0 RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW], select=[b, $1, $2, w0$o0])
   +- Exchange(distribution=[forward])
      +- Sort(orderBy=[$1 ASC, $2 ASC])
         +- Exchange(distribution=[hash[$1]])
            +- Calc(select=[b, UPPER(c) AS $1, (a + 1) AS $2])
               +- TableSourceScan(table=[[default_catalog, default_database, b2]], fields=[a, b, c, d, dt, ts])
)plan");
}

namespace {

std::string streaming_error(std::string_view query) {
  return with_tables(false).error(query);
}

}  // namespace

TEST_CASE("windows that are written wrongly") {
  CHECK(streaming_error("SELECT SUM(a) OVER w FROM b2") == "1:20-20 Window 'w' not found");
  CHECK(streaming_error("SELECT SUM(a) OVER w FROM b2 WINDOW w AS (ORDER BY nope)") ==
        "1:52-55 Column 'nope' not found in any table");
  CHECK(streaming_error(
            "SELECT SUM(a) OVER w FROM b2 WINDOW w AS (ORDER BY ts), w AS (ORDER BY b)") ==
        "1:57-57 Duplicate window names not allowed");
  CHECK(
      streaming_error("SELECT SUM(a) OVER (w PARTITION BY b) FROM b2 WINDOW w AS (ORDER BY ts)") ==
      "1:36-36 PARTITION BY not allowed with existing window reference");
  CHECK(streaming_error("SELECT SUM(a) OVER (w ORDER BY b) FROM b2 WINDOW w AS (ORDER BY ts)") ==
        "1:32-32 ORDER BY not allowed in both base and referenced windows");
  CHECK(streaming_error("SELECT SUM(a) OVER (w ROWS 1 PRECEDING) FROM b2 WINDOW w AS (ORDER BY ts "
                        "ROWS 2 PRECEDING)") ==
        "1:21-21 Referenced window cannot have framing declarations");
  CHECK(streaming_error("SELECT RANK() OVER (PARTITION BY a) FROM b2") ==
        "1:20-35 RANK or DENSE_RANK functions require ORDER BY clause in window specification");
  CHECK(streaming_error("SELECT ROW_NUMBER() OVER (PARTITION BY a) FROM b2") ==
        "1:8-41 Over Agg: The window rank function requires order by clause with non-constant "
        "fields. "
        "please re-check the over window statement.");
  CHECK(streaming_error("SELECT LAG(a) OVER (ORDER BY ts ROWS 1 PRECEDING) FROM b2") ==
        "1:20-49 ROW/RANGE not allowed with RANK, DENSE_RANK or ROW_NUMBER functions");
}

TEST_CASE("frames that are written wrongly") {
  const auto error = [](std::string_view window) {
    return streaming_error("SELECT SUM(a) OVER (" + std::string(window) + ") FROM b2");
  };
  CHECK(error("ORDER BY b ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW") ==
        "1:20-80 UNBOUNDED FOLLOWING cannot be specified for the lower frame boundary");
  CHECK(error("ORDER BY b ROWS BETWEEN CURRENT ROW AND 1 PRECEDING") ==
        "1:20-72 Upper frame boundary cannot be PRECEDING when lower boundary is CURRENT ROW");
  CHECK(error("ORDER BY b ROWS BETWEEN 1 FOLLOWING AND CURRENT ROW") ==
        "1:20-72 Upper frame boundary cannot be CURRENT ROW when lower boundary is FOLLOWING");
  CHECK(error("ORDER BY b ROWS -1 PRECEDING") ==
        "1:37-38 ROWS value must be a non-negative integral constant");
  CHECK(error("ORDER BY b ROWS 1.5 PRECEDING") ==
        "1:37-39 ROWS value must be a non-negative integral constant");
  CHECK(error("ORDER BY b ROWS a PRECEDING") ==
        "1:37-37 ROWS value must be a non-negative integral constant");
  CHECK(error("ORDER BY c RANGE 1 PRECEDING") ==
        "1:38-38 Data type of ORDER BY prohibits use of RANGE clause");
  CHECK(error("ORDER BY ts RANGE 1 PRECEDING") ==
        "1:39-39 Data Type mismatch between ORDER BY and RANGE clause");
  CHECK(error("ORDER BY b RANGE INTERVAL '1' DAY PRECEDING") ==
        "1:38-53 Data Type mismatch between ORDER BY and RANGE clause");
  CHECK(error("ORDER BY ts RANGE INTERVAL '1' MONTH PRECEDING") ==
        "1:39-56 INTERVAL_YEAR_MONTH type is not allowed for window boundary");
  CHECK(error("RANGE 1 PRECEDING") ==
        "1:20-38 Window specification must contain an ORDER BY clause");
  CHECK(error("ORDER BY b, a RANGE 1 PRECEDING") ==
        "1:20-52 RANGE clause cannot be used with compound ORDER BY clause");
}

TEST_CASE("calls of OVER where none may stand, and functions that take none") {
  CHECK(streaming_error("SELECT a FROM b2 WHERE SUM(a) OVER (ORDER BY ts) > 1") ==
        "1:24-48 Windowed aggregate expression is illegal in WHERE clause");
  CHECK(streaming_error("SELECT 1 FROM b2 GROUP BY SUM(a) OVER (ORDER BY ts)") ==
        "1:27-51 Windowed aggregate expression is illegal in GROUP BY clause");
  CHECK(streaming_error("SELECT a FROM b2 GROUP BY a HAVING SUM(a) OVER (ORDER BY a) > 1") ==
        "1:36-63 Windowed aggregate expression is illegal in HAVING clause");
  CHECK(streaming_error("SELECT SUM(SUM(a) OVER (ORDER BY ts)) OVER (ORDER BY ts) FROM b2") ==
        "1:8-56 Aggregate expressions cannot be nested");
  CHECK(streaming_error("SELECT SUM(SUM(a) OVER (ORDER BY ts)) FROM b2") ==
        "1:8-37 Aggregate expressions cannot be nested");
  CHECK(
      streaming_error(
          "SELECT COUNT(*) OVER (PARTITION BY COUNT(*) OVER (ORDER BY ts) ORDER BY ts) FROM b2") ==
      "1:22-75 PARTITION BY expression should not contain OVER clause");
  CHECK(streaming_error("SELECT a FROM b2 QUALIFY a > 1") ==
        "1:26-30 QUALIFY expression '`a` > 1' must contain a window function");
  CHECK(streaming_error("SELECT UPPER(c) OVER (ORDER BY ts) FROM b2") ==
        "1:8-34 OVER must be applied to aggregate function");
  CHECK(streaming_error("SELECT SUM(a) FILTER (WHERE b > 1) OVER (ORDER BY ts) FROM b2") ==
        "1:8-53 OVER must be applied to aggregate function");
  CHECK(streaming_error("SELECT NO_SUCH(a) OVER (ORDER BY ts) FROM b2") ==
        "1:8-36 No match found for function signature NO_SUCH(<NUMERIC>)");
  CHECK(streaming_error("SELECT ROW_NUMBER() FROM b2") ==
        "1:8-19 OVER clause is necessary for window functions");
  CHECK(streaming_error("SELECT SUM(a) IGNORE NULLS OVER (ORDER BY ts) FROM b2") ==
        "1:8-45 Cannot specify IGNORE NULLS or RESPECT NULLS following 'SUM'");
  CHECK(streaming_error("SELECT LAG(a) IGNORE NULLS OVER (ORDER BY ts) FROM b2") ==
        "1:8-45 IGNORE NULLS is not supported");
  CHECK(streaming_error("SELECT LAG(a) RESPECT NULLS OVER (ORDER BY ts) FROM b2") == "");
  CHECK(streaming_error("SELECT MAX(NULL) OVER (ORDER BY ts) FROM b2") ==
        "1:12-15 Illegal use of 'NULL'");
}

TEST_CASE("an order needs a type that has one") {
  CHECK(
      streaming_error("SELECT COUNT(*) OVER (ORDER BY MAP['k', a]) FROM b2")
          .starts_with("Type(MAP<CHAR(1) NOT NULL, INT> NOT NULL) is not an orderable data type"));
}

TEST_CASE("QUALIFY names a column of the rows before one of the list") {
  Planning planning = with_tables(true);
  const std::string plan =
      planning.explain("SELECT b AS a, a AS n FROM b2 QUALIFY MAX(a) OVER (ORDER BY n) > 1");
  CHECK(plan.find("MAX($0) OVER (ORDER BY $0 NULLS FIRST)") != std::string::npos);
}

TEST_CASE("what streaming mode has no operator for") {
  const auto error = [](std::string_view call) {
    return streaming_error("SELECT " + std::string(call) + " FROM b2");
  };
  CHECK(error("SUM(a) OVER ()") == "The window can only be ordered by a single time column.");
  CHECK(error("SUM(a) OVER (ORDER BY ts, b)") ==
        "The window can only be ordered by a single time column.");
  CHECK(error("SUM(a) OVER (ORDER BY 1)") ==
        "The window can only be ordered by a single time column.");
  CHECK(error("SUM(a) OVER (ORDER BY ts DESC)") ==
        "The window can only be ordered in ASCENDING mode.");
  CHECK(error("SUM(a) OVER (ORDER BY ts ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)") ==
        "OVER RANGE FOLLOWING windows are not supported yet.");
  CHECK(error("SUM(a) OVER (ORDER BY b ROWS 1 PRECEDING)") ==
        "Non-time attribute sort is not supported for bounded OVER window.");
  CHECK(error("LEAD(a) OVER (ORDER BY ts)") == "LEAD Function is not supported in stream mode.");
  CHECK(error("NTILE(2) OVER (ORDER BY ts)") == "NTILE Function is not supported in stream mode.");
  CHECK(error("SUM(a) OVER (ORDER BY ts), SUM(a) OVER (PARTITION BY c ORDER BY ts)") ==
        "Over Agg: Unsupported use of OVER windows. All aggregates must be computed on the same "
        "window. please re-check the over window statement.");
  CHECK(error("SUM(a) OVER (ORDER BY ts), ROW_NUMBER() OVER (ORDER BY ts)") ==
        "Over Agg: Unsupported use of OVER windows. All aggregates must be computed on the same "
        "window. please re-check the over window statement.");
  CHECK(
      streaming_error("SELECT SUM(n) OVER (ORDER BY PROCTIME()) FROM (SELECT a, COUNT(*) n FROM b2 "
                      "GROUP BY a)")
          .starts_with("OverAggregate doesn't support consuming update changes which is produced "
                       "by node"));
  CHECK(streaming_error(
            "SELECT a FROM (SELECT a, ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) n FROM b2) "
            "WHERE n <= 3")
            .starts_with("Top-N is not supported yet in streaming mode"));
  CHECK(streaming_error(
            "SELECT a FROM (SELECT a, ROW_NUMBER() OVER (PARTITION BY a ORDER BY ts) n FROM b2) "
            "WHERE n <= 3") == "");
}

TEST_CASE("what runs has the columns that are read, also where Flink's plan shows all") {
  const auto columns_below_over = [](std::string_view query) {
    Planning planning = with_tables(false);
    const PhysicalPlan plan = planning.optimize(query);
    const auto& over = as<OverAggregate>(*as<Calc>(*plan.roots[0]).inputs[0]);
    std::string names;
    for (const Field& field : over.inputs[0]->schema) {
      names += field.name + " ";
    }
    return names;
  };
  CHECK(columns_below_over(
            "SELECT bid_id, ROW_NUMBER() OVER (PARTITION BY item ORDER BY ts) FROM bids") ==
        "bid_id item ts ");
  CHECK(columns_below_over("SELECT MAX(a) OVER (ORDER BY ts) FROM b2") == "a ts ");
}

TEST_CASE("types of results") {
  Planning planning = with_tables(false);
  CHECK(
      planning.schema(
          "SELECT SUM(b) OVER (ORDER BY ts) s, SUM(b) OVER (ORDER BY ts ROWS 1 PRECEDING) r, "
          "AVG(a) OVER (ORDER BY ts) a, COUNT(a) OVER (ORDER BY ts) n, "
          "FIRST_VALUE(b) OVER (ORDER BY ts) f, ROW_NUMBER() OVER (ORDER BY ts) rn, "
          "LAG(b) OVER (ORDER BY ts) l, LAG(b, 1, 0) OVER (ORDER BY ts) d, "
          "STDDEV_POP(b) OVER (ORDER BY ts) sd FROM b2") ==
      "s INT NOT NULL, r INT, a INT, n BIGINT NOT NULL, f INT NOT NULL, rn BIGINT NOT NULL, l INT, "
      "d INT NOT NULL, sd INT NOT NULL");
}

}  // namespace thalweg::planner
