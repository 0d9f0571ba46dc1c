"""What the Table programs here share: a source of numbers, names, keys and times, and a sink that forgets."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from pyflink.table import EnvironmentSettings, TableEnvironment

SOURCE = """CREATE TABLE source ({columns}) WITH (
  'connector' = 'datagen', 'number-of-rows' = '{rows}', 'fields.x.kind' = 'sequence', 'fields.x.start' = '1', 'fields.x.end' = '{rows}',
  'rows-per-second' = '1000000000')"""
PLAIN = "x BIGINT"
TIMED = "x BIGINT, ts AS TO_TIMESTAMP_LTZ(x, 3), WATERMARK FOR ts AS ts"
NUMBERS = "CREATE VIEW numbers AS SELECT *, CONCAT('name-', CAST(x AS STRING)) AS name, MOD(x, 100) AS k FROM source"


def numbers(columns: str = PLAIN) -> TableEnvironment:
    """An environment with the view `numbers` (x, name, k; TIMED: also ts) of as many rows as the program was told."""
    table_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    table_env.get_config().set("parallelism.default", "1")
    table_env.execute_sql(SOURCE.format(columns=columns, rows=int(sys.argv[1])))
    table_env.execute_sql(NUMBERS)
    return table_env


def blackhole(table_env: TableEnvironment, columns: str) -> None:
    table_env.execute_sql(f"CREATE TABLE target ({columns}) WITH ('connector' = 'blackhole')")


def run_query(functions: Mapping[str, Any], columns: str, query: str, source: str = PLAIN) -> None:
    """Runs `query` over `numbers` with some functions, into a sink of `columns`."""
    table_env = numbers(source)
    for name, function in functions.items():
        table_env.create_temporary_function(name, function)
    blackhole(table_env, columns)
    table_env.execute_sql(f"INSERT INTO target {query}").wait()
