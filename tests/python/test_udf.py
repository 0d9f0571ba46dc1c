"""Scalar functions: their forms, types in both directions, registration, contexts and errors."""

from __future__ import annotations

import asyncio
import datetime
import functools
from decimal import Decimal
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment
from pyflink.table.expressions import call, col, lit
from pyflink.table.udf import AsyncScalarFunction, FunctionContext, ScalarFunction, udaf, udf, udtf
from pyflink.util.exceptions import ValidationException

INTS = DataTypes.ROW([DataTypes.FIELD("n", DataTypes.BIGINT())])


@udf(result_type=DataTypes.STRING())
def shout(text: str) -> str:
    return text.upper() + "!"


def values(result: Any) -> list[Any]:
    with result.collect() as rows:
        return [row[0] if len(row) == 1 else tuple(row) for row in rows]


def ints(environment: TableEnvironment, *numbers: int | None) -> Any:
    return environment.from_elements([(n,) for n in numbers], INTS)


class Plus:
    """A callable object."""

    def __call__(self, number: int) -> int:
        return number + 1


class Minus(ScalarFunction):
    """A function object."""

    def eval(self, *args: Any) -> int:
        return int(args[0]) - 1


def test_forms_of_functions(streaming: TableEnvironment) -> None:
    def add(number: int, other: int) -> int:
        return number + other

    functions = [
        udf(lambda n: n + 1, DataTypes.BIGINT(), DataTypes.BIGINT()),
        udf(Plus(), result_type="BIGINT"),
        udf(Minus(), [DataTypes.BIGINT()], "BIGINT"),
        udf(functools.partial(add, other=10), result_type=DataTypes.BIGINT()),
        udf(add, result_type="BIGINT"),
    ]
    n = col("n")
    table = ints(streaming, 5).select(*(f(n) for f in functions[:4]), functions[4](n, 2), functions[4](n, n))
    assert values(table.execute()) == [(6, 6, 4, 15, 7, 10)]


def test_names_and_determinism() -> None:
    assert udf(lambda i: i, result_type="INT")._name == "<lambda>"
    assert udf(lambda i: i, result_type="INT", name="same")._name == "same"
    assert udf(Minus(), result_type="INT")._name == "Minus"
    assert shout._name == "shout"
    assert shout._deterministic
    assert not udf(lambda i: i, result_type="INT", deterministic=False)._deterministic
    with pytest.raises(ValueError, match="Inconsistent deterministic: False and True"):
        udf(Minus(), result_type="INT", deterministic=False)
    with pytest.raises(TypeError, match="not a function or callable"):
        udf(Minus, result_type="INT")
    with pytest.raises(TypeError, match="Invalid returnType"):
        udf(lambda i: i)
    with pytest.raises(TypeError, match="Invalid input_type"):
        udf(lambda i: i, input_types=[5], result_type="INT")
    with pytest.raises(ValueError, match="func_type must be one of"):
        udf(lambda i: i, result_type="INT", func_type="other")


def test_annotations_give_the_result_type(streaming: TableEnvironment) -> None:
    @udf()
    def halves(number: int) -> list[float] | None:
        return [number / 2]

    table = ints(streaming, 3).select(halves(col("n")).alias("h"))
    assert str(table.get_schema().get_field_data_type(0)) == "ARRAY"
    assert values(table.execute()) == [[1.5]]


@pytest.mark.parametrize(
    ("sql", "seen", "result_type", "given"),
    [
        ("CAST(5 AS TINYINT)", 5, DataTypes.TINYINT(), 6),
        ("5", 5, DataTypes.INT(), 6),
        ("CAST(1.5 AS FLOAT)", 1.5, DataTypes.FLOAT(), 2.5),
        ("1E0", 1.0, DataTypes.DOUBLE(), 3),
        ("TRUE", True, DataTypes.BOOLEAN(), False),
        ("'text'", "text", DataTypes.STRING(), "größe"),
        ("CAST(X'4a4b' AS BYTES)", b"JK", DataTypes.BYTES(), b"LM"),
        ("CAST(12.345 AS DECIMAL(10, 3))", Decimal("12.345"), DataTypes.DECIMAL(10, 2), Decimal("1.25")),
        ("DATE '2024-02-29'", datetime.date(2024, 2, 29), DataTypes.DATE(), datetime.date(1900, 1, 1)),
        ("TIME '01:02:03'", datetime.time(1, 2, 3), DataTypes.TIME(), datetime.time(4, 5, 6)),
        (
            "TIMESTAMP '2024-01-02 03:04:05.678'",
            datetime.datetime(2024, 1, 2, 3, 4, 5, 678000),
            DataTypes.TIMESTAMP(3),
            datetime.datetime(1969, 12, 31, 23, 59, 59, 1000),
        ),
        ("ARRAY[1, 2]", [1, 2], DataTypes.ARRAY(DataTypes.INT()), [3, None]),
        ("MAP['a', 1]", {"a": 1}, DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()), {"b": 2}),
        ("CAST(NULL AS INT)", None, DataTypes.INT(), None),
    ],
)
def test_types_in_and_out(streaming: TableEnvironment, sql: str, seen: Any, result_type: Any, given: Any) -> None:
    arguments: list[Any] = []

    def look(value: Any) -> Any:
        arguments.append(value)
        return given

    streaming.create_temporary_function("look", udf(look, result_type=result_type))
    assert values(streaming.execute_sql(f"SELECT look({sql})")) == [bytearray(given) if isinstance(given, bytes) else given]
    assert arguments == [seen]
    assert type(arguments[0]) is type(seen)


