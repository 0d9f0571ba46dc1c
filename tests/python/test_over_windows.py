"""OVER windows of the Table API, and users' functions over them: as SQL's, whose plans they share."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import pytest
from pyflink.common import Row
from pyflink.table import AggregateFunction, DataTypes, Table, TableEnvironment
from pyflink.table.expressions import (
    CURRENT_RANGE,
    CURRENT_ROW,
    UNBOUNDED_RANGE,
    UNBOUNDED_ROW,
    call,
    col,
    lit,
    row_interval,
)
from pyflink.table.udf import udaf
from pyflink.table.window import Over, OverWindow
from pyflink.util.exceptions import TableException, ValidationException

LINES = ["1,A,4,08:05", "2,A,2,08:07", "3,B,5,08:09", "4,B,3,08:11", "5,C,1,08:13", "6,A,6,08:17"]
BY_ITEM = Over.partition_by(col("item")).order_by(col("ts"))


@pytest.fixture
def table(tmp_path: pathlib.Path) -> Callable[[TableEnvironment], Table]:
    path = tmp_path / "bids.csv"
    path.write_text("".join("{},{},{},2020-04-15 {}:00\n".format(*line.split(",")) for line in LINES))

    def made(environment: TableEnvironment) -> Table:
        environment.execute_sql(
            "CREATE TABLE bids (id INT, item STRING, price INT, ts TIMESTAMP(3), pt AS PROCTIME(), "
            "WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) "
            f"WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv')"
        )
        return environment.from_path("bids")

    return made


def rows(table: Table) -> list[tuple[object, ...]]:
    with table.execute().collect() as found:
        return [tuple(row) for row in found]


@pytest.mark.parametrize(
    ("window", "sums"),
    [
        (BY_ITEM.alias("w"), [4, 6, 5, 8, 1, 12]),
        (BY_ITEM.preceding(UNBOUNDED_RANGE).following(CURRENT_RANGE).alias("w"), [4, 6, 5, 8, 1, 12]),
        (BY_ITEM.preceding(UNBOUNDED_ROW).alias("w"), [4, 6, 5, 8, 1, 12]),
        (BY_ITEM.preceding(row_interval(1)).following(CURRENT_ROW).alias("w"), [4, 6, 5, 8, 1, 8]),
        (BY_ITEM.preceding(lit(5).minutes).alias(col("w")), [4, 6, 5, 8, 1, 6]),
        (Over.order_by(col("ts")).preceding(row_interval(2)).alias("w"), [4, 6, 11, 10, 9, 10]),
        (Over.partition_by(col("item").lower_case).order_by(col("pt")).alias("w"), [4, 6, 5, 8, 1, 12]),
    ],
)
def test_frames(streaming: TableEnvironment, table: Callable[[TableEnvironment], Table], window: OverWindow, sums: list[int]) -> None:
    result = table(streaming).over_window(window).select(col("id"), col("price").sum.over(col("w")).alias("s"))
    assert sorted(rows(result)) == [(i + 1, s) for i, s in enumerate(sums)]


def test_the_plan_is_that_of_sql(streaming: TableEnvironment, table: Callable[[TableEnvironment], Table]) -> None:
    over = table(streaming).over_window(BY_ITEM.preceding(row_interval(1)).alias("w"))
    built = over.select(col("id"), col("price").max.over(col("w")).alias("m"), col("price").count.distinct.over(col("w")).alias("n"))
    frame = "OVER (PARTITION BY item ORDER BY ts ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"
    written = streaming.sql_query(f"SELECT id, MAX(price) {frame} AS m, COUNT(DISTINCT price) {frame} AS n FROM bids")
    assert built.explain() == written.explain()


def test_functions_are_called_themselves(batch: TableEnvironment, table: Callable[[TableEnvironment], Table]) -> None:
    """SQL's planner makes an average from a sum and a count; the Table API calls the function."""
    over = table(batch).over_window(Over.order_by(col("ts")).preceding(UNBOUNDED_ROW).alias("w"))
    called = over.select(col("price").avg.over(col("w")))
    frame = "OVER (ORDER BY ts ROWS UNBOUNDED PRECEDING)"
    written = batch.sql_query(f"SELECT AVG(price) {frame} FROM bids")
    assert "AVG(price)" in called.explain()
    assert "AVG(price)" not in written.explain()
    assert rows(called) == rows(written) == [(4,), (3,), (3,), (3,), (3,), (3,)]


