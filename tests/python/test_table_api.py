"""The Table API against the engine: operations, names, results, errors."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row, RowKind
from pyflink.table import DataTypes, Schema, StatementSet, StreamTableEnvironment, Table, TableDescriptor, TableEnvironment
from pyflink.table.expressions import (
    array,
    call,
    call_sql,
    coalesce,
    col,
    concat,
    if_then_else,
    lit,
    map_,
    null_of,
    range_,
    row,
    row_interval,
    with_columns,
)
from pyflink.table.window import Session, Slide, Tumble
from pyflink.util.exceptions import ValidationException

ROWS = [(1, "Hi", 1.5), (2, "Hello", None), (1, "Ho", 2.5)]
SCHEMA = DataTypes.ROW(
    [DataTypes.FIELD("id", DataTypes.INT()), DataTypes.FIELD("s", DataTypes.STRING()), DataTypes.FIELD("d", DataTypes.DOUBLE())]
)
Printed = Callable[[Callable[[], object]], str]


def values(table: object) -> list[tuple[object, ...]]:
    """The rows of a table, in order."""
    with table.execute().collect() as rows:  # type: ignore[attr-defined]
        return [tuple(r) for r in rows]


def test_schema_and_rows(streaming: TableEnvironment, printed: Printed) -> None:
    table = streaming.from_elements(ROWS, SCHEMA)
    assert printed(table.print_schema) == "(\n  `id` INT,\n  `s` STRING,\n  `d` DOUBLE\n)\n"
    assert table.get_schema().get_field_data_types() == [DataTypes.INT(), DataTypes.STRING(), DataTypes.DOUBLE()]
    assert values(table) == ROWS
    assert values(streaming.from_elements([Row(a=1, b="x"), {"a": 2, "b": "y"}])) == [(1, "x"), (2, "y")]


def test_select_filter_and_columns(batch: TableEnvironment) -> None:
    table = batch.from_elements(ROWS, SCHEMA)
    chosen = table.where(col("id") == 1).select(col("id") + 1, table.s.upper_case.alias("u"), concat(col("s"), "!"), lit(5))
    assert chosen.get_schema().get_field_names() == ["_c0", "u", "_c2", "_c3"]
    assert values(chosen) == [(2, "HI", "Hi!", 5), (2, "HO", "Ho!", 5)]
    changed = table.add_columns((col("id") * 10).alias("x")).drop_columns(col("d")).rename_columns(col("s").alias("name"))
    assert changed.get_schema().get_field_names() == ["id", "name", "x"]
    assert values(table.add_or_replace_columns(col("s").char_length.alias("s"))) == [(1, 2, 1.5), (2, 5, None), (1, 2, 2.5)]
    assert values(table.select(with_columns(range_("id", "s")))) == [r[:2] for r in ROWS]
    assert values(table.select(if_then_else(col("d").is_null, "none", "some"), coalesce(col("d"), 0.0))) == [
        ("some", 1.5),
        ("none", 0.0),
        ("some", 2.5),
    ]


def test_groups_send_their_changes(streaming: TableEnvironment) -> None:
    table = streaming.from_elements(ROWS, SCHEMA)
    grouped = table.group_by(col("id")).select(col("id"), col("s").count.alias("n"), col("d").sum.alias("sd"), col("d").avg, col("s").max)
    assert grouped.get_schema().get_field_names() == ["id", "n", "sd", "EXPR$2", "EXPR$3"]
    with grouped.execute().collect() as rows:
        changes = [(str(r.get_row_kind()), *r) for r in rows]
    assert changes == [
        ("+I", 1, 1, 1.5, 1.5, "Hi"),
        ("+I", 2, 1, None, None, "Hello"),
        ("-U", 1, 1, 1.5, 1.5, "Hi"),
        ("+U", 1, 2, 4.0, 2.0, "Ho"),
    ]
    assert RowKind.UPDATE_BEFORE.value == 1


def test_groups_in_batch(batch: TableEnvironment) -> None:
    table = batch.from_elements(ROWS, SCHEMA)
    keyed = table.group_by((col("id") % 2).alias("odd")).select(col("odd"), col("id").count)
    assert sorted(values(keyed)) == [(0, 1), (1, 2)]
    assert values(table.select(col("d").sum.alias("sd"), col("id").max.alias("m"))) == [(4.0, 2)]
    assert values(table.select(col("id").count.distinct)) == [(2,)]
    assert sorted(values(table.select(col("id")).distinct())) == [(1,), (2,)]
    assert values(table.order_by(col("id").desc, col("s").asc).fetch(2)) == [ROWS[1], ROWS[0]]


def test_printing(streaming: TableEnvironment, batch: TableEnvironment, printed: Printed) -> None:
    assert printed(streaming.from_elements([(1, "x")], ["a", "b"]).execute().print) == (
        "+----+----------------------+--------------------------------+\n"
        "| op |                    a |                              b |\n"
        "+----+----------------------+--------------------------------+\n"
        "| +I |                    1 |                              x |\n"
        "+----+----------------------+--------------------------------+\n"
        "1 row in set\n"
    )
    assert printed(batch.from_elements(ROWS, SCHEMA).where(col("id") > 5).execute().print) == "Empty set\n"
    assert printed(batch.execute_sql("CREATE TABLE sink (a BIGINT) WITH ('connector' = 'blackhole')").print) == "OK\n"
    assert printed(batch.from_elements([(1,)], ["a"]).execute_insert("sink").print) == "-1\n"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("a漢é", "a漢é".rjust(29)),
        ("☕〿㉈", "☕〿㉈".rjust(29)),
        ("a😀", "a😀".rjust(28)),
        ("\U0001d4b3", "\U0001d4b3".rjust(29)),
        ("😀" * 10, "😀" * 10),
        ("😀" * 11, "😀" * 9 + "..."),
        ("a" + "漢" * 20, "a" + "漢" * 13 + "..."),
        ("a" + "😀" * 15, "  a" + "😀" * 8 + "..."),
    ],
)
def test_wide_characters_in_printed_cells(streaming: TableEnvironment, printed: Printed, text: str, cell: str) -> None:
    assert f"| +I | {cell} |\n" in printed(streaming.from_elements([(text,)], ["a"]).execute().print)


def test_values_of_all_types(streaming: TableEnvironment) -> None:
    query = """SELECT CAST(1 AS TINYINT), CAST(1.5 AS FLOAT), CAST(12.345 AS DECIMAL(10, 3)), TRUE, DATE '2024-02-29', TIME '12:34:56',
        TIMESTAMP '2024-01-02 03:04:05.678', TO_TIMESTAMP_LTZ(1700000000123, 3), x'4a4b', ARRAY[1, 2], MAP['k', 1], ROW(1, 'x'),
        CAST(NULL AS INT), TIMESTAMP '1969-12-31 23:59:59.999'"""
    [found] = streaming.execute_sql(query).collect()
    assert list(found) == [
        1,
        1.5,
        Decimal("12.345"),
        True,
        datetime.date(2024, 2, 29),
        datetime.time(12, 34, 56),
        datetime.datetime(2024, 1, 2, 3, 4, 5, 678000),
        datetime.datetime(2023, 11, 14, 22, 13, 20, 123000, tzinfo=datetime.timezone.utc),
        bytearray(b"JK"),
        [1, 2],
        {"k": 1},
        Row(1, "x"),
        None,
        datetime.datetime(1969, 12, 31, 23, 59, 59, 999000),
    ]


def test_python_values_come_back(streaming: TableEnvironment) -> None:
    values_in = (
        True,
        Decimal("-1.250000000000000000"),
        datetime.date(1969, 7, 20),
        datetime.time(1, 2, 3),
        datetime.datetime(1969, 7, 20, 20, 17, 40, 500000),
        [[1], [2, 3]],
        {"a": 1.5},
        Row(x=1, y="z"),
    )
    row_type = DataTypes.ROW(
        [
            DataTypes.FIELD("b", DataTypes.BOOLEAN()),
            DataTypes.FIELD("dc", DataTypes.DECIMAL(38, 18)),
            DataTypes.FIELD("d", DataTypes.DATE()),
            DataTypes.FIELD("t", DataTypes.TIME()),
            DataTypes.FIELD("ts", DataTypes.TIMESTAMP(6)),
            DataTypes.FIELD("a", DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.BIGINT()))),
            DataTypes.FIELD("m", DataTypes.MAP(DataTypes.STRING().not_null(), DataTypes.DOUBLE())),
            DataTypes.FIELD("r", DataTypes.ROW([DataTypes.FIELD("x", DataTypes.INT()), DataTypes.FIELD("y", DataTypes.STRING())])),
        ]
    )
    [found] = values(streaming.from_elements([values_in], row_type))
    assert found == (*values_in[:-1], Row(1, "z"))


def test_expressions_as_elements(streaming: TableEnvironment) -> None:
    table = streaming.from_elements([row(1, "abc"), row(2, "x")])
    assert values(table.select(col("f0") + 1, col("f1").char_length)) == [(2, 3), (3, 1)]
    nested = streaming.from_elements([(1,)], ["a"]).select(array(1, 2)[1], map_("k", 7)["k"], null_of(DataTypes.INT()), call("ABS", -3))
    assert values(nested) == [(1, 7, None, 3)]


@pytest.fixture
def readings(streaming: TableEnvironment, tmp_path: Path) -> TableEnvironment:
    """A table `r` of device, charge and event time in a CSV file."""
    lines = ["a,1,2024-01-01 00:00:01", "b,2,2024-01-01 00:00:02", "a,3,2024-01-01 00:00:12", "a,4,2024-01-01 00:00:31"]
    (tmp_path / "in.csv").write_text("\n".join(lines) + "\n")
    streaming.create_temporary_table(
        "r",
        TableDescriptor.for_connector("filesystem")
        .schema(
            Schema.new_builder()
            .column("device", DataTypes.STRING())
            .column("charge", DataTypes.DOUBLE())
            .column("ts", DataTypes.TIMESTAMP(3))
            .column_by_expression("p", "PROCTIME()")
            .watermark("ts", col("ts") - lit(1).seconds)
            .build()
        )
        .option("path", str(tmp_path / "in.csv"))
        .format("csv")
        .build(),
    )
    return streaming


def at(second: int) -> datetime.datetime:
    return datetime.datetime(2024, 1, 1, 0, 0, 0) + datetime.timedelta(seconds=second)


def test_group_windows(readings: TableEnvironment) -> None:
    table = readings.from_path("r")
    tumble = (
        table.window(Tumble.over(lit(10).seconds).on(table.ts).alias("w"))
        .group_by(col("w"), table.device)
        .select(table.device, col("w").start.alias("s"), col("w").end.alias("e"), table.charge.sum.alias("c"))
    )
    assert sorted(values(tumble)) == [
        ("a", at(0), at(10), 1.0),
        ("a", at(10), at(20), 3.0),
        ("a", at(30), at(40), 4.0),
        ("b", at(0), at(10), 2.0),
    ]
    slide = (
        table.window(Slide.over(lit(20).seconds).every(lit(10).seconds).on(table.ts).alias("w"))
        .group_by(col("w"))
        .select(col("w").start, table.charge.sum)
    )
    assert (at(0), 6.0) in values(slide)
    session = (
        table.window(Session.with_gap(lit(15).seconds).on(table.ts).alias("w")).group_by(col("w")).select(col("w").end, table.charge.count)
    )
    assert values(session) == [(at(27), 3), (at(46), 1)]


def test_the_table_api_and_sql_have_one_plan(readings: TableEnvironment) -> None:
    table = readings.from_path("r")
    api = (
        table.window(Tumble.over(lit(30).seconds).on(table.p).alias("w"))
        .group_by(col("w"), table.device)
        .select(
            table.device,
            col("w").start.alias("window_start"),
            col("w").end.alias("window_end"),
            table.charge.sum.alias("charge_consumed"),
        )
    )
    sql = readings.sql_query(
        """SELECT device, TUMBLE_START(p, INTERVAL '30' SECOND) AS window_start, TUMBLE_END(p, INTERVAL '30' SECOND) AS window_end,
           SUM(charge) AS charge_consumed FROM r GROUP BY device, TUMBLE(p, INTERVAL '30' SECOND)"""
    )

    def optimized(plan: str) -> str:
        return plan.partition("== Optimized Physical Plan ==")[2]

    assert optimized(api.explain())
    assert optimized(api.explain()) == optimized(sql.explain())


def test_views_and_lists(streaming: TableEnvironment) -> None:
    table = streaming.from_elements(ROWS, SCHEMA)
    streaming.create_temporary_view("va", table)
    assert values(streaming.sql_query("SELECT s FROM va WHERE id = 2")) == [("Hello",)]
    assert (streaming.list_tables(), streaming.list_views(), streaming.list_temporary_views()) == (["va"], ["va"], ["va"])
    assert (streaming.get_current_catalog(), streaming.get_current_database()) == ("default_catalog", "default_database")
    assert streaming.drop_temporary_view("va")
    assert not streaming.drop_temporary_view("va")
    assert streaming.list_tables() == []
    assert values(table.where(col("id").in_(2, 7)).select(col("id"))) == [(2,)]


def test_a_statement_set_is_one_job(batch: TableEnvironment, tmp_path: Path) -> None:
    for name in ("t1", "t2"):
        batch.execute_sql(f"CREATE TABLE {name} (a BIGINT) WITH ('connector'='filesystem', 'path'='{tmp_path / name}', 'format'='csv')")
    table = batch.from_elements([(1,), (2,)], ["a"])
    inserts = batch.create_statement_set()
    inserts.add_insert("t1", table)
    inserts.add_insert_sql("INSERT INTO t2 SELECT CAST(7 AS BIGINT)")
    inserts.execute().wait()
    written = {name: sorted("".join(p.read_text() for p in (tmp_path / name).glob("part-*")).split()) for name in ("t1", "t2")}
    assert written == {"t1": ["1", "2"], "t2": ["7"]}
    with pytest.raises(Py4JJavaError, match="Only insert statement"):
        inserts.add_insert_sql("SELECT 1")


@pytest.mark.parametrize(
    ("statement", "flink_class", "text"),
    [
        ("SELECT nope FROM va", "ValidationException", "Column 'nope' not found"),
        ("SELECT * FROM nowhere", "ValidationException", "Object 'nowhere' not found"),
        ("SELEC", "SqlParserException", "did you mean SELECT"),
        ("SELECT id + TRUE FROM va", "ValidationException", "Cannot apply '+'"),
        ("SET 'a' = 'b'", "TableException", "SET"),
    ],
)
def test_errors_of_statements(streaming: TableEnvironment, statement: str, flink_class: str, text: str) -> None:
    streaming.create_temporary_view("va", streaming.from_elements(ROWS, SCHEMA))
    with pytest.raises(Py4JJavaError) as caught:
        streaming.execute_sql(statement)
    assert text in str(caught.value)
    if statement.startswith("SELECT"):
        assert "^" in str(caught.value), "the position is shown"
    assert caught.value.java_exception.getClass().getName().endswith(flink_class) or statement.startswith("SET")
    assert "thalweg::" not in str(caught.value)


def test_errors_of_the_table_api(streaming: TableEnvironment) -> None:
    table = streaming.from_elements(ROWS, SCHEMA)
    for wrong, text in (
        (lambda: table.select(col("nope")), "nope"),
        (lambda: streaming.from_path("nope"), "nope"),
        (lambda: table.where(col("s")), "requires a boolean expression as input"),
        (lambda: table.union_all(table.select(col("id"))), "different column sizes: 3 and 1"),
        (lambda: table.execute_insert("nosink"), "nosink"),
        (lambda: table.rename_columns(col("zz").alias("x")), "zz"),
    ):
        with pytest.raises(Py4JJavaError, match=text):
            wrong()
    with pytest.raises(AttributeError, match=r"no column named 'nope', available columns: \[id, s, d\]"):
        _ = table.nope


def test_jobs_can_be_asked_and_cancelled(streaming: TableEnvironment) -> None:
    streaming.execute_sql("CREATE TABLE gen (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000')")
    streaming.execute_sql("CREATE TABLE hole (a INT) WITH ('connector' = 'blackhole')")
    result = streaming.execute_sql("INSERT INTO hole SELECT a FROM gen")
    client = result.get_job_client()
    assert client is not None
    assert len(str(client.get_job_id())) == 32
    assert client.get_job_status().result().name in ("CREATED", "RUNNING")
    with pytest.raises(TimeoutError):
        result.wait(200)
    client.cancel().result()
    with pytest.raises(Py4JJavaError, match="cancel"):
        result.wait(5000)
    assert client.get_job_status().result().name == "CANCELED"


def test_an_endless_query_is_left(streaming: TableEnvironment) -> None:
    streaming.execute_sql("CREATE TABLE gen (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000')")
    with streaming.execute_sql("SELECT a FROM gen").collect() as rows:
        assert len(next(rows)) == 1


def test_the_configuration_is_live(printed: Printed) -> None:
    from pyflink.datastream import StreamExecutionEnvironment

    env = StreamExecutionEnvironment.get_execution_environment()
    tables = StreamTableEnvironment.create(env)
    env.set_parallelism(3)
    tables.get_config().set_local_timezone("Asia/Kolkata")
    assert tables._synced().get("parallelism.default") == "3"
    shown = printed(tables.execute_sql("SELECT TO_TIMESTAMP_LTZ(0, 3) AS t").print)
    assert "1970-01-01 05:30:00.000" in shown


def test_pandas_both_ways(batch: TableEnvironment) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"i": [1, 2], "s": ["x", None], "f": [0.5, float("nan")]})
    table = batch.from_pandas(frame)
    assert table.get_schema().get_field_data_types() == [DataTypes.BIGINT(), DataTypes.STRING(), DataTypes.DOUBLE()]
    back = table.to_pandas()
    assert back["i"].tolist() == [1, 2]
    assert back["s"].tolist() == ["x", None]


def test_a_notebook_shows_the_first_rows(streaming: TableEnvironment) -> None:
    shown = streaming.from_elements([(1, "<a>"), (2, None)], ["i", "s"])._repr_html_()
    assert "<th>i<br><small>BIGINT</small></th>" in shown
    assert "<td>&lt;a&gt;</td>" in shown
    assert "<i>NULL</i>" in shown
    assert "2 rows" in shown
    streaming.execute_sql("CREATE TABLE gen (a INT) WITH ('connector' = 'datagen', 'rows-per-second' = '100000')")
    endless = streaming.from_path("gen")._repr_html_()
    assert endless.count("<tr>") == 21
    assert "the first 20 rows" in endless


def test_an_insert_prints_when_it_has_ended(streaming: TableEnvironment, tmp_path: Path, printed: Printed) -> None:
    streaming.execute_sql(f"CREATE TABLE s (a BIGINT) WITH ('connector'='filesystem', 'path'='{tmp_path / 's'}', 'format'='csv')")
    assert printed(streaming.from_elements([(1,)], ["a"]).execute_insert("s").print) == "-1\n"
    assert [part.read_text() for part in (tmp_path / "s").glob("part-*")] == ["1\n"]


def test_a_table_in_a_statement_is_its_name(streaming: TableEnvironment) -> None:
    table = streaming.from_elements([(1, "a"), (2, "b")], ["id", "name"]).filter(col("id") > 1)
    name = f"{table}"
    assert name.startswith("UnnamedTable$") and f"{table}" == name
    with streaming.sql_query(f"SELECT name FROM {table}").execute().collect() as rows:
        assert [row[0] for row in rows] == ["b"]


def test_a_schema_shows_itself_as_in_flink() -> None:
    schema = (
        Schema.new_builder()
        .from_schema(Schema.new_builder().column("a", DataTypes.TINYINT()).build())
        .primary_key_named("primary_constraint", "id")
        .column("id", DataTypes.INT().not_null())
        .column("payload", "ROW<name STRING, age INT, flag BOOLEAN>")
        .column_by_metadata("topic", DataTypes.STRING(), None, True)
        .column_by_expression("ts", call_sql("orig_ts - INTERVAL '60' MINUTE"))
        .column_by_metadata("orig_ts", DataTypes.TIMESTAMP(3), "timestamp")
        .watermark("ts", "ts - INTERVAL '5' SECOND")
        .column_by_expression("proctime", "PROCTIME()")
        .column_by_expression("next", col("a") + 1)
        .build()
    )
    assert str(schema) == (
        "(\n  `a` TINYINT,\n  `id` INT NOT NULL,\n  `payload` [ROW<name STRING, age INT, flag BOOLEAN>],\n  `topic` METADATA VIRTUAL,\n"
        "  `ts` AS [orig_ts - INTERVAL '60' MINUTE],\n  `orig_ts` METADATA FROM 'timestamp',\n  `proctime` AS [PROCTIME()],\n"
        "  `next` AS plus(a, 1),\n  WATERMARK FOR `ts` AS [ts - INTERVAL '5' SECOND],\n"
        "  CONSTRAINT `primary_constraint` PRIMARY KEY (`id`) NOT ENFORCED\n)"
    )


def test_fields_of_rows_by_position_and_rows_taken_apart(streaming: TableEnvironment) -> None:
    inner = DataTypes.ROW([DataTypes.FIELD("x", DataTypes.DOUBLE()), DataTypes.FIELD("big", DataTypes.BOOLEAN())])
    row_type = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT()), DataTypes.FIELD("r", inner)])
    table = streaming.from_elements([(1, (1.5, True)), (2, (2.5, False))], row_type)
    flat = table.select(col("r").flatten, col("a").flatten)
    assert flat.get_schema().get_field_names() == ["r$x", "r$big", "a"]
    assert values(flat) == [(1.5, True, 1), (2.5, False, 2)]
    by_position = table.where(col("r").get(1)).group_by(col("r").get(0)).select(col("r").get(0), col("r").get("x").count)
    assert by_position.get_schema().get_field_names() == ["r$0", "EXPR$0"]
    assert values(by_position) == [(1.5, 1)]
    with pytest.raises(ValidationException, match="no field at position 2 in a value of type ROW"):
        table.select(col("r").get(2))
    with pytest.raises(ValidationException, match="no field at position 0 in a value of type INT"):
        table.select(col("a").get(0))


def test_a_window_without_a_name_is_told(streaming: TableEnvironment) -> None:
    table = streaming.from_elements([(1,)], ["a"])
    with pytest.raises(ValidationException, match=r"takes a group window with a name, .* not TumbleWithSizeOnTime"):
        table.window(Tumble.over(lit(10).seconds).on(col("a")))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("window", "message"),
    [
        (Tumble.over(lit(1).minutes).on(col("device")), "A group window expects a time attribute for grouping in a stream environment."),
        (Tumble.over(lit(1).minutes).on(col("ts") + lit(1).minutes), "A group window expects a time attribute for grouping."),
        (Tumble.over(lit(1).minutes).on(col("nope")), r"Cannot resolve field \[nope\], input field list:\[device, charge, ts, p\]."),
        (Tumble.over(lit(1)).on(col("ts")), "Tumbling window expects a size literal of a day-time interval or BIGINT type."),
        (Tumble.over(lit(1).months).on(col("ts")), "Tumbling window expects a size literal of a day-time interval or BIGINT type."),
        (Tumble.over(col("charge")).on(col("ts")), "A tumble window expects a size value literal."),
        (Slide.over(lit(1).minutes).every(col("charge")).on(col("ts")), "A sliding window expects a slide value literal."),
        (Slide.over(lit(1).minutes).every(row_interval(2)).on(col("ts")), "A sliding window expects the same type of size and slide."),
        (Session.with_gap(row_interval(2)).on(col("ts")), "A session window expects a gap literal of a day-time interval type."),
    ],
)
def test_windows_that_cannot_be(readings: TableEnvironment, window: Any, message: str) -> None:
    windowed = readings.from_path("r").window(window.alias("w"))
    with pytest.raises(ValidationException, match=message):
        windowed.group_by(col("w"))


def kept(table: Table) -> list[tuple[object, ...]]:
    """What is left of a table's rows once its changes are done."""
    left: list[tuple[object, ...]] = []
    with table.execute().collect() as rows:
        for found in rows:
            if found.get_row_kind() in (RowKind.INSERT, RowKind.UPDATE_AFTER):
                left.append(tuple(found))
            else:
                left.remove(tuple(found))
    return sorted(left)


