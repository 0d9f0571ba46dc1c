"""Columns between the engine and pandas: every flat type both ways, how many rows a function gets, frames as tables."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

import pytest
from pyflink.table import DataTypes, TableEnvironment
from pyflink.table.expressions import col
from pyflink.table.udf import udf
from pyflink.util.exceptions import Py4JJavaError
from thalweg.testing.changelog import ChangelogExpectation
from thalweg.testing.hand_driven import HandDrivenEnvironment

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

COLUMNS: list[tuple[Any, list[Any]]] = [
    (DataTypes.BOOLEAN(), [True, None, False]),
    (DataTypes.TINYINT(), [-128, None, 127]),
    (DataTypes.SMALLINT(), [-32768, None, 32767]),
    (DataTypes.INT(), [-1, None, 2**31 - 1]),
    (DataTypes.BIGINT(), [-1, None, 2**53]),
    (DataTypes.FLOAT(), [0.5, None, -2.0]),
    (DataTypes.DOUBLE(), [0.1, None, float("inf")]),
    (DataTypes.DECIMAL(10, 2), [decimal.Decimal("1.25"), None, decimal.Decimal("-99999999.99")]),
    (DataTypes.STRING(), ["", None, "longer than twelve bytes: äöü"]),
    (DataTypes.BYTES(), [b"", None, b"\x00\xff and more than twelve bytes"]),
    (DataTypes.DATE(), [datetime.date(1969, 12, 31), None, datetime.date(2024, 2, 29)]),
    (DataTypes.TIME(3), [datetime.time(0), None, datetime.time(23, 59, 59, 999000)]),
    (DataTypes.TIMESTAMP(0), [datetime.datetime(1969, 12, 31, 23, 59, 58), None, datetime.datetime(2024, 1, 2, 3, 4, 5)]),
    (DataTypes.TIMESTAMP(3), [datetime.datetime(1969, 12, 31, 23, 59, 59, 999000), None, datetime.datetime(2024, 1, 2, 3, 4, 5, 6000)]),
    (DataTypes.TIMESTAMP(6), [datetime.datetime(1969, 12, 31, 23, 59, 59, 999999), None, datetime.datetime(2024, 1, 2, 3, 4, 5, 6)]),
]
NAMES = [str(data_type) for data_type, _ in COLUMNS]


def same(series: Any) -> Any:
    """Gives what it gets."""
    return series


def row_type(data_type: Any) -> Any:
    return DataTypes.ROW([DataTypes.FIELD("v", data_type)])


def frame_values(frame: Any) -> list[Any]:
    """The only column as Python's values, None where pandas has something for what is missing."""
    values = [None if value is None or value != value else value for value in frame.iloc[:, 0].tolist()]
    return [value.to_pydatetime() if isinstance(value, pd.Timestamp) else value for value in values]


@pytest.mark.parametrize(("data_type", "values"), COLUMNS, ids=NAMES)
@pytest.mark.parametrize("with_nulls", [True, False], ids=["nulls", "no nulls"])
def test_a_column_goes_to_a_function_and_back(batch: TableEnvironment, data_type: Any, values: list[Any], with_nulls: bool) -> None:
    given = values if with_nulls else [value for value in values if value is not None]
    table = batch.from_elements([(value,) for value in given], row_type(data_type))
    function = udf(same, result_type=data_type, func_type="pandas")
    assert frame_values(table.select(function(col("v"))).to_pandas()) == given


@pytest.mark.parametrize(("data_type", "values"), COLUMNS, ids=NAMES)
def test_a_frame_becomes_a_table(batch: TableEnvironment, data_type: Any, values: list[Any]) -> None:
    table = batch.from_pandas(pd.DataFrame({"v": pd.Series(values, dtype="object")}), row_type(data_type))
    assert frame_values(table.to_pandas()) == values


def test_a_literal_is_a_column_too(batch: TableEnvironment) -> None:
    batch.create_temporary_function("joined", udf(lambda a, b: a + b, result_type="STRING", func_type="pandas"))
    with batch.sql_query("SELECT joined(v, 'x') FROM (VALUES ('a'), ('b')) AS t(v)").execute().collect() as rows:
        assert sorted(row[0] for row in rows) == ["ax", "bx"]