def test_names_and_expressions(batch: TableEnvironment, table: Callable[[TableEnvironment], Table]) -> None:
    over = table(batch).over_window(BY_ITEM.alias("w"))
    result = over.select(col("id"), col("price").sum.over(col("w")), col("price") - col("price").min.over(col("w")))
    assert result.get_schema().get_field_names() == ["id", "_c1", "_c2"]
    assert sorted(rows(result)) == [(1, 4, 0), (2, 6, 0), (3, 5, 0), (4, 8, 0), (5, 1, 0), (6, 12, 4)]


def test_batch_looks_ahead_and_orders_by_anything(batch: TableEnvironment, table: Callable[[TableEnvironment], Table]) -> None:
    bids = table(batch)
    ahead = bids.over_window(BY_ITEM.preceding(row_interval(0)).following(row_interval(1)).alias("w"))
    assert sorted(rows(ahead.select(col("id"), col("price").sum.over(col("w"))))) == [(1, 6), (2, 8), (3, 8), (4, 3), (5, 1), (6, 6)]
    by_price = bids.over_window(Over.order_by(col("price")).preceding(UNBOUNDED_RANGE).following(UNBOUNDED_RANGE).alias("w"))
    assert rows(by_price.select(col("price"), col("id").count.over(col("w"))))[0] == (1, 6)


class Total(AggregateFunction):  # type: ignore[misc]
    def create_accumulator(self) -> Row:
        return Row(0)

    def accumulate(self, accumulator: Row, value: int) -> None:
        accumulator[0] += value

    def retract(self, accumulator: Row, value: int) -> None:
        accumulator[0] -= value

    def get_value(self, accumulator: Row) -> int:
        return int(accumulator[0])


def test_users_functions(streaming: TableEnvironment, batch: TableEnvironment, table: Callable[[TableEnvironment], Table]) -> None:
    total = udaf(Total(), result_type=DataTypes.BIGINT(), accumulator_type=DataTypes.ROW([DataTypes.FIELD("sum", DataTypes.BIGINT())]))
    mean = udaf(lambda prices: prices.mean(), result_type=DataTypes.DOUBLE(), func_type="pandas")
    for environment in (streaming, batch):
        last_two = table(environment).over_window(BY_ITEM.preceding(row_interval(1)).alias("w"))
        result = last_two.select(col("id"), call(total, col("price")).over(col("w")), call(mean, col("price")).over(col("w")))
        assert sorted(rows(result)) == [(1, 4, 4.0), (2, 6, 3.0), (3, 5, 5.0), (4, 8, 4.0), (5, 1, 1.0), (6, 8, 4.0)]
        environment.create_temporary_system_function("mean", mean)
        frame = "ORDER BY ts RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND CURRENT ROW"
        in_sql = environment.sql_query(f"SELECT id, mean(price) OVER (PARTITION BY item {frame}) FROM bids")
        assert sorted(rows(in_sql)) == [(1, 4.0), (2, 3.0), (3, 5.0), (4, 4.0), (5, 1.0), (6, 6.0)]
    assert "PythonOverAggregate(partitionBy=[item]" in result.explain()


class Mean(AggregateFunction):
    """It has no value for no rows, and takes none back."""

    def create_accumulator(self) -> list[int]:
        return [0, 0]

    def accumulate(self, accumulator: list[int], value: int) -> None:
        accumulator[0] += value
        accumulator[1] += 1

    def get_value(self, accumulator: list[int]) -> float:
        return accumulator[0] / accumulator[1]


