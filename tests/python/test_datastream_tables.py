"""Streams as tables and tables as streams."""

from __future__ import annotations

import datetime
import os
import subprocess
import sys

import pytest
from pyflink.common import Instant, Row, RowKind, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.functions import ProcessFunction
from pyflink.table import ChangelogMode, DataTypes, Schema, StreamTableEnvironment
from pyflink.table.expressions import col
from pyflink.util.exceptions import TableException, ValidationException

PAIR = Types.ROW_NAMED(["name", "n"], [Types.STRING(), Types.INT()])


@pytest.fixture
def env():
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


@pytest.fixture
def t_env(env):
    return StreamTableEnvironment.create(env)


def collect(stream):
    with stream.execute_and_collect() as records:
        return list(records)


def rows(table):
    with table.execute().collect() as found:
        return [tuple(row) for row in found]


class Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1] * 1000


def pairs(env):
    return env.from_collection([Row("a", 1), Row("b", 2), Row("a", 3)], PAIR)


def test_a_stream_of_rows_is_a_table(env, t_env):
    table = t_env.from_data_stream(pairs(env).map(lambda r: Row(r.name * 2, r.n + 1), PAIR))
    assert table.get_schema().get_field_names() == ["name", "n"]
    assert rows(table.select(col("name"), col("n") + 1)) == [("aa", 3), ("bb", 4), ("aa", 5)]


def test_tuples_and_values(env, t_env):
    tuples = env.from_collection([(1, "a")], Types.TUPLE([Types.INT(), Types.STRING()]))
    assert t_env.from_data_stream(tuples).get_schema().get_field_names() == ["f0", "f1"]
    assert rows(t_env.from_data_stream(tuples, col("x"), col("y")).select(col("y"), col("x"))) == [("a", 1)]
    assert rows(t_env.from_data_stream(env.from_collection(["a", "b"], Types.STRING()))) == [("a",), ("b",)]


def test_fields_by_name(env, t_env):
    assert rows(t_env.from_data_stream(pairs(env), col("n"), col("name").alias("who"))) == [(1, "a"), (2, "b"), (3, "a")]


def test_a_schema_declares_types_and_computed_columns(env, t_env):
    schema = Schema.new_builder().column("name", "STRING").column("n", "BIGINT").column_by_expression("twice", "n * 2").build()
    table = t_env.from_data_stream(pairs(env), schema)
    assert [str(t) for t in table.get_schema().get_field_data_types()] == ["VARCHAR", "BIGINT", "BIGINT"]
    assert rows(table) == [("a", 1, 2), ("b", 2, 4), ("a", 3, 6)]


def test_untyped_streams_are_refused(env, t_env):
    with pytest.raises(TypeError, match="declare the type of its records"):
        t_env.from_data_stream(env.from_collection([1]))


def test_event_time_windows_over_a_stream(env, t_env):
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second())
    stream = env.from_collection([Row("a", 1), Row("b", 2), Row("a", 11)], PAIR).assign_timestamps_and_watermarks(strategy)
    schema = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)").watermark("rowtime", "SOURCE_WATERMARK()").build()
    t_env.create_temporary_view("t", stream, schema)
    result = t_env.sql_query(
        "SELECT window_start, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(rowtime), INTERVAL '10' SECOND)) "
        "GROUP BY window_start, window_end"
    )
    assert [count for _, count in rows(result)] == [2, 1]
    old = t_env.from_data_stream(stream, col("name"), col("n"), col("ts").rowtime)
    assert [row[2] for row in rows(old)] == [datetime.datetime(1970, 1, 1, 0, 0, s) for s in (1, 2, 11)]


def test_a_watermark_on_a_computed_column(env, t_env):
    schema = (
        Schema.new_builder()
        .column("name", "STRING")
        .column("n", "INT")
        .column_by_expression("ts", "TO_TIMESTAMP_LTZ(n, 0)")
        .watermark("ts", "ts - INTERVAL '1' SECOND")
        .build()
    )
    t_env.create_temporary_view("t", pairs(env), schema)
    result = t_env.sql_query(
        "SELECT COUNT(*) AS c FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' SECOND)) GROUP BY window_start, window_end"
    )
    assert rows(result) == [(1,), (2,)]