def test_zoned_times_carry_the_zone_of_the_session(batch: TableEnvironment) -> None:
    batch.get_config().set_local_timezone("Asia/Shanghai")
    dtypes: list[str] = []

    def noted(series: Any) -> Any:
        dtypes.append(str(series.dtype))
        return series

    batch.create_temporary_function("noted", udf(noted, result_type=DataTypes.TIMESTAMP_LTZ(3), func_type="pandas"))
    query = "SELECT noted(v) = v FROM (VALUES (CAST(NULL AS TIMESTAMP_LTZ(3))), (TO_TIMESTAMP_LTZ(1700000000123, 3))) AS t(v)"
    with batch.sql_query(query).execute().collect() as rows:
        assert sorted((row[0] for row in rows), key=str) == [None, True]
    assert set(dtypes) == {"datetime64[ms, Asia/Shanghai]"}


def test_times_of_any_unit_are_cut_to_the_digits_of_the_type(batch: TableEnvironment) -> None:
    batch.get_config().set_local_timezone("UTC")
    for unit in ("s", "ms", "us", "ns"):
        to_unit = udf(lambda s, unit=unit: s.astype(f"datetime64[{unit}]"), result_type=DataTypes.TIMESTAMP(1), func_type="pandas")
        table = batch.from_elements([(datetime.datetime(1960, 1, 1, 0, 0, 0, 990000),)], row_type(DataTypes.TIMESTAMP(3)))
        found = frame_values(table.select(to_unit(col("v"))).to_pandas())
        assert found == [datetime.datetime(1960, 1, 1, 0, 0, 0, 0 if unit == "s" else 900000)]


def test_a_frame_is_a_row(batch: TableEnvironment) -> None:
    def parts(n: Any) -> Any:
        return pd.DataFrame({"half": n / 2, "text": n.map(lambda v: None if v == 2 else f"number {v:.0f}"), "n": n})

    result = DataTypes.ROW([DataTypes.FIELD("half", DataTypes.DOUBLE()), DataTypes.FIELD("text", DataTypes.STRING()),
                            DataTypes.FIELD("n", DataTypes.BIGINT())])  # fmt: skip
    function = udf(parts, result_type=result, func_type="pandas")
    table = batch.from_elements([(1,), (2,), (None,)], row_type(DataTypes.BIGINT()))
    with table.select(function(col("v")).alias("r")).select(col("r").flatten).execute().collect() as rows:
        assert [tuple(row) for row in rows] == [(0.5, "number 1", 1), (1.0, None, 2), (None, "number nan", None)]


def test_a_column_of_a_frame_is_a_result(batch: TableEnvironment) -> None:
    function = udf(lambda n: pd.DataFrame({"a": n, "b": n * 2})["b"], result_type="BIGINT", func_type="pandas")
    table = batch.from_elements([(1,), (2,)], row_type(DataTypes.BIGINT()))
    assert frame_values(table.select(function(col("v"))).to_pandas()) == [2, 4]


@pytest.mark.parametrize(("key", "size"), [("python.fn-execution.arrow.batch.size", 7), ("python.fn-execution.bundle.size", 3)])
def test_a_function_gets_no_more_rows_than_the_configuration_says(batch: TableEnvironment, key: str, size: int) -> None:
    lengths: list[int] = []

    def counted(series: Any) -> Any:
        lengths.append(len(series))
        return series

    batch.get_config().set(key, str(size))
    batch.create_temporary_function("counted", udf(counted, result_type="BIGINT", func_type="pandas"))
    table = batch.from_pandas(pd.DataFrame({"n": range(50)}))
    batch.create_temporary_view("numbers", table)
    assert frame_values(batch.sql_query("SELECT counted(n) FROM numbers").to_pandas()) == list(range(50))
    assert sum(lengths) == 50
    assert max(lengths) == size


@pytest.mark.parametrize(
    ("result_type", "function", "message"),
    [
        (DataTypes.BIGINT(False), lambda n: n.map(lambda v: None), "BIGINT NOT NULL does not take"),
        (DataTypes.STRING(), lambda n: n, "Expected"),
        (DataTypes.BIGINT(), lambda n: n + 0.5, "truncated"),
    ],
    ids=["NULL", "other type", "fraction"],
)
def test_results_that_do_not_fit(batch: TableEnvironment, result_type: Any, function: Callable[[Any], Any], message: str) -> None:
    wrong = udf(function, result_type=result_type, func_type="pandas", name="wrong")
    table = batch.from_elements([(1,), (2,)], row_type(DataTypes.BIGINT()))
    with pytest.raises(Py4JJavaError, match=message):
        table.select(wrong(col("v"))).to_pandas()