@pytest.mark.parametrize(
    "frame", ["ROWS UNBOUNDED PRECEDING", "ROWS 1 PRECEDING", "RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND CURRENT ROW", ""]
)
def test_users_functions_never_see_an_empty_frame(
    streaming: TableEnvironment, batch: TableEnvironment, table: Callable[[TableEnvironment], Table], frame: str
) -> None:
    last = udaf(lambda prices: prices.iloc[-1], result_type=DataTypes.BIGINT(), func_type="pandas")
    for environment in (streaming, batch):
        table(environment)
        environment.create_temporary_system_function("last_price", last)
        result = environment.sql_query(f"SELECT id, last_price(price) OVER (PARTITION BY item ORDER BY ts {frame}) FROM bids")
        assert sorted(rows(result)) == [(1, 4), (2, 2), (3, 5), (4, 3), (5, 1), (6, 6)]


@pytest.mark.parametrize("order", ["ts", "id"])
def test_users_functions_are_asked_only_behind_rows(
    streaming: TableEnvironment, batch: TableEnvironment, table: Callable[[TableEnvironment], Table], order: str
) -> None:
    mean = udaf(Mean(), result_type=DataTypes.DOUBLE(), accumulator_type=DataTypes.ARRAY(DataTypes.BIGINT()))
    for environment in (streaming, batch):
        table(environment)
        environment.create_temporary_system_function("mean_price", mean)
        running = environment.sql_query(f"SELECT id, mean_price(price) OVER (PARTITION BY item ORDER BY {order}) FROM bids")
        assert sorted(rows(running)) == [(1, 4.0), (2, 3.0), (3, 5.0), (4, 4.0), (5, 1.0), (6, 4.0)]


def test_what_a_window_cannot_be(streaming: TableEnvironment, table: Callable[[TableEnvironment], Table]) -> None:
    bids = table(streaming)

    def summed(window: OverWindow) -> Table:
        return bids.over_window(window).select(col("price").sum.over(col("w")))

    with pytest.raises(ValidationException, match=r"Cannot resolve field \[nope\], input field list:\[id, item, price, ts, pt\]"):
        summed(Over.partition_by(col("nope")).order_by(col("ts")).alias("w"))
    with pytest.raises(ValidationException, match="Preceding and following must be of same interval type"):
        summed(BY_ITEM.preceding(row_interval(2)).following(CURRENT_RANGE).alias("w"))
    with pytest.raises(ValidationException, match="Could not resolve over call"):
        bids.over_window(BY_ITEM.alias("v")).select(col("price").sum.over(col("w")))
    with pytest.raises(
        ValidationException, match=r"takes OVER windows with a name, .*alias\('w'\) for one, not OverWindowPartitionedOrdered"
    ):
        bids.over_window(BY_ITEM)  # type: ignore[arg-type]
    with pytest.raises(ValidationException, match="Two over windows are named 'w'"):
        bids.over_window(BY_ITEM.alias("w"), Over.order_by(col("ts")).alias("w"))
    with pytest.raises(ValidationException, match="No over window is named 'w'"):
        bids.group_by(col("item")).select(col("price").sum.over(col("w")))
    with pytest.raises(ValidationException, match=r"Illegal use of 'NULL'(?s:.*)CAST\(NULL AS STRING\)"):
        streaming.sql_query("SELECT LAG(price, 1, NULL) OVER (ORDER BY ts) FROM bids")
    with pytest.raises(ValidationException, match="OVER must be applied to aggregate function"):
        bids.over_window(BY_ITEM.alias("w")).select(col("item").upper_case.over(col("w")))
    with pytest.raises(TableException, match="OVER RANGE FOLLOWING windows are not supported yet"):
        summed(BY_ITEM.preceding(row_interval(2)).following(row_interval(2)).alias("w")).execute()
    both = bids.over_window(BY_ITEM.alias("w"), Over.order_by(col("ts")).alias("v"))
    with pytest.raises(TableException, match="All aggregates must be computed on the same window"):
        both.select(col("price").sum.over(col("w")), col("price").sum.over(col("v"))).execute()