def test_rows_go_in_and_out_nested(streaming: TableEnvironment) -> None:
    inner = DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.ARRAY(DataTypes.STRING()))])

    @udf(result_type=DataTypes.ARRAY(inner))
    def wrap(row: Row) -> list[Any]:
        assert row.a == row["a"] == row[0]
        return [Row(x=row.a, y=[row.b.c]), Row(y=["q"], x=None), (7, None), {"x": 8, "y": []}, None]

    streaming.create_temporary_function("wrap", wrap)
    [found] = values(streaming.execute_sql("SELECT wrap(CAST(ROW(1, ROW('deep')) AS ROW<a INT, b ROW<c STRING>>))"))
    assert [None if r is None else tuple(r) for r in found] == [(1, ["deep"]), (None, ["q"]), (7, None), (8, []), None]


def test_zoned_times_are_marked_with_the_session_zone(streaming: TableEnvironment) -> None:
    streaming.create_temporary_function("shown", udf(repr, result_type="STRING", name="shown"))
    streaming.create_temporary_function("same", udf(lambda t: t, result_type="TIMESTAMP_LTZ(3)", name="same"))
    [text] = values(streaming.execute_sql("SELECT shown(TO_TIMESTAMP_LTZ(1700000000123, 3))"))
    assert text.startswith("datetime.datetime(2023, 11, 14, 22, 13, 20, 123000, tzinfo=<UTC>")
    query = "SELECT CAST(same(TO_TIMESTAMP_LTZ(1700000000123, 3)) AS STRING)"
    assert values(streaming.execute_sql(query)) == ["2023-11-14 22:13:20.123"]


@pytest.mark.parametrize(
    ("result_type", "given", "said"),
    [
        (DataTypes.BIGINT(), "text", "does not take 'text' of type str"),
        (DataTypes.INT(), float("nan"), "does not take nan of type float"),
        (DataTypes.TINYINT(), 300, "does not take 300"),
        (DataTypes.BIGINT(), 1 << 70, "does not take"),
        (DataTypes.STRING(), 5, "does not take 5 of type int"),
        (DataTypes.BOOLEAN(), "true", "does not take 'true'"),
        (DataTypes.BIGINT(False), None, "does not take None"),
        (DataTypes.ARRAY(DataTypes.INT()), "abc", "does not take 'abc'"),
        (DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]), (1, 2), "has 1 fields, but 2 values"),
        (DataTypes.DATE(), "2024-01-01", "does not take"),
        (DataTypes.DECIMAL(4, 2), Decimal(1000), "does not take"),
    ],
)
def test_values_of_other_types_are_refused(streaming: TableEnvironment, result_type: Any, given: Any, said: str) -> None:
    wrong = udf(lambda n: given, result_type=result_type, name="wrong")
    with pytest.raises(Py4JJavaError) as caught:
        ints(streaming, 1).select(wrong(col("n"))).execute().print()
    text = str(caught.value)
    assert "The Python function wrong gave a value that is not of its type" in text
    assert said in text


def test_numbers_are_cut_to_integers(streaming: TableEnvironment) -> None:
    for given, expected in ((1.9, 1), (-1.9, -1), (True, 1), (Decimal("7.5"), 7)):
        cut = udf(lambda n, value=given: value, input_types=["BIGINT"], result_type="INT", name="cut")
        assert values(ints(streaming, 1).select(cut(col("n"))).execute()) == [expected]