def test_an_order_by_an_expression_takes_a_limit(streaming: TableEnvironment, batch: TableEnvironment) -> None:
    for environment in (streaming, batch):
        table = environment.from_elements([(1, "a"), (3, "b"), (2, "c")], ["n", "s"])
        ordered = table.order_by((col("n") * -1).asc)
        assert kept(ordered.fetch(2)) == [(2, "c"), (3, "b")]
        assert kept(ordered.offset(1).fetch(1).select(col("s"))) == [("c",)]
        assert kept(table.order_by(col("n").desc).select(col("s")).fetch(1)) == [("b",)]


@pytest.mark.parametrize("use", [StatementSet.execute, StatementSet.explain, StatementSet.compile_plan])
def test_an_empty_statement_set_is_refused(streaming: TableEnvironment, use: Callable[[StatementSet], object]) -> None:
    with pytest.raises(Py4JJavaError, match="No operators defined in streaming topology"):
        use(streaming.create_statement_set())


def test_a_statement_set_is_empty_after_execute(streaming: TableEnvironment) -> None:
    streaming.execute_sql("CREATE TABLE nothing_kept (a INT) WITH ('connector' = 'blackhole')")
    statements = streaming.create_statement_set().add_insert_sql("INSERT INTO nothing_kept VALUES (1)")
    statements.execute().wait()
    with pytest.raises(Py4JJavaError, match="the statement set is empty"):
        statements.execute()
