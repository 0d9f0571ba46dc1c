"""Python functions in SQL and the Table API."""

from __future__ import annotations

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row
from pyflink.table import DataTypes, TableEnvironment
from pyflink.table.expressions import call, col
from pyflink.table.udf import FunctionContext, ScalarFunction, udf


@udf(result_type=DataTypes.BIGINT())
def plus(x: int | None, y: int) -> int | None:
    return None if x is None else x + y


class Scaled(ScalarFunction):
    """Counts on `open` having been called first."""

    def open(self, function_context: FunctionContext) -> None:
        self.factor = 3

    def eval(self, *args: Any) -> Any:
        return None if args[0] is None else args[0] * self.factor


@pytest.fixture
def numbers(streaming: TableEnvironment) -> TableEnvironment:
    table = streaming.from_elements(
        [("a", 1), ("b", 10), ("b", None)],
        DataTypes.ROW([DataTypes.FIELD("k", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.BIGINT())]),
    )
    streaming.create_temporary_view("numbers", table)
    return streaming


def test_functions_in_expressions(numbers: TableEnvironment) -> None:
    table = numbers.from_path("numbers")
    scaled = udf(Scaled(), result_type="BIGINT")
    rows = table.select(col("k"), plus(col("v"), 1), scaled(plus(table.v, table.v))).execute().collect()
    assert [tuple(r) for r in rows] == [("a", 2, 6), ("b", 11, 60), ("b", None, None)]


def test_functions_by_name(numbers: TableEnvironment) -> None:
    numbers.create_temporary_system_function("py_plus", plus)
    rows = numbers.execute_sql("SELECT k, py_plus(v, 100) FROM numbers WHERE py_plus(v, 0) > 1").collect()
    assert [tuple(r) for r in rows] == [("b", 110)]
    rows = numbers.from_path("numbers").select(call("py_plus", col("v"), 5)).execute().collect()
    assert [r[0] for r in rows] == [6, 15, None]
    assert numbers.list_user_defined_functions() == ["py_plus"]
    assert numbers.drop_temporary_system_function("py_plus")
    with pytest.raises(Py4JJavaError, match=r"(?i)py_plus"):
        numbers.execute_sql("SELECT py_plus(v, 1) FROM numbers")


def test_rows_go_in_and_come_out(numbers: TableEnvironment) -> None:
    result = DataTypes.ROW([DataTypes.FIELD("up", DataTypes.STRING()), DataTypes.FIELD("n", DataTypes.BIGINT())])

    @udf(result_type=result)
    def change(row: Row) -> Row:
        return Row(row.a.upper(), row[1] + 1)

    numbers.create_temporary_function("change", change)
    [found] = numbers.execute_sql("SELECT change(CAST(ROW('x', 1) AS ROW<a STRING, b BIGINT>))").collect()
    assert found[0] == Row("X", 2)


def test_pandas_functions(numbers: TableEnvironment) -> None:
    pytest.importorskip("pandas")
    half = udf(lambda s: s / 2, result_type=DataTypes.DOUBLE(), func_type="pandas", name="half")
    rows = numbers.from_path("numbers").select(half(col("v"))).execute().collect()
    assert [r[0] for r in rows] == [0.5, 5.0, None]


def test_a_failing_function_shows_its_traceback_and_row(numbers: TableEnvironment) -> None:
    @udf(result_type=DataTypes.BIGINT())
    def boom(x: int) -> int:
        raise ValueError(f"boom on {x}")

    with pytest.raises(Py4JJavaError) as caught:
        numbers.from_path("numbers").select(boom(col("v"))).execute().print()
    text = str(caught.value)
    assert "ValueError: boom on 1" in text
    assert "boom(1) failed" in text
    assert "test_functions.py" in text
    assert "function_runtime" not in text


def test_a_value_of_another_type_is_refused(numbers: TableEnvironment) -> None:
    wrong = udf(lambda x: "text", result_type=DataTypes.BIGINT(), name="wrong")
    with pytest.raises(Py4JJavaError, match="not of its type BIGINT"):
        numbers.from_path("numbers").select(wrong(col("v"))).execute().print()
