"""Aggregates that give rows: of whole tables, of groups, of windows; and the classes they derive from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from pyflink.common import Row
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment, utils
from pyflink.table.expressions import col, lit
from pyflink.table.resolved_expression import ResolvedExpression
from pyflink.table.udf import AggregateFunction, TableAggregateFunction, udaf, udtaf
from pyflink.table.window import Tumble

PAIR = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.BIGINT()), DataTypes.FIELD("twice", DataTypes.BIGINT())])


class Count(AggregateFunction):  # type: ignore[type-arg]
    """How many values there are, and twice that."""

    def create_accumulator(self) -> list[int]:
        return [0]

    def accumulate(self, accumulator: list[int], *args: Any) -> None:
        accumulator[0] += 1

    def get_value(self, accumulator: list[int]) -> Row:
        return Row(accumulator[0], accumulator[0] * 2)

    def get_result_type(self) -> Any:
        return PAIR

    def get_accumulator_type(self) -> Any:
        return DataTypes.ARRAY(DataTypes.BIGINT())


class Ends(TableAggregateFunction):  # type: ignore[type-arg]
    """The least and the greatest value, a row each."""

    def create_accumulator(self) -> list[int]:
        return []

    def accumulate(self, accumulator: list[int], *args: Any) -> None:
        accumulator.append(args[0])

    def emit_value(self, accumulator: list[int]) -> Iterator[Row]:
        yield Row("least", min(accumulator))
        yield Row("most", max(accumulator))

    def get_result_type(self) -> Any:
        return DataTypes.ROW([DataTypes.FIELD("what", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.BIGINT())])

    def get_accumulator_type(self) -> Any:
        return DataTypes.ARRAY(DataTypes.BIGINT())


@pytest.fixture
def batch() -> TableEnvironment:
    return TableEnvironment.create(EnvironmentSettings.in_batch_mode())


def rows(table: Any) -> list[tuple[Any, ...]]:
    with table.execute().collect() as found:
        return sorted(tuple(row) for row in found)


def test_of_a_whole_table(batch: TableEnvironment) -> None:
    table = batch.from_elements([(1, 5), (2, 7), (1, 6)], ["k", "v"])
    ends, count = udtaf(Ends()), udaf(Count())
    assert rows(table.flat_aggregate(ends(col("v"))).select(col("what"), col("v"))) == [("least", 5), ("most", 7)]
    assert rows(table.aggregate(count(col("v")).alias("n", "twice")).select(col("twice"))) == [(6,)]


def test_of_groups(batch: TableEnvironment) -> None:
    table = batch.from_elements([(1, 5), (2, 7), (1, 6)], ["k", "v"]).group_by(col("k"))
    count = udaf(Count())
    assert rows(table.aggregate(count(col("v")).alias("n", "twice")).select(col("k"), col("n"))) == [(1, 2), (2, 1)]


def test_of_windows(batch: TableEnvironment) -> None:
    batch.execute_sql(
        "CREATE TABLE timed(a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '3')"
    )
    window = Tumble.over(lit(1).days).on(col("ts")).alias("w")
    count = udaf(Count())
    grouped = batch.from_path("timed").window(window).group_by(col("w"))
    assert sum(n for (n,) in rows(grouped.aggregate(count(col("a")).alias("n", "twice")).select(col("n")))) == 3


def test_operands_of_resolved_expressions() -> None:
    known = ResolvedExpression(((lit(1) + lit(2, DataTypes.BIGINT()))._tree, DataTypes.BIGINT()))
    children = known.get_resolved_children()
    assert [child.get_output_data_type() for child in children] == [DataTypes.INT().not_null(), DataTypes.BIGINT()]


def test_columns_to_arrow_and_back() -> None:
    schema = pa.schema([("a", pa.int64()), ("b", pa.string())])
    kinds = [DataTypes.BIGINT(), DataTypes.STRING()]
    batch = utils.pandas_to_arrow(schema, "UTC", kinds, [pd.Series([1, 2]), pd.Series(["x", None])])
    assert batch.to_pydict() == {"a": [1, 2], "b": ["x", None]}
    assert [list(column) for column in utils.arrow_to_pandas("UTC", kinds, [batch])] == [[1, 2], ["x", None]]