def test_a_table_is_a_stream_of_rows(env, t_env):
    table = t_env.from_elements([(1, "a", [1, 2], datetime.datetime(2024, 1, 2, 3, 4, 5))], ["id", "name", "list", "ts"])
    stream = t_env.to_data_stream(table)
    (row,) = collect(stream)
    assert row.id == 1 and row["name"] == "a" and row[2] == [1, 2]
    assert isinstance(row.ts, Instant)
    assert collect(stream.map(lambda r: (r.name, r.id + 1))) == [("a", 2)]


def test_a_changing_table_needs_a_changelog_stream(env, t_env):
    t_env.create_temporary_view("t", pairs(env))
    counts = t_env.sql_query("SELECT name, SUM(n) AS s FROM t GROUP BY name")
    with pytest.raises(Exception, match="doesn't support consuming update"):
        collect(t_env.to_data_stream(counts))
    found = collect(t_env.to_changelog_stream(counts))
    assert [(row.get_row_kind(), row.name, row.s) for row in found] == [
        (RowKind.INSERT, "a", 1), (RowKind.INSERT, "b", 2), (RowKind.UPDATE_BEFORE, "a", 1), (RowKind.UPDATE_AFTER, "a", 4),
    ]  # fmt: skip
    retractions = collect(t_env.to_retract_stream(counts, Types.TUPLE([Types.STRING(), Types.INT()])))
    assert retractions[-2:] == [(False, ("a", 1)), (True, ("a", 4))]
    rows_of_kinds = collect(t_env.to_retract_stream(counts, Types.ROW([Types.STRING(), Types.INT()])))
    assert [(flag, str(row.get_row_kind()), *row) for flag, row in rows_of_kinds[-2:]] == [(False, "-U", "a", 1), (True, "+U", "a", 4)]


def test_a_target_schema_takes_columns_by_position_and_metadata_as_time(env, t_env):
    t_env.execute_sql("CREATE VIEW v AS SELECT name, ts, id FROM (VALUES (1, 'a', TO_TIMESTAMP_LTZ(5000, 3))) AS v(id, name, ts)")
    schema = Schema.new_builder().column("f1", DataTypes.STRING()).column_by_metadata("time", DataTypes.TIMESTAMP_LTZ(3))
    schema = schema.column_by_expression("ignored", "UPPER(f1)").column("f0", DataTypes.BIGINT()).build()
    found = collect(t_env.to_changelog_stream(t_env.from_path("v"), schema))
    assert [(list(row._fields), tuple(row)) for row in found] == [(["f1", "f0"], ("a", 1))]
    with pytest.raises(ValidationException, match=r"the target schema has the columns \['x'\]"):
        t_env.to_changelog_stream(t_env.from_path("v"), Schema.new_builder().column("x", DataTypes.STRING()).build())


def test_a_changelog_stream_is_a_table(env, t_env):
    changes = env.from_collection(
        [
            Row.of_kind(RowKind.INSERT, "a", 1),
            Row.of_kind(RowKind.INSERT, "b", 2),
            Row.of_kind(RowKind.UPDATE_BEFORE, "a", 1),
            Row.of_kind(RowKind.UPDATE_AFTER, "a", 5),
            Row.of_kind(RowKind.DELETE, "b", 2),
        ],
        PAIR,
    )
    table = t_env.from_changelog_stream(changes)
    t_env.create_temporary_view("t", table)
    assert rows(t_env.sql_query("SELECT SUM(n) AS s FROM t"))[-1] == (5,)
    schema = Schema.new_builder().column("name", DataTypes.STRING()).column("n", DataTypes.BIGINT()).build()
    again = t_env.from_changelog_stream(changes, schema, ChangelogMode.all())
    assert str(again.get_schema().get_field_data_types()[1]) == "BIGINT"


def test_an_insert_reads_a_stream(env, t_env, capfd):
    t_env.create_temporary_view("t", pairs(env).map(lambda r: Row(r.name, r.n * 10), PAIR))
    t_env.execute_sql("CREATE TABLE sink (name STRING, n INT) WITH ('connector' = 'print')")
    t_env.execute_sql("INSERT INTO sink SELECT * FROM t").wait()
    assert sorted(capfd.readouterr().out.splitlines()) == ["+I[a, 10]", "+I[a, 30]", "+I[b, 20]"]