def test_wrong_arity_is_refused_before_the_job(streaming: TableEnvironment) -> None:
    two = udf(lambda a, b: a, result_type="INT", name="two")
    with pytest.raises(Py4JJavaError, match=r"The Python function two takes 2 arguments, not 1"):
        ints(streaming, 1).select(two(col("n")))
    declared = udf(lambda *a: 1, input_types=["INT", "INT"], result_type="INT", name="declared")
    with pytest.raises(Py4JJavaError, match="declared takes 2 arguments, not 3"):
        ints(streaming, 1).select(declared(lit(1), lit(2), lit(3)))
    some = udf(lambda a, b=2: a + b, result_type="BIGINT", name="some")
    assert values(ints(streaming, 1).select(some(col("n")), some(col("n"), col("n"))).execute()) == [(3, 2)]


def test_errors_show_the_users_frames_only(streaming: TableEnvironment) -> None:
    def inner(number: int) -> int:
        return 10 // number

    divide = udf(inner, result_type="BIGINT", name="divide")
    with pytest.raises(Py4JJavaError) as caught:
        ints(streaming, 1, 0, 2).select(divide(col("n"))).execute().print()
    text = str(caught.value)
    assert "divide(0) failed" in text
    assert "ZeroDivisionError" in text
    assert "in inner" in text
    assert "thalweg/table" not in text
    assert "in the row (0)" in text


