// The plans that Flink 2.3.0 shows for these statements, text for text.
#include <doctest/doctest.h>

#include "planner/planner_fixture.h"

namespace thalweg::planner {

namespace {

constexpr std::string_view kBids = R"sql(
CREATE TABLE bids (bid_id INT, item STRING, price DECIMAL(10,2), bidder STRING, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
WITH ('connector'='filesystem','path'='bids.csv','format'='csv'))sql";

constexpr std::string_view kView = R"sql(
CREATE VIEW t AS SELECT * FROM (VALUES (1,'a',10),(2,'b',20),(1,'c',30),
  (3,'a',CAST(NULL AS INT)),(2,'b',5)) AS x(id,name,v))sql";

Planning with_tables() {
  Planning planning;
  planning.run(kBids);
  planning.run(kView);
  planning.run("CREATE TABLE p (id INT, n BIGINT) WITH ('connector'='print')");
  return planning;
}

}  // namespace

TEST_CASE("plan: SELECT item, window_start, window_end, SUM(price) s FROM TAB") {
  Planning planning = with_tables();
  CHECK(
      planning.explain(
          R"sql(SELECT item, window_start, window_end, SUM(price) s FROM TABLE(TUMBLE(TABLE bids, DESCRIPTOR(ts), INTERVAL '10' MINUTES)) GROUP BY item, window_start, window_end)sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalAggregate(group=[{0, 1, 2}], s=[SUM($3)])
+- LogicalProject(item=[$1], window_start=[$5], window_end=[$6], price=[$2])
   +- LogicalTableFunctionScan(invocation=[TUMBLE(TABLE(#0), DESCRIPTOR(_UTF-16LE'ts'), 600000:INTERVAL MINUTE)], rowType=[RecordType(INTEGER bid_id, VARCHAR(2147483647) item, DECIMAL(10, 2) price, VARCHAR(2147483647) bidder, TIMESTAMP(3) *ROWTIME* ts, TIMESTAMP(3) window_start, TIMESTAMP(3) window_end, TIMESTAMP(3) *ROWTIME* window_time)])
      +- LogicalProject(bid_id=[$0], item=[$1], price=[$2], bidder=[$3], ts=[$4])
         +- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
            +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[item, window_start, window_end, s])
+- GlobalWindowAggregate(groupBy=[item], window=[TUMBLE(slice_end=[$slice_end], size=[10 min])], select=[item, SUM(sum$0) AS s, start('w$) AS window_start, end('w$) AS window_end])
   +- Exchange(distribution=[hash[item]])
      +- LocalWindowAggregate(groupBy=[item], window=[TUMBLE(time_col=[ts], size=[10 min])], select=[item, SUM(price) AS sum$0, slice_end('w$) AS $slice_end])
         +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
            +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, price, ts], metadata=[]]], fields=[item, price, ts])

== Optimized Execution Plan ==
Calc(select=[item, window_start, window_end, s])
+- GlobalWindowAggregate(groupBy=[item], window=[TUMBLE(slice_end=[$slice_end], size=[10 min])], select=[item, SUM(sum$0) AS s, start('w$) AS window_start, end('w$) AS window_end])
   +- Exchange(distribution=[hash[item]])
      +- LocalWindowAggregate(groupBy=[item], window=[TUMBLE(time_col=[ts], size=[10 min])], select=[item, SUM(price) AS sum$0, slice_end('w$) AS $slice_end])
         +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
            +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, price, ts], metadata=[]]], fields=[item, price, ts])
)plan");
}

TEST_CASE("plan: SELECT item, SUM(price) s FROM bids GROUP BY item") {
  Planning planning = with_tables();
  CHECK(planning.explain(R"sql(SELECT item, SUM(price) s FROM bids GROUP BY item)sql",
                         {.changelog_mode = true}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalAggregate(group=[{0}], s=[SUM($1)])
+- LogicalProject(item=[$1], price=[$2])
   +- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
      +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
GroupAggregate(groupBy=[item], select=[item, SUM(price) AS s], changelogMode=[I,UA])
+- Exchange(distribution=[hash[item]], changelogMode=[I])
   +- Calc(select=[item, price], changelogMode=[I])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)], changelogMode=[I])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, price, ts], metadata=[]]], fields=[item, price, ts], changelogMode=[I])

== Optimized Execution Plan ==
GroupAggregate(groupBy=[item], select=[item, SUM(price) AS s])
+- Exchange(distribution=[hash[item]])
   +- Calc(select=[item, price])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, price, ts], metadata=[]]], fields=[item, price, ts])
)plan");
}

