"""Aggregate functions: groups, windows, retraction, views in accumulators, pandas."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row
from pyflink.table import DataTypes, EnvironmentSettings, ListView, MapView, TableEnvironment
from pyflink.table.expressions import call, col, lit
from pyflink.table.udf import AggregateFunction, FunctionContext, udaf
from pyflink.table.window import Session, Slide, Tumble


class Mean(AggregateFunction):
    """The mean, with all that Flink may ask for."""

    def create_accumulator(self) -> Row:
        return Row(0, 0)

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] += args[0]
            accumulator[1] += 1

    def retract(self, accumulator: Any, *args: Any) -> None:
        if args[0] is not None:
            accumulator[0] -= args[0]
            accumulator[1] -= 1

    def merge(self, accumulator: Any, accumulators: Any) -> None:
        for other in accumulators:
            accumulator[0] += other[0]
            accumulator[1] += other[1]

    def get_value(self, accumulator: Any) -> Any:
        return None if accumulator[1] == 0 else accumulator[0] / accumulator[1]

    def get_result_type(self) -> Any:
        return DataTypes.DOUBLE()

    def get_accumulator_type(self) -> Any:
        return DataTypes.ROW([DataTypes.FIELD("s", DataTypes.BIGINT()), DataTypes.FIELD("c", DataTypes.BIGINT())])


class Joined(AggregateFunction):
    """Texts in a ListView, with the separator of the last row."""

    def create_accumulator(self) -> Row:
        return Row(ListView(), "")

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        accumulator[0].add(args[0])
        accumulator[1] = args[1]

    def get_value(self, accumulator: Any) -> str:
        return str(accumulator[1].join(accumulator[0]))

    def get_result_type(self) -> Any:
        return DataTypes.STRING()

    def get_accumulator_type(self) -> Any:
        return DataTypes.ROW([DataTypes.FIELD("l", DataTypes.LIST_VIEW(DataTypes.STRING())), DataTypes.FIELD("s", DataTypes.STRING())])


class Kinds(AggregateFunction):
    """How many kinds there are, in a MapView."""

    def create_accumulator(self) -> Row:
        return Row(MapView(), 0)

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        seen = accumulator[0]
        seen[args[0]] = (seen[args[0]] if args[0] in seen else 0) + 1  # noqa: SIM401
        accumulator[1] = len(list(seen.keys()))

    def get_value(self, accumulator: Any) -> int:
        return int(accumulator[1])

    def get_result_type(self) -> Any:
        return DataTypes.BIGINT()

    def get_accumulator_type(self) -> Any:
        return DataTypes.ROW(
            [
                DataTypes.FIELD("m", DataTypes.MAP_VIEW(DataTypes.STRING(), DataTypes.BIGINT())),
                DataTypes.FIELD("n", DataTypes.BIGINT()),
            ]
        )


mean = udaf(Mean())
SCHEMA = DataTypes.ROW([DataTypes.FIELD("k", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.BIGINT())])
ROWS = [("a", 1), ("b", 10), ("a", 2), ("a", 5), ("b", None)]


def with_rows(environment: TableEnvironment) -> TableEnvironment:
    environment.get_config().set("parallelism.default", "1")
    environment.create_temporary_view("t", environment.from_elements(ROWS, SCHEMA))
    environment.create_temporary_function("mean", mean)
    return environment


@pytest.fixture
def rows(streaming: TableEnvironment) -> TableEnvironment:
    return with_rows(streaming)


def collected(result: Any) -> list[tuple[Any, ...]]:
    with result.collect() as found:
        return [(str(row.get_row_kind()), *row) for row in found]


def test_groups_send_the_last_value_of_a_bundle(rows: TableEnvironment) -> None:
    expected = [("+I", "a", 8 / 3), ("+I", "b", 10.0)]
    table = rows.from_path("t").group_by(col("k")).select(col("k"), mean(col("v")))
    assert collected(table.execute()) == expected
    assert collected(rows.execute_sql("SELECT k, mean(v) FROM t GROUP BY k")) == expected
    assert "PythonGroupAggregate(groupBy=[k]" in table.explain()
    by_name = rows.from_path("t").group_by(col("k")).select(col("k"), call("mean", col("v")))
    assert by_name.get_schema().get_field_names() == ["k", "EXPR$0"]
    assert rows.from_path("t").select(call("mean", col("v"))).get_schema().get_field_names() == ["EXPR$0"]


def test_small_bundles_send_updates(rows: TableEnvironment) -> None:
    rows.get_config().set("python.fn-execution.bundle.size", "2")
    assert collected(rows.execute_sql("SELECT k, mean(v) FROM t GROUP BY k")) == [
        ("+I", "a", 1.0),
        ("+I", "b", 10.0),
        ("-U", "a", 1.0),
        ("+U", "a", 8 / 3),
    ]


def test_mixed_with_built_in_functions_distinct_and_filter(rows: TableEnvironment) -> None:
    query = "SELECT SUM(v), mean(v) FILTER (WHERE v > 1), mean(DISTINCT v), COUNT(*) FROM (SELECT * FROM t UNION ALL SELECT * FROM t)"
    rows.get_config().set("execution.runtime-mode", "batch")
    [found] = collected(rows.execute_sql(query))
    assert found == ("+I", 36, 34 / 6, 4.5, 10)


def test_updates_are_taken_back(rows: TableEnvironment) -> None:
    query = "SELECT mean(n) FROM (SELECT k, SUM(v) AS n FROM t GROUP BY k)"
    assert collected(rows.execute_sql(query))[-1][1:] == (9.0,)


def test_batch_groups(batch: TableEnvironment) -> None:
    environment = with_rows(batch)
    assert sorted(collected(environment.execute_sql("SELECT k, mean(v) FROM t GROUP BY k"))) == [("+I", "a", 8 / 3), ("+I", "b", 10.0)]


def test_views_in_accumulators(rows: TableEnvironment) -> None:
    table = rows.from_path("t").group_by(col("k"))
    joined = udaf(Joined())
    assert sorted(collected(table.select(col("k"), joined(col("k"), "-")).execute())) == [("+I", "a", "a-a-a"), ("+I", "b", "b-b")]
    kinds = udaf(Kinds())
    assert collected(rows.from_path("t").select(kinds(col("k"))).execute())[-1][1] == 2


@pytest.fixture
def timed(streaming: TableEnvironment, tmp_path: Path) -> TableEnvironment:
    file = tmp_path / "in.csv"
    file.write_text("a,3,2025-01-01 10:00:00\na,4,2025-01-01 10:00:08\nb,1,2025-01-01 10:00:09\na,5,2025-01-01 10:01:30\n")
    streaming.get_config().set("parallelism.default", "1")
    streaming.execute_sql(
        f"""CREATE TABLE m (k STRING, v BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND)
            WITH ('connector' = 'filesystem', 'path' = '{file}', 'format' = 'csv')"""
    )
    streaming.create_temporary_function("mean", mean)
    return streaming


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        (Tumble.over(lit(1).minutes), [("a", "10:00:00", 3.5), ("a", "10:01:00", 5.0), ("b", "10:00:00", 1.0)]),
        (
            Slide.over(lit(2).minutes).every(lit(1).minutes),
            [("a", "09:59:00", 3.5), ("a", "10:00:00", 4.0), ("a", "10:01:00", 5.0), ("b", "09:59:00", 1.0), ("b", "10:00:00", 1.0)],
        ),
        (Session.with_gap(lit(10).seconds), [("a", "10:00:00", 3.5), ("a", "10:01:30", 5.0), ("b", "10:00:09", 1.0)]),
    ],
)
def test_group_windows(timed: TableEnvironment, window: Any, expected: list[tuple[Any, ...]]) -> None:
    table = timed.from_path("m").window(window.on(col("ts")).alias("w")).group_by(col("w"), col("k"))
    with table.select(col("k"), col("w").start, mean(col("v"))).execute().collect() as found:
        assert sorted((r[0], f"{r[1]:%H:%M:%S}", r[2]) for r in found) == expected


@pytest.mark.parametrize(
    ("window", "expected"),
    [
        ("TUMBLE(TABLE m, DESCRIPTOR(ts), INTERVAL '1' MINUTE)", [("a", 3.5), ("a", 5.0), ("b", 1.0)]),
        (
            "HOP(TABLE m, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)",
            [("a", 3.5), ("a", 4.0), ("a", 5.0), ("b", 1.0), ("b", 1.0)],
        ),
        ("SESSION(TABLE m PARTITION BY k, DESCRIPTOR(ts), INTERVAL '10' SECOND)", [("a", 3.5), ("a", 5.0), ("b", 1.0)]),
    ],
)  # fmt: skip
def test_window_functions(timed: TableEnvironment, window: str, expected: list[tuple[Any, ...]]) -> None:
    query = f"SELECT k, mean(v) FROM TABLE({window}) GROUP BY window_start, window_end, k"
    assert sorted(row[1:] for row in collected(timed.execute_sql(query))) == expected


def test_aggregate_of_rows(rows: TableEnvironment) -> None:
    class CountAndSum(AggregateFunction):
        def create_accumulator(self) -> Row:
            return Row(0, 0)

        def accumulate(self, accumulator: Any, *args: Any) -> None:
            accumulator[0] += 1
            accumulator[1] += args[0].v or 0

        def get_value(self, accumulator: Any) -> Row:
            return Row(accumulator[0], accumulator[1])

        def get_result_type(self) -> Any:
            return "ROW<n BIGINT, s BIGINT>"

        def get_accumulator_type(self) -> Any:
            return "ROW<n BIGINT, s BIGINT>"

    counted = udaf(CountAndSum())
    table = rows.from_path("t").group_by(col("k")).aggregate(counted.alias("n", "s"))
    assert sorted(collected(table.select(col("k"), col("n"), col("s")).execute())) == [("+I", "a", 3, 8), ("+I", "b", 2, 10)]
    named = rows.from_path("t").aggregate(counted.alias("c", "d")).select(col("c"), col("d"))
    assert named.get_schema().get_field_names() == ["c", "d"]
    assert collected(named.execute())[-1][1:] == (5, 18)


def test_pandas_aggregates(batch: TableEnvironment) -> None:
    pytest.importorskip("pandas")
    environment = with_rows(batch)

    @udaf(result_type=DataTypes.DOUBLE(), func_type="pandas")
    def middle(values: Any) -> Any:
        return values.mean()

    table = environment.from_path("t").group_by(col("k")).select(col("k"), middle(col("v")))
    assert sorted(collected(table.execute())) == [("+I", "a", 8 / 3), ("+I", "b", 10.0)]
    both = udaf(
        lambda frame: (frame.v.sum(), frame.k.iloc[0]),
        result_type=DataTypes.ROW([DataTypes.FIELD("s", DataTypes.DOUBLE()), DataTypes.FIELD("f", DataTypes.STRING())]),
        func_type="pandas",
        name="both",
    )
    flat = environment.from_path("t").group_by(col("k")).aggregate(both.alias("s", "f")).select(col("k"), col("s"), col("f"))
    assert sorted(collected(flat.execute())) == [("+I", "a", 8.0, "a"), ("+I", "b", 10.0, "b")]


def test_errors_name_the_function_and_the_row(rows: TableEnvironment) -> None:
    class Broken(Mean):
        def accumulate(self, accumulator: Any, *args: Any) -> None:
            raise ValueError(f"not {args[0]}")

    class Unopened(Mean):
        def open(self, function_context: FunctionContext) -> None:
            raise RuntimeError("no model")

    table = rows.from_path("t")
    with pytest.raises(Py4JJavaError, match="ValueError: not 1") as caught:
        table.select(udaf(Broken(), name="broken")(col("v"))).execute().print()
    assert "broken(" in str(caught.value)
    with pytest.raises(Py4JJavaError, match="could not be opened") as caught:
        table.select(udaf(Unopened(), name="unopened")(col("v"))).execute().print()
    assert "RuntimeError: no model" in str(caught.value)
    with pytest.raises(TypeError, match="AggregateFunction"):
        udaf(lambda x: x, result_type=DataTypes.BIGINT(), accumulator_type=DataTypes.BIGINT())


class Seen(AggregateFunction):
    """Counts and adds up, with an accumulator that holds views."""

    def create_accumulator(self) -> Row:
        return Row(MapView(), [0])

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        accumulator[0][args[0] % 3] = True
        accumulator[1][0] += args[0]

    def get_value(self, accumulator: Any) -> Row:
        return Row(len(list(accumulator[0].keys())), accumulator[1][0])

    def get_result_type(self) -> Any:
        return "ROW<kinds INT, total BIGINT>"

    def get_accumulator_type(self) -> Any:
        return "ROW<m MAP<BIGINT, BOOLEAN>, s ARRAY<BIGINT>>"


def test_accumulators_are_in_savepoints(tmp_path: Path) -> None:
    def start(recovery: str | None) -> Any:
        environment = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        environment.get_config().set("parallelism.default", "1").set("python.fn-execution.bundle.time", "20 ms")
        if recovery:
            environment.get_config().set("execution.state-recovery.path", recovery)
        environment.execute_sql(
            """CREATE TABLE s (x BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000', 'fields.x.kind' = 'sequence',
               'fields.x.start' = '1', 'fields.x.end' = '1500')"""
        )
        environment.create_temporary_function("seen", udaf(Seen()))
        return environment.execute_sql("SELECT seen(x) FROM s")

    first = start(None)
    with first.collect() as rows:
        some = next(rows)[0]
        path = first.get_job_client().stop_with_savepoint(False, str(tmp_path)).result()
    assert 0 < some[1] < 1500 * 1501 // 2
    with start(path).collect() as rows:
        last = list(rows)[-1][0]
    assert tuple(last) == (3, 1500 * 1501 // 2)