def test_rows_before_the_failing_one_are_written(streaming: TableEnvironment, tmp_path: Any) -> None:
    streaming.get_config().set("parallelism.default", "1")
    streaming.execute_sql(f"CREATE TABLE done (n BIGINT) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}/d', 'format' = 'csv')")
    streaming.create_temporary_view("numbers", ints(streaming, *range(100)))
    streaming.create_temporary_function("odd", udf(lambda n: n if n < 50 else 1 // 0, result_type="BIGINT", name="odd"))
    with pytest.raises(Py4JJavaError, match=r"odd\(50\) failed"):
        streaming.execute_sql("INSERT INTO done SELECT odd(n) FROM numbers").wait()


def test_open_close_and_context(streaming: TableEnvironment) -> None:
    calls: list[Any] = []
    record = calls.append

    class Watched(ScalarFunction):
        def open(self, function_context: FunctionContext) -> None:
            record(("open", function_context.get_job_parameter("limit", "0"), function_context.get_job_parameter("x", "none")))
            self.counter = function_context.get_metric_group().counter("calls")
            assert function_context.get_index_of_this_subtask() == 0

        def eval(self, *args: Any) -> int:
            self.counter.inc()
            return int(self.counter.get_count())

        def close(self) -> None:
            record("close")

    streaming.get_config().set("parallelism.default", "1")
    streaming.get_config().set("pipeline.global-job-parameters", "limit:7,other:'8'")
    watched = udf(Watched(), result_type="BIGINT")
    assert values(ints(streaming, 5, 5, 5).select(watched(col("n"))).execute()) == [1, 2, 3]
    assert calls == [("open", "7", "none"), "close"]
    # A table that is there before the setting.
    table = ints(streaming, 5)
    streaming.get_config().set("pipeline.global-job-parameters", "limit:8")
    table.select(watched(col("n"))).execute().print()
    assert calls[2] == ("open", "8", "none")
    streaming.get_config().set("python.metric.enabled", "false")
    with pytest.raises(Py4JJavaError, match="Metric has not been enabled"):
        ints(streaming, 5).select(watched(col("n"))).execute().print()


def test_registration_by_ddl(streaming: TableEnvironment) -> None:
    for scope in ("TEMPORARY SYSTEM", "TEMPORARY", ""):
        streaming.execute_sql(f"CREATE {scope} FUNCTION louder AS '{__name__}.shout' LANGUAGE PYTHON")
        assert values(streaming.execute_sql("SELECT louder('a')")) == ["A!"]
        assert values(streaming.execute_sql("SELECT LOUDER('b')")) == ["B!"]
        assert "louder" in streaming.list_user_defined_functions()
        streaming.execute_sql(f"DROP {scope} FUNCTION louder")
        with pytest.raises(Py4JJavaError, match=r"(?i)louder"):
            streaming.execute_sql("SELECT louder('a')")
    streaming.execute_sql("CREATE TEMPORARY FUNCTION lost AS 'no_such_module.f' LANGUAGE PYTHON")
    with pytest.raises(Py4JJavaError, match=r"no_such_module\.f.*can't be imported"):
        streaming.execute_sql("SELECT lost(1)")
    streaming.execute_sql("CREATE TEMPORARY FUNCTION java_one AS 'com.example.F'")
    with pytest.raises(Py4JJavaError, match="Functions in JAVA do not run here"):
        streaming.execute_sql("SELECT java_one(1)")


def test_sessions_do_not_see_each_others_functions(streaming: TableEnvironment) -> None:
    other = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    streaming.create_temporary_system_function("mine", udf(lambda: 1, result_type="INT"))
    other.create_temporary_system_function("mine", udf(lambda: 2, result_type="INT"))
    assert values(streaming.execute_sql("SELECT mine()")) == [1]
    assert values(other.execute_sql("SELECT mine()")) == [2]
    other.drop_temporary_system_function("mine")
    with pytest.raises(Py4JJavaError, match=r"(?i)mine"):
        other.execute_sql("SELECT mine()")
    assert streaming.list_user_defined_functions() == ["mine"]
    with pytest.raises(Py4JJavaError, match="already exist"):
        streaming.create_temporary_system_function("mine", udf(lambda: 3, result_type="INT"))


def test_a_temporary_system_function_hides_a_built_in_one(streaming: TableEnvironment) -> None:
    streaming.create_temporary_system_function("upper", udf(lambda s: s + "?", result_type="STRING"))
    assert values(streaming.execute_sql("SELECT UPPER('a'), LOWER('B')")) == [("a?", "b")]
    streaming.create_temporary_function("initcap", udf(lambda s: s + "?", result_type="STRING"))
    assert values(streaming.execute_sql("SELECT INITCAP('b'), default_database.initcap('b')")) == [("B", "b?")]
    table = streaming.sql_query("SELECT 'x' AS s").select(call("upper", col("s")))
    assert values(table.execute()) == ["x?"]


def test_map_of_rows(streaming: TableEnvironment) -> None:
    result = DataTypes.ROW([DataTypes.FIELD("sku", DataTypes.STRING()), DataTypes.FIELD("cost", DataTypes.DOUBLE())])

    @udf(result_type=result)
    def price(row: Row) -> Row:
        return Row(row.sku.lower(), row[1] * row.unit)

    table = streaming.from_elements([("PEN", 2, 1.25), ("INK", 0, 9.0)], ["sku", "qty", "unit"])
    mapped = table.map(price)
    assert mapped.get_schema().get_field_names() == ["sku", "cost"]
    assert values(mapped.execute()) == [("pen", 2.5), ("ink", 0.0)]
    assert table.map(price).alias("article", "total").get_schema().get_field_names() == ["article", "total"]
    explicit = udf(lambda q: Row(q, q * 2), result_type="ROW<a BIGINT, b BIGINT>")
    assert values(table.map(explicit(col("qty"))).execute()) == [(2, 4), (0, 0)]
    single = udf(len, result_type=DataTypes.INT())
    assert values(table.map(single).execute()) == [3, 3]


def test_async_functions(streaming: TableEnvironment) -> None:
    running = 0
    most = 0

    @udf(result_type=DataTypes.BIGINT())
    async def slow(number: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001 * (5 - number))
        running -= 1
        return number * 2

    class Tripled(AsyncScalarFunction):
        async def eval(self, *args: Any) -> int:
            return int(args[0]) * 3

    tripled = udf(Tripled(), result_type="BIGINT")
    table = ints(streaming, 1, 2, 3, 4).select(slow(col("n")), tripled(col("n")))
    assert values(table.execute()) == [(2, 3), (4, 6), (6, 9), (8, 12)]
    assert most > 1
    streaming.get_config().set("table.exec.async-scalar.retry-strategy", "NO_RETRY")

    @udf(result_type=DataTypes.BIGINT())
    async def failing(number: int) -> int:
        raise LookupError(f"lost {number}")

    with pytest.raises(Py4JJavaError, match="LookupError: lost 7"):
        ints(streaming, 7).select(failing(col("n"))).execute().print()


def test_pandas_functions(streaming: TableEnvironment) -> None:
    pd = pytest.importorskip("pandas")

    @udf(result_type=DataTypes.BIGINT(), func_type="pandas")
    def plus(left: Any, right: Any) -> Any:
        assert isinstance(left, pd.Series)
        assert str(left.dtype) == "int64"
        return left + right

    lengths = udf(lambda s: s.str.len(), result_type=DataTypes.INT(), func_type="pandas")
    table = ints(streaming, 1, 2).select(plus(col("n"), 10), lengths(lit("four")))
    assert values(table.execute()) == [(11, 4), (12, 4)]
    half = udf(lambda s: s / 2, result_type=DataTypes.DOUBLE(), func_type="pandas")
    assert values(ints(streaming, 1, None).select(half(col("n"))).execute()) == [0.5, None]
    frame = udf(lambda f: pd.concat([f.n * 2, f.n * 3], axis=1), result_type="ROW<a BIGINT, b BIGINT>", func_type="pandas", name="frame")
    assert values(ints(streaming, 1, 2).map(frame).execute()) == [(2, 3), (4, 6)]
    short = udf(lambda s: s[:1], result_type="BIGINT", func_type="pandas", name="short")
    with pytest.raises(Py4JJavaError, match="The result length '1' of Pandas UDF 'short'"):
        ints(streaming, 1, 2).select(short(col("n"))).execute().print()
    scalar = udf(lambda s: 5, result_type="BIGINT", func_type="pandas", name="scalar")
    with pytest.raises(Py4JJavaError, match="must be pandas"):
        ints(streaming, 1, 2).select(scalar(col("n"))).execute().print()


def test_constant_calls_run_in_the_job(streaming: TableEnvironment) -> None:
    count = 0

    @udf(result_type="INT", input_types=[])
    def tick() -> int:
        nonlocal count
        count += 1
        return count

    table = ints(streaming, 1, 2, 3).select(tick())
    table.explain()
    assert count == 0
    assert values(table.execute()) == [1, 2, 3]


class Told(ScalarFunction):
    """Gives the job parameter that it was opened with."""

    def open(self, function_context: FunctionContext) -> None:
        self.word = function_context.get_job_parameter("word", "none")

    def eval(self, *args: Any) -> str:
        return self.word


def test_settings_reach_functions_up_to_execute(streaming: TableEnvironment) -> None:
    told = udf(Told(), result_type="STRING")
    table = ints(streaming, 1).select(told(col("n")))
    streaming.get_config().set("pipeline.global-job-parameters", "word:late")
    assert values(table.execute()) == ["late"]
    streaming.get_config().set("pipeline.global-job-parameters", "word:latest")
    streaming.create_temporary_system_function("told", told)
    assert values(table.execute()) == ["latest"]
    view = streaming.sql_query("SELECT told(1)")
    streaming.get_config().set("pipeline.global-job-parameters", "word:last")
    assert values(view.execute()) == ["last"]


@pytest.mark.parametrize(
    ("declared", "given", "fits"),
    [
        ("BIGINT", "CAST(1 AS INT)", True),
        ("INT", "CAST(1 AS BIGINT)", False),
        ("DOUBLE", "1.5", True),
        ("DECIMAL(5, 2)", "CAST(1.5 AS DOUBLE)", True),
        ("BIGINT", "CAST(1.5 AS DOUBLE)", False),
        ("STRING", "'x'", True),
        ("STRING", "1", False),
        ("INT", "'1'", False),
        ("BIGINT", "NULL", True),
        ("BIGINT NOT NULL", "1", True),
        ("BIGINT NOT NULL", "CAST(NULL AS BIGINT)", False),
        ("DATE", "TIMESTAMP '2020-01-01 00:00:00'", True),
        ("TIMESTAMP(3)", "DATE '2020-01-01'", False),
        ("ARRAY<BIGINT>", "ARRAY[1, 2]", True),
        ("ARRAY<STRING>", "ARRAY[1, 2]", False),
    ],
)
def test_declared_types_are_what_may_be_given(streaming: TableEnvironment, declared: str, given: str, fits: bool) -> None:
    text = udf(lambda value: f"{value}", input_types=[declared], result_type="STRING", name="text")
    streaming.create_temporary_system_function("text", text)
    if fits:
        assert len(values(streaming.execute_sql(f"SELECT text({given})"))) == 1
        return
    with pytest.raises(ValidationException) as caught:
        streaming.sql_query(f"SELECT text({given})")
    assert f"Invalid input arguments. Expected signatures are:\ntext({declared})" in str(caught.value)
    assert f"Invalid argument type at position 0. Data type {declared} expected but " in str(caught.value)


def test_declared_types_of_other_functions_are_checked(streaming: TableEnvironment) -> None:
    rows = udtf(lambda n: [(n,)], input_types=["INT"], result_types=["INT"])
    with pytest.raises(ValidationException, match=r"Data type INT expected but BIGINT passed\."):
        ints(streaming, 1).join_lateral(rows(col("n")).alias("m"))
    mean = udaf(lambda s: s.mean(), input_types=["INT"], result_type="DOUBLE", func_type="pandas")
    with pytest.raises(ValidationException, match=r"Data type INT expected but BIGINT passed\."):
        ints(streaming, 1).select(mean(col("n")))