TEST_CASE("plan: SELECT item, HOP_START(ts, INTERVAL '5' MINUTE, INTERVAL '10") {
  Planning planning = with_tables();
  CHECK(
      planning.explain(
          R"sql(SELECT item, HOP_START(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE) FROM bids GROUP BY item, HOP(ts, INTERVAL '5' MINUTE, INTERVAL '10' MINUTE))sql",
          {}) ==
      R"plan(== Abstract Syntax Tree ==
LogicalProject(item=[$0], EXPR$1=[HOP_START($1)])
+- LogicalAggregate(group=[{0, 1}])
   +- LogicalProject(item=[$1], $f1=[$HOP($4, 300000:INTERVAL MINUTE, 600000:INTERVAL MINUTE)])
      +- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
         +- LogicalTableScan(table=[[default_catalog, default_database, bids]])

== Optimized Physical Plan ==
Calc(select=[item, w$start AS EXPR$1])
+- GroupWindowAggregate(groupBy=[item], window=[SlidingGroupWindow('w$, ts, 600000, 300000)], properties=[w$start, w$end, w$rowtime, w$proctime], select=[item, start('w$) AS w$start, end('w$) AS w$end, rowtime('w$) AS w$rowtime, proctime('w$) AS w$proctime])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, ts], metadata=[]]], fields=[item, ts])

== Optimized Execution Plan ==
Calc(select=[item, w$start AS EXPR$1])
+- GroupWindowAggregate(groupBy=[item], window=[SlidingGroupWindow('w$, ts, 600000, 300000)], properties=[w$start, w$end, w$rowtime, w$proctime], select=[item, start('w$) AS w$start, end('w$) AS w$end, rowtime('w$) AS w$rowtime, proctime('w$) AS w$proctime])
   +- Exchange(distribution=[hash[item]])
      +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
         +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, ts], metadata=[]]], fields=[item, ts])
)plan");
}

TEST_CASE("plan: SELECT * FROM t") {
  Planning planning = with_tables();
  CHECK(planning.explain(R"sql(SELECT * FROM t)sql", {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalProject(id=[$0], name=[$1], v=[$2])
+- LogicalProject(id=[$0], name=[$1], v=[$2])
   +- LogicalProject(id=[$0], name=[$1], v=[$2])
      +- LogicalUnion(all=[true])
         :- LogicalProject(EXPR$0=[1], EXPR$1=[_UTF-16LE'a'], EXPR$2=[10])
         :  +- LogicalValues(tuples=[[{ 0 }]])
         :- LogicalProject(EXPR$0=[2], EXPR$1=[_UTF-16LE'b'], EXPR$2=[20])
         :  +- LogicalValues(tuples=[[{ 0 }]])
         :- LogicalProject(EXPR$0=[1], EXPR$1=[_UTF-16LE'c'], EXPR$2=[30])
         :  +- LogicalValues(tuples=[[{ 0 }]])
         :- LogicalProject(EXPR$0=[3], EXPR$1=[_UTF-16LE'a'], EXPR$2=[null:INTEGER])
         :  +- LogicalValues(tuples=[[{ 0 }]])
         +- LogicalProject(EXPR$0=[2], EXPR$1=[_UTF-16LE'b'], EXPR$2=[5])
            +- LogicalValues(tuples=[[{ 0 }]])

== Optimized Physical Plan ==
Union(all=[true], union=[EXPR$0, EXPR$1, EXPR$2])
:- Calc(select=[1 AS EXPR$0, _UTF-16LE'a' AS EXPR$1, CAST(10 AS INTEGER) AS EXPR$2])
:  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
:- Calc(select=[2 AS EXPR$0, _UTF-16LE'b' AS EXPR$1, CAST(20 AS INTEGER) AS EXPR$2])
:  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
:- Calc(select=[1 AS EXPR$0, _UTF-16LE'c' AS EXPR$1, CAST(30 AS INTEGER) AS EXPR$2])
:  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
:- Calc(select=[3 AS EXPR$0, _UTF-16LE'a' AS EXPR$1, null:INTEGER AS EXPR$2])
:  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
+- Calc(select=[2 AS EXPR$0, _UTF-16LE'b' AS EXPR$1, CAST(5 AS INTEGER) AS EXPR$2])
   +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])

== Optimized Execution Plan ==
Union(all=[true], union=[EXPR$0, EXPR$1, EXPR$2])
:- Calc(select=[1 AS EXPR$0, 'a' AS EXPR$1, CAST(10 AS INTEGER) AS EXPR$2])
:  +- Values(tuples=[[{ 0 }]])(reuse_id=[1])
:- Calc(select=[2 AS EXPR$0, 'b' AS EXPR$1, CAST(20 AS INTEGER) AS EXPR$2])
:  +- Reused(reference_id=[1])
:- Calc(select=[1 AS EXPR$0, 'c' AS EXPR$1, CAST(30 AS INTEGER) AS EXPR$2])
:  +- Reused(reference_id=[1])
:- Calc(select=[3 AS EXPR$0, 'a' AS EXPR$1, null:INTEGER AS EXPR$2])
:  +- Reused(reference_id=[1])
+- Calc(select=[2 AS EXPR$0, 'b' AS EXPR$1, CAST(5 AS INTEGER) AS EXPR$2])
   +- Reused(reference_id=[1])
)plan");
}

TEST_CASE("plan: SELECT item FROM bids UNION SELECT name FROM t") {
  Planning planning = with_tables();
  CHECK(planning.explain(R"sql(SELECT item FROM bids UNION SELECT name FROM t)sql", {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalUnion(all=[false])
:- LogicalProject(item=[$1])
:  +- LogicalWatermarkAssigner(rowtime=[ts], watermark=[-($4, 1000:INTERVAL SECOND)])
:     +- LogicalTableScan(table=[[default_catalog, default_database, bids]])
+- LogicalProject(name=[$1])
   +- LogicalProject(id=[$0], name=[$1], v=[$2])
      +- LogicalProject(id=[$0], name=[$1], v=[$2])
         +- LogicalUnion(all=[true])
            :- LogicalProject(EXPR$0=[1], EXPR$1=[_UTF-16LE'a'], EXPR$2=[10])
            :  +- LogicalValues(tuples=[[{ 0 }]])
            :- LogicalProject(EXPR$0=[2], EXPR$1=[_UTF-16LE'b'], EXPR$2=[20])
            :  +- LogicalValues(tuples=[[{ 0 }]])
            :- LogicalProject(EXPR$0=[1], EXPR$1=[_UTF-16LE'c'], EXPR$2=[30])
            :  +- LogicalValues(tuples=[[{ 0 }]])
            :- LogicalProject(EXPR$0=[3], EXPR$1=[_UTF-16LE'a'], EXPR$2=[null:INTEGER])
            :  +- LogicalValues(tuples=[[{ 0 }]])
            +- LogicalProject(EXPR$0=[2], EXPR$1=[_UTF-16LE'b'], EXPR$2=[5])
               +- LogicalValues(tuples=[[{ 0 }]])

== Optimized Physical Plan ==
GroupAggregate(groupBy=[item], select=[item])
+- Exchange(distribution=[hash[item]])
   +- Union(all=[true], union=[item])
      :- Calc(select=[item])
      :  +- WatermarkAssigner(rowtime=[ts], watermark=[-(ts, 1000:INTERVAL SECOND)])
      :     +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, ts], metadata=[]]], fields=[item, ts])
      +- Union(all=[true], union=[name])
         :- Calc(select=[CAST(_UTF-16LE'a':VARCHAR(2147483647) CHARACTER SET "UTF-16LE" AS VARCHAR(2147483647) CHARACTER SET "UTF-16LE") AS name])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         :- Calc(select=[CAST(_UTF-16LE'b':VARCHAR(2147483647) CHARACTER SET "UTF-16LE" AS VARCHAR(2147483647) CHARACTER SET "UTF-16LE") AS name])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         :- Calc(select=[CAST(_UTF-16LE'c':VARCHAR(2147483647) CHARACTER SET "UTF-16LE" AS VARCHAR(2147483647) CHARACTER SET "UTF-16LE") AS name])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         :- Calc(select=[CAST(_UTF-16LE'a':VARCHAR(2147483647) CHARACTER SET "UTF-16LE" AS VARCHAR(2147483647) CHARACTER SET "UTF-16LE") AS name])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         +- Calc(select=[CAST(_UTF-16LE'b':VARCHAR(2147483647) CHARACTER SET "UTF-16LE" AS VARCHAR(2147483647) CHARACTER SET "UTF-16LE") AS name])
            +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])

