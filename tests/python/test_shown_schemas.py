"""What print_schema shows of tables that are read, and which names columns may have: as Flink 2.3 prints it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pyflink.common import Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.table import Schema, StreamTableEnvironment, TableEnvironment
from pyflink.table.expressions import col, lit
from pyflink.util.exceptions import ValidationException

Printed = Callable[[Callable[[], object]], str]

TABLE = """CREATE TABLE w (a INT NOT NULL, b STRING, c AS a + 1, ts TIMESTAMP(3) COMMENT 'x', p AS PROCTIME(),
    WATERMARK FOR ts AS ts - INTERVAL '1' SECOND, PRIMARY KEY (a) NOT ENFORCED) WITH ('connector' = 'datagen')"""
SHOWN = """(
  `a` INT NOT NULL,
  `b` STRING,
  `c` INT NOT NULL AS `a` + 1,
  `ts` TIMESTAMP(3) *ROWTIME* COMMENT 'x',
  `p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME(),
  WATERMARK FOR `ts`: TIMESTAMP(3) AS `ts` - INTERVAL '1' SECOND,
  CONSTRAINT `PK_a` PRIMARY KEY (`a`) NOT ENFORCED
)
"""


def test_a_table_that_is_read_shows_all_that_is_known_of_it(streaming: TableEnvironment, printed: Printed) -> None:
    streaming.execute_sql(TABLE)
    table = streaming.from_path("w")
    assert printed(table.print_schema) == SHOWN
    assert printed(table.where(col("a") > 1).order_by(col("ts")).limit(3).print_schema) == SHOWN
    assert printed(table.select(col("b"), col("ts"), col("p")).print_schema) == (
        "(\n  `b` STRING,\n  `ts` TIMESTAMP(3) *ROWTIME*,\n  `p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME*\n)\n"
    )
    assert table.get_resolved_schema().get_primary_key_indexes() == [0]
    streaming.execute_sql("CREATE VIEW v AS SELECT b, ts FROM w")
    assert printed(streaming.from_path("v").print_schema) == "(\n  `b` STRING,\n  `ts` TIMESTAMP(3) *ROWTIME*\n)\n"


@pytest.fixture
def streams() -> tuple[StreamTableEnvironment, Any]:
    """An environment and a stream in it."""
    environment = StreamExecutionEnvironment.get_execution_environment()
    stream = environment.from_collection([(1, "x", 5)], Types.ROW_NAMED(["id", "name", "t"], [Types.INT(), Types.STRING(), Types.LONG()]))
    return StreamTableEnvironment.create(environment), stream


def test_a_table_of_a_stream_shows_its_schema(streams: tuple[StreamTableEnvironment, Any], printed: Printed) -> None:
    tables, stream = streams
    schema = Schema.new_builder().column_by_metadata("rowtime", "TIMESTAMP_LTZ(3)").watermark("rowtime", "SOURCE_WATERMARK()")
    table = tables.from_data_stream(stream, schema.column_by_expression("p", "PROCTIME()").build())
    assert printed(table.print_schema) == (
        "(\n  `id` INT,\n  `name` STRING,\n  `t` BIGINT,\n  `rowtime` TIMESTAMP_LTZ(3) *ROWTIME* METADATA,\n"
        "  `p` TIMESTAMP_LTZ(3) NOT NULL *PROCTIME* AS PROCTIME(),\n"
        "  WATERMARK FOR `rowtime`: TIMESTAMP_LTZ(3) AS SOURCE_WATERMARK()\n)\n"
    )
    assert "METADATA" not in printed(table.alias("a", "b", "c", "d").print_schema)
    keyed = Schema.new_builder().column("id", "INT NOT NULL").column("name", "STRING").column("t", "BIGINT")
    table = tables.from_data_stream(stream, keyed.column_by_expression("d", "id * 2").primary_key("id").build())
    assert printed(table.print_schema) == (
        "(\n  `id` INT NOT NULL,\n  `name` STRING,\n  `t` BIGINT,\n  `d` INT NOT NULL AS id * 2,\n"
        "  CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED\n)\n"
    )


@pytest.mark.parametrize(
    ("use", "name"),
    [
        (lambda t: t.select(col("i"), col("i")), "i"),
        (lambda t: t.select(col("i").alias("x"), col("s").alias("x")), "x"),
        (lambda t: t.alias("q", "q"), "q"),
        (lambda t: t.alias("s"), "s"),
        (lambda t: t.add_columns(lit(1).alias("i")), "i"),
        (lambda t: t.rename_columns(col("i").alias("s")), "s"),
        (lambda t: t.group_by(col("s")).select(col("i").sum.alias("s"), col("s")), "s"),
    ],
)
def test_names_that_a_program_gives_are_different(streaming: TableEnvironment, use: Callable[[Any], Any], name: str) -> None:
    table = streaming.from_elements([(1, "a"), (0, "b")], ["i", "s"])
    with pytest.raises(ValidationException, match=f"Ambiguous column name: {name}"):
        use(table)


def test_rows_of_different_lengths(streaming: TableEnvironment) -> None:
    with pytest.raises(TypeError, match=r"field b: Can not merge type <class .*BigIntType'> and <class 'NoneType'>"):
        streaming.from_elements([(1, 2), (3,)], ["a", "b"])
    assert streaming.from_elements([(1, 2), (3, 4, 5)], ["a", "b"]).get_schema().get_field_names() == ["a", "b", "_3"]