def test_a_value_of_a_frame_that_does_not_fit(batch: TableEnvironment) -> None:
    with pytest.raises(ValueError, match="the column v is not of type TINYINT"):
        batch.from_pandas(pd.DataFrame({"v": [1, 300]}), row_type(DataTypes.TINYINT()))


def test_nested_values_look_as_arrow_makes_them(batch: TableEnvironment) -> None:
    nested = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("b", DataTypes.ARRAY(DataTypes.STRING()))])
    schema = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.ARRAY(DataTypes.BIGINT())), DataTypes.FIELD("r", nested)])
    frame = batch.from_elements([([1, 2], (1, ["x"])), ([1, None], (2, None)), (None, None)], schema).to_pandas()
    assert [None if n is None else (str(n.dtype), n.tolist()) for n in frame.n[[0, 2]]] == [("int64", [1, 2]), None]
    assert (str(frame.n[1].dtype), frame.n[1][0]) == ("float64", 1.0)
    assert (frame.r[0]["a"], frame.r[0]["b"].tolist(), frame.r[1], frame.r[2]) == (1, ["x"], {"a": 2, "b": None}, None)


def test_integers_are_numpys_own(batch: TableEnvironment) -> None:
    import numpy

    kinds: list[type] = []

    def noted(series: Any) -> Any:
        kinds.append(type(series[0]))
        return series

    table = batch.from_elements([(1,)], row_type(DataTypes.BIGINT(False)))
    assert frame_values(table.select(udf(noted, result_type="BIGINT", func_type="pandas")(col("v"))).to_pandas()) == [1]
    assert kinds == [numpy.int64]


def test_arrays_of_times_are_results(batch: TableEnvironment) -> None:
    times = DataTypes.ARRAY(DataTypes.TIMESTAMP(3))
    table = batch.from_elements([([datetime.datetime(1970, 1, 2, 0, 0, 0, 123000)],)], row_type(times))
    found = table.select(udf(lambda s: s, result_type=times, func_type="pandas")(col("v"))).to_pandas()
    assert found.iloc[0, 0].tolist() == [datetime.datetime(1970, 1, 2, 0, 0, 0, 123000)]


def test_rows_do_not_wait_for_a_clock_that_stands_still() -> None:
    environment = HandDrivenEnvironment()
    environment.execute_sql("CREATE TABLE orders (id INT, v DOUBLE) WITH ('connector' = 'test-stream')")
    environment.create_temporary_function("twice", udf(lambda s: s * 2, result_type=DataTypes.DOUBLE(), func_type="pandas"))
    expectation = ChangelogExpectation(environment)
    environment.feed("orders", (1, 9.5), (2, 7.0))
    expectation(environment.sql_query("SELECT id, twice(v) FROM orders"), "+I[1, 19.0]", "+I[2, 14.0]")
    expectation.close()


def test_times_of_a_table_have_the_unit_of_their_digits(batch: TableEnvironment) -> None:
    times = "(VALUES (TIMESTAMP '2024-01-02 03:04:05.678')) AS v(t)"
    query = f"SELECT CAST(t AS TIMESTAMP(0)) a, t b, CAST(t AS TIMESTAMP(6)) c, TO_TIMESTAMP_LTZ(1, 3) d FROM {times}"
    table = batch.sql_query(query)
    assert [str(dtype) for dtype in table.to_pandas().dtypes] == [
        "datetime64[s]",
        "datetime64[ms]",
        "datetime64[us]",
        "datetime64[ms, UTC]",
    ]
    assert str(table.filter(col("a").is_null).to_pandas().dtypes.iloc[1]) == "datetime64[ms]"


@pytest.mark.parametrize(
    ("values", "data_type"),
    [
        (["1.10", "123.4"], DataTypes.DECIMAL(5, 2)),
        (["0.01"], DataTypes.DECIMAL(2, 2)),
        (["1E+3", None, "0.5"], DataTypes.DECIMAL(5, 1)),
        (["0"], DataTypes.DECIMAL(1, 0)),
        ([None, "-12.5", "0.001"], DataTypes.DECIMAL(5, 3)),
    ],
)
def test_decimals_have_the_digits_that_arrow_gives_them(batch: TableEnvironment, values: list[str | None], data_type: Any) -> None:
    frame = pd.DataFrame({"d": pd.Series([None if value is None else decimal.Decimal(value) for value in values], dtype="object")})
    table = batch.from_pandas(frame)
    assert table.get_schema().get_field_data_types() == [data_type]
    assert [None if value is None else float(value) for value in table.to_pandas()["d"]] == [v and float(v) for v in values]