== Optimized Execution Plan ==
GroupAggregate(groupBy=[item], select=[item])
+- Exchange(distribution=[hash[item]])
   +- Union(all=[true], union=[item])
      :- Calc(select=[item])
      :  +- WatermarkAssigner(rowtime=[ts], watermark=[(ts - 1000:INTERVAL SECOND)])
      :     +- TableSourceScan(table=[[default_catalog, default_database, bids, project=[item, ts], metadata=[]]], fields=[item, ts])
      +- Union(all=[true], union=[name])
         :- Calc(select=[CAST('a' AS VARCHAR(2147483647)) AS name])(reuse_id=[2])
         :  +- Values(tuples=[[{ 0 }]])(reuse_id=[1])
         :- Calc(select=[CAST('b' AS VARCHAR(2147483647)) AS name])(reuse_id=[3])
         :  +- Reused(reference_id=[1])
         :- Calc(select=[CAST('c' AS VARCHAR(2147483647)) AS name])
         :  +- Reused(reference_id=[1])
         :- Reused(reference_id=[2])
         +- Reused(reference_id=[3])
)plan");
}

TEST_CASE("plan: INSERT INTO p SELECT id, COUNT(*) FROM t GROUP BY id") {
  Planning planning = with_tables();
  CHECK(planning.explain(R"sql(INSERT INTO p SELECT id, COUNT(*) FROM t GROUP BY id)sql", {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalSink(table=[default_catalog.default_database.p], fields=[id, EXPR$1])
+- LogicalAggregate(group=[{0}], EXPR$1=[COUNT()])
   +- LogicalProject(id=[$0])
      +- LogicalProject(id=[$0], name=[$1], v=[$2])
         +- LogicalProject(id=[$0], name=[$1], v=[$2])
            +- LogicalUnion(all=[true])
               :- LogicalProject(EXPR$0=[1], EXPR$1=[_UTF-16LE'a'], EXPR$2=[10])
               :  +- LogicalValues(tuples=[[{ 0 }]])
               :- LogicalProject(EXPR$0=[2], EXPR$1=[_UTF-16LE'b'], EXPR$2=[20])
               :  +- LogicalValues(tuples=[[{ 0 }]])
               :- LogicalProject(EXPR$0=[1], EXPR$1=[_UTF-16LE'c'], EXPR$2=[30])
               :  +- LogicalValues(tuples=[[{ 0 }]])
               :- LogicalProject(EXPR$0=[3], EXPR$1=[_UTF-16LE'a'], EXPR$2=[null:INTEGER])
               :  +- LogicalValues(tuples=[[{ 0 }]])
               +- LogicalProject(EXPR$0=[2], EXPR$1=[_UTF-16LE'b'], EXPR$2=[5])
                  +- LogicalValues(tuples=[[{ 0 }]])

== Optimized Physical Plan ==
Sink(table=[default_catalog.default_database.p], fields=[id, EXPR$1])
+- GroupAggregate(groupBy=[id], select=[id, COUNT(*) AS EXPR$1])
   +- Exchange(distribution=[hash[id]])
      +- Union(all=[true], union=[id])
         :- Calc(select=[1 AS id])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         :- Calc(select=[2 AS id])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         :- Calc(select=[1 AS id])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         :- Calc(select=[3 AS id])
         :  +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])
         +- Calc(select=[2 AS id])
            +- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])

