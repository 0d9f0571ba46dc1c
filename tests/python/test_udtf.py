"""Table functions: lateral joins in SQL and the Table API, and what functions may give."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row
from pyflink.table import DataTypes, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import TableFunction, udf, udtf

SPLIT = [DataTypes.STRING(), DataTypes.INT()]


@udtf(result_types=SPLIT)
def pieces(text: str | None) -> Iterator[tuple[str, int]]:
    for place, piece in enumerate((text or "").split()):
        yield piece, place


class Counted(TableFunction):
    """Counts its rows from `open` on."""

    def open(self, function_context: Any) -> None:
        self.seen = 0

    def eval(self, *args: Any) -> Any:
        self.seen += 1
        return [self.seen] * args[0]


@pytest.fixture
def lines(streaming: TableEnvironment) -> TableEnvironment:
    streaming.get_config().set("parallelism.default", "1")
    rows = [(1, "red fox"), (2, ""), (3, "owl"), (4, None)]
    schema = DataTypes.ROW([DataTypes.FIELD("id", DataTypes.INT()), DataTypes.FIELD("line", DataTypes.STRING())])
    streaming.create_temporary_view("lines", streaming.from_elements(rows, schema))
    streaming.create_temporary_system_function("pieces", pieces)
    return streaming


def collected(result: Any) -> list[tuple[Any, ...]]:
    with result.collect() as rows:
        return [tuple(row) for row in rows]


INNER = [(1, "red", 0), (1, "fox", 1), (3, "owl", 0)]
LEFT = [(1, "red", 0), (1, "fox", 1), (2, None, None), (3, "owl", 0), (4, None, None)]


@pytest.mark.parametrize(
    ("join", "expected"),
    [
        (", LATERAL TABLE(pieces(line)) AS p(w, k)", INNER),
        ("CROSS JOIN LATERAL TABLE(pieces(line)) AS p(w, k)", INNER),
        ("JOIN LATERAL TABLE(pieces(line)) AS p(w, k) ON TRUE", INNER),
        ("JOIN LATERAL TABLE(pieces(line)) AS p(w, k) ON k = 0", [r for r in INNER if r[2] == 0]),
        ("LEFT JOIN LATERAL TABLE(pieces(line)) AS p(w, k) ON TRUE", LEFT),
    ],
)
def test_lateral_joins_of_sql(lines: TableEnvironment, join: str, expected: list[tuple[Any, ...]]) -> None:
    assert collected(lines.execute_sql(f"SELECT id, w, k FROM lines {join}")) == expected


def test_lateral_joins_of_tables(lines: TableEnvironment) -> None:
    table = lines.from_path("lines")
    inner = table.join_lateral(pieces(col("line")).alias("w", "k")).select(col("id"), col("w"), col("k"))
    assert collected(inner.execute()) == INNER
    left = table.left_outer_join_lateral(pieces(table.line).alias("w", "k")).select(col("id"), col("w"), col("k"))
    assert collected(left.execute()) == LEFT
    filtered = table.join_lateral(pieces(table.line).alias("w", "k"), col("k") == 1).select(col("w"))
    assert collected(filtered.execute()) == [("fox",)]


def test_a_function_that_takes_the_row(lines: TableEnvironment) -> None:
    @udtf(result_types=[DataTypes.INT(), DataTypes.STRING()])
    def twice(row: Row) -> Iterator[Row]:
        if row.line:
            yield Row(row.id, row[1])
            yield Row(row.id * 10, row.line)

    table = lines.from_path("lines")
    assert collected(table.flat_map(twice).execute()) == [(1, "red fox"), (10, "red fox"), (3, "owl"), (30, "owl")]
    assert table.flat_map(twice).alias("n", "text").get_schema().get_field_names() == ["n", "text"]
    joined = table.join_lateral(twice.alias("n", "text")).select(col("id"), col("n"))
    assert collected(joined.execute()) == [(1, 1), (1, 10), (3, 3), (3, 30)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, []),
        (5, [5]),
        ([1, 2], [1, 2]),
        (range(3), [0, 1, 2]),
        ((4,), [4]),
        (Row(6), [6]),
        ([Row(1), (2,), 3, None], [1, 2, 3, None]),
        (iter([7, 8]), [7, 8]),
        ([], []),
    ],
)
def test_what_a_function_may_give(lines: TableEnvironment, given: Any, expected: list[Any]) -> None:
    values = list(given) if hasattr(given, "__next__") else given
    function = udtf(lambda _: iter(values) if hasattr(given, "__next__") else values, result_types=DataTypes.INT(), name="give")
    one = lines.from_path("lines").where(col("id") == 3)
    assert [r[0] for r in collected(one.flat_map(function).execute())] == expected


def test_object_functions_and_chains(lines: TableEnvironment) -> None:
    counted = udtf(Counted(), result_types=["INT"])
    double = udf(lambda n: n * 2, result_type=DataTypes.INT())
    table = lines.from_path("lines").join_lateral(counted(double(col("id"))).alias("n")).select(col("id"), col("n"))
    assert collected(table.where(col("id") < 3).execute()) == [(1, 1), (1, 1), (2, 2), (2, 2), (2, 2), (2, 2)]


def test_rows_before_an_error_are_sent(lines: TableEnvironment, tmp_path: Any) -> None:
    @udtf(result_types=[DataTypes.INT()])
    def breaks(number: int) -> Iterator[int]:
        yield number
        if number == 3:
            raise ValueError("no more")

    lines.create_temporary_system_function("breaks", breaks)
    lines.execute_sql(
        f"CREATE TEMPORARY TABLE out_rows (n INT) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/out', 'format' = 'csv')"
    )
    with pytest.raises(Py4JJavaError) as caught:
        lines.execute_sql("INSERT INTO out_rows SELECT n FROM lines, LATERAL TABLE(breaks(id)) AS b(n)").wait()
    text = str(caught.value)
    assert "ValueError: no more" in text
    assert "breaks(3) failed" in text
    assert "test_udtf.py" in text


def test_endless_generators_make_progress(lines: TableEnvironment) -> None:
    @udtf(result_types=[DataTypes.BIGINT()])
    def forever(_: Row) -> Iterator[int]:
        number = 0
        while True:
            yield number
            number += 1

    with lines.from_path("lines").flat_map(forever).execute().collect() as rows:
        found = [next(rows)[0] for _ in range(5000)]
    assert found == list(range(5000))


def test_errors_are_clear(lines: TableEnvironment) -> None:
    with pytest.raises(Py4JJavaError, match=r"Cannot call table function here: .*pieces"):
        lines.execute_sql("SELECT pieces(line) FROM lines")
    with pytest.raises(Py4JJavaError, match="same degree"):
        lines.execute_sql("SELECT * FROM lines, LATERAL TABLE(pieces(line)) AS p(w)")
    with pytest.raises(Py4JJavaError, match="takes 1 argument, not 2"):
        lines.execute_sql("SELECT * FROM lines, LATERAL TABLE(pieces(line, id)) AS p(w, k)")
    with pytest.raises(Py4JJavaError, match="gives a value, not rows"):
        lines.execute_sql("SELECT * FROM lines, LATERAL TABLE(UPPER(line)) AS p(w)")
    wrong = udtf(lambda row: [("x", 1)], result_types=[DataTypes.INT(), DataTypes.INT()], name="wrong")
    with pytest.raises(Py4JJavaError, match="wrong gave a value that is not of its type"):
        lines.from_path("lines").flat_map(wrong).execute().print()
    short = udtf(lambda row: [(1,)], result_types=[DataTypes.INT(), DataTypes.INT()], name="short")
    with pytest.raises(Py4JJavaError, match="has 2 fields, but 1 values"):
        lines.from_path("lines").flat_map(short).execute().print()
    with pytest.raises(TypeError, match="Invalid result_type"):
        udtf(lambda x: x, result_types=[5])


def test_unnest(lines: TableEnvironment) -> None:
    rows = "(VALUES (1, ARRAY['a', 'b']), (2, ARRAY['c'])) AS v(id, tags)"
    assert collected(lines.execute_sql(f"SELECT id, tag FROM {rows} CROSS JOIN UNNEST(tags) AS t(tag)")) == [
        (1, "a"),
        (1, "b"),
        (2, "c"),
    ]
    assert collected(lines.execute_sql("SELECT k, v FROM (VALUES (MAP['x', 1, 'y', 2])) AS m(m), UNNEST(m) AS t(k, v)")) == [
        ("x", 1),
        ("y", 2),
    ]
    assert collected(lines.execute_sql("SELECT n, p FROM UNNEST(ARRAY[5, 6]) WITH ORDINALITY AS t(n, p)")) == [(5, 1), (6, 2)]


@pytest.mark.parametrize("name", ["udptf", "ProcessTableFunction", "ProcessTableFunctionArgument"])
def test_process_table_functions_are_not_in_this_version_of_flink(name: str) -> None:
    with pytest.raises(ImportError, match=f"{name}.* not part of Flink 2.3; use a table function"):
        getattr(importlib.import_module("pyflink.table.udf"), name)