def test_a_stream_of_upserts_is_a_table(env, t_env):
    changes = env.from_collection(
        [
            Row.of_kind(RowKind.INSERT, "a", 1),
            Row.of_kind(RowKind.UPDATE_AFTER, "a", 5),
            Row.of_kind(RowKind.INSERT, "b", 2),
            Row.of_kind(RowKind.DELETE, "b", 2),
        ],
        PAIR,
    )
    schema = Schema.new_builder().column("name", "STRING").column("n", "INT").primary_key("name").build()
    table = t_env.from_changelog_stream(changes, schema, ChangelogMode.upsert())
    with table.execute().collect() as found:
        kinds = [(str(row.get_row_kind()), *row) for row in found]
    assert kinds == [("+I", "a", 1), ("-U", "a", 1), ("+U", "a", 5), ("+I", "b", 2), ("-D", "b", 2)]
    with pytest.raises(ValueError, match="needs a primary key"):
        t_env.from_changelog_stream(changes, None, ChangelogMode.upsert())


def test_inserts_run_with_the_streams(env, t_env, capfd):
    t_env.execute_sql("CREATE TABLE sink (n BIGINT) WITH ('connector' = 'print')")
    statements = t_env.create_statement_set()
    statements.add_insert_sql("INSERT INTO sink VALUES (1), (2)")
    statements.attach_as_datastream()
    env.from_collection([3]).print()
    env.execute()
    assert sorted(capfd.readouterr().out.splitlines()) == ["+I[1]", "+I[2]", "3"]


PRINTING = """
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import StreamTableEnvironment

streams = StreamExecutionEnvironment.get_execution_environment()
streams.set_parallelism(1)
tables = StreamTableEnvironment.create(streams)
statements = tables.create_statement_set()
for job in "abcdef":
    tables.execute_sql(
        f"CREATE TABLE numbers_{job} (n BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '1000000', "
        "'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '1999')"
    )
    tables.execute_sql(f"CREATE TABLE sink_{job} (n BIGINT) WITH ('connector' = 'print', 'print-identifier' = '{job}')")
    statements.add_insert_sql(f"INSERT INTO sink_{job} SELECT n FROM numbers_{job}")
    streams.from_collection(list(range(2000))).print(f"stream {job}")
statements.attach_as_datastream()
streams.execute()
"""


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_lines_of_sinks_that_print_at_once_stay_whole(tmp_path, unbuffered):
    (tmp_path / "printing.py").write_text(PRINTING)
    done = subprocess.run(
        [sys.executable, tmp_path / "printing.py"],
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )
    assert done.returncode == 0, done.stderr
    expected = [line for job in "abcdef" for n in range(2000) for line in (f"{job}> +I[{n}]", f"stream {job}> {n}")]
    assert sorted(done.stdout.splitlines()) == sorted(expected)


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_programs_print_where_standard_files_are_closed(tmp_path, closed):
    (tmp_path / "printing.py").write_text(PRINTING + "print('printed')\ntables.from_elements([(1,)], ['n']).execute().print()\n")
    command = ["sh", "-c", f'exec "$0" printing.py {closed}', sys.executable]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("| +I |" in done.stdout) == (closed == "2>&-")


def test_event_times_and_watermarks_of_a_table(env, t_env):
    t_env.execute_sql(
        "CREATE TABLE orders (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '1' SECOND) WITH ('connector' = 'datagen', "
        "'number-of-rows' = '2', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1', 'fields.id.end' = '2')"
    )

    class Times(ProcessFunction):
        def process_element(self, value, ctx):
            yield value.id, round(value.ts.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000) - ctx.timestamp()

    assert collect(t_env.to_data_stream(t_env.from_path("orders")).process(Times())) == [(1, 0), (2, 0)]


def test_a_table_whose_rows_change_is_no_stream_of_records_at_once() -> None:
    env = StreamExecutionEnvironment.get_execution_environment()
    t_env = StreamTableEnvironment.create(env)
    counted = t_env.from_elements([(1,)], ["n"]).group_by(col("n")).select(col("n"), col("n").count.alias("c"))
    for use in (t_env.to_data_stream, lambda table: t_env.to_append_stream(table, Types.ROW([Types.LONG(), Types.LONG()]))):
        with pytest.raises(TableException, match=r"'DataStream' doesn't support consuming update changes .* node GroupAggregate"):
            use(counted)
    # Nothing of it is left in the environment.
    assert list(env.from_collection([1]).execute_and_collect()) == [1]