== Optimized Execution Plan ==
Sink(table=[default_catalog.default_database.p], fields=[id, EXPR$1])
+- GroupAggregate(groupBy=[id], select=[id, COUNT(*) AS EXPR$1])
   +- Exchange(distribution=[hash[id]])
      +- Union(all=[true], union=[id])
         :- Calc(select=[1 AS id])(reuse_id=[2])
         :  +- Values(tuples=[[{ 0 }]])(reuse_id=[1])
         :- Calc(select=[2 AS id])(reuse_id=[3])
         :  +- Reused(reference_id=[1])
         :- Reused(reference_id=[2])
         :- Calc(select=[3 AS id])
         :  +- Reused(reference_id=[1])
         +- Reused(reference_id=[3])
)plan");
}

TEST_CASE("plan: SELECT 1") {
  Planning planning = with_tables();
  CHECK(planning.explain(R"sql(SELECT 1)sql", {}) ==
        R"plan(== Abstract Syntax Tree ==
LogicalProject(EXPR$0=[1])
+- LogicalValues(tuples=[[{ 0 }]])

== Optimized Physical Plan ==
Calc(select=[1 AS EXPR$0])
+- Values(type=[RecordType(INTEGER ZERO)], tuples=[[{ 0 }]])

== Optimized Execution Plan ==
Calc(select=[1 AS EXPR$0])
+- Values(tuples=[[{ 0 }]])
)plan");
}

}  // namespace thalweg::planner
