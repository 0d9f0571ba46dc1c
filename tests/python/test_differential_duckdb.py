"""Random typed expressions over random columns: the same values as DuckDB's where both have the function with the same meaning.

THALWEG_DIFFERENTIAL_EXPRESSIONS and THALWEG_DIFFERENTIAL_SEED ask for longer runs and other expressions.
"""

from __future__ import annotations

import datetime
import decimal
import math
import os
import random
from dataclasses import dataclass
from typing import Any

import pytest
from pyflink.table import DataTypes, EnvironmentSettings, TableEnvironment

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install -r benchmarks/requirements.txt")

EXPRESSIONS = int(os.environ.get("THALWEG_DIFFERENTIAL_EXPRESSIONS", "1500"))
SEED = int(os.environ.get("THALWEG_DIFFERENTIAL_SEED", "20240229"))
ROWS = 40
#: Expressions of one query.
TOGETHER = 50

#: Column names by kind, with the types on both sides.
COLUMNS = {
    "long": (("l", "k"), "BIGINT"),
    "double": (("d", "e"), "DOUBLE"),
    "decimal": (("m", "n"), "DECIMAL(10, 2)"),
    "text": (("s", "p"), "VARCHAR"),
    "boolean": (("b", "c"), "BOOLEAN"),
    "time": (("t", "u"), "TIMESTAMP"),
    "date": (("x", "y"), "DATE"),
    "longs": (("a", "f"), "BIGINT[]"),
}
FLINK_TYPES = {
    "long": DataTypes.BIGINT(),
    "double": DataTypes.DOUBLE(),
    "decimal": DataTypes.DECIMAL(10, 2),
    "text": DataTypes.STRING(),
    "boolean": DataTypes.BOOLEAN(),
    "time": DataTypes.TIMESTAMP(3),
    "date": DataTypes.DATE(),
    "longs": DataTypes.ARRAY(DataTypes.BIGINT()),
}
TEXTS = (
    "", "a", "abc", "Hello World", "  padded  ", "exactly12abc", "thirteen char", "a longer text, with a comma",
    "x,y,z", "12", "-7", "abcabc", "%b%", "under_score", "2024-02-29 12:34:56", "UPPER lower 123",
)  # fmt: skip

#: result kind -> (Flink's form, DuckDB's form, kinds of the operands). Where NULLs, zeros or overflows mean different things, the
#: forms keep them out: NULLIF(.., 0) under a quotient, products of numbers below 1000 only.
FORMS: dict[str, list[tuple[str, str, tuple[str, ...]]]] = {
    "long": [
        ("({0} + {1})", "({0} + {1})", ("long", "long")),
        ("({0} - {1})", "({0} - {1})", ("long", "long")),
        ("(({0} % 1000) * ({1} % 1000))", "(({0} % 1000) * ({1} % 1000))", ("long", "long")),
        ("({0} / NULLIF({1}, 0))", "CAST(TRUNC(CAST({0} AS DECIMAL(30, 0)) / NULLIF({1}, 0)) AS BIGINT)", ("small", "small")),
        ("MOD({0}, NULLIF({1}, 0))", "({0} % NULLIF({1}, 0))", ("long", "long")),
        ("(- {0})", "(- {0})", ("long",)),
        ("ABS({0})", "ABS({0})", ("long",)),
        ("CHAR_LENGTH({0})", "LENGTH({0})", ("text",)),
        ("POSITION({0} IN {1})", "POSITION({0} IN {1})", ("text", "text")),
        ("CAST({0} AS BIGINT)", "CAST(TRUNC({0}) AS BIGINT)", ("double",)),
        ("CAST({0} AS BIGINT)", "CAST(TRUNC({0}) AS BIGINT)", ("decimal",)),
        ("CAST({0} AS BIGINT)", "CAST({0} AS BIGINT)", ("boolean",)),
        ("CAST(CAST({0} AS STRING) AS BIGINT)", "CAST(CAST({0} AS VARCHAR) AS BIGINT)", ("long",)),
        ("EXTRACT(YEAR FROM {0})", "EXTRACT(YEAR FROM {0})", ("time",)),
        ("EXTRACT(MONTH FROM {0})", "EXTRACT(MONTH FROM {0})", ("date",)),
        ("EXTRACT(DAY FROM {0})", "EXTRACT(DAY FROM {0})", ("time",)),
        ("EXTRACT(HOUR FROM {0})", "EXTRACT(HOUR FROM {0})", ("time",)),
        ("EXTRACT(MINUTE FROM {0})", "EXTRACT(MINUTE FROM {0})", ("time",)),
        ("QUARTER({0})", "QUARTER({0})", ("date",)),
        ("DAYOFYEAR({0})", "DAYOFYEAR({0})", ("date",)),
        ("WEEK({0})", "WEEK({0})", ("date",)),
        ("(DAYOFWEEK({0}) - 1)", "DAYOFWEEK({0})", ("date",)),
        ("TIMESTAMPDIFF(HOUR, {0}, {1})", "DATE_SUB('hour', {0}, {1})", ("time", "time")),
        ("TIMESTAMPDIFF(DAY, {0}, {1})", "DATE_SUB('day', {0}, {1})", ("time", "time")),
        ("CARDINALITY({0})", "LEN({0})", ("longs",)),
        ("{0}[1]", "{0}[1]", ("longs",)),
        ("{0}[1 + ABS({1} % 3)]", "{0}[1 + ABS({1} % 3)]", ("longs", "long")),
        ("ARRAY_MAX({0})", "LIST_MAX({0})", ("longs",)),
        ("INSTR({0}, {1})", "INSTR({0}, {1})", ("text", "text")),
    ],
    "small": [("({0} % 100000)", "({0} % 100000)", ("long",)), ("CHAR_LENGTH({0})", "LENGTH({0})", ("text",))],
    "double": [
        ("({0} + {1})", "({0} + {1})", ("double", "double")),
        ("({0} - {1})", "({0} - {1})", ("double", "double")),
        ("({0} * {1})", "({0} * {1})", ("double", "double")),
        ("({0} / NULLIF({1}, CAST(0 AS DOUBLE)))", "({0} / NULLIF({1}, 0))", ("double", "double")),
        ("ABS({0})", "ABS({0})", ("double",)),
        ("SQRT(ABS({0}))", "SQRT(ABS({0}))", ("double",)),
        ("FLOOR({0})", "FLOOR({0})", ("double",)),
        ("CEIL({0})", "CEIL({0})", ("double",)),
        ("SIN({0})", "SIN({0})", ("double",)),
        ("COS({0})", "COS({0})", ("double",)),
        ("ATAN({0})", "ATAN({0})", ("double",)),
        ("LN(ABS({0}) + 1)", "LN(ABS({0}) + 1)", ("double",)),
        ("POWER(ABS({0}), 0.5)", "POWER(ABS({0}), 0.5)", ("double",)),
        ("CAST({0} AS DOUBLE)", "CAST({0} AS DOUBLE)", ("long",)),
        ("CAST({0} AS DOUBLE)", "CAST({0} AS DOUBLE)", ("decimal",)),
    ],
    "decimal": [
        ("CAST({0} + {1} AS DECIMAL(10, 2))", "TRY_CAST({0} + {1} AS DECIMAL(10, 2))", ("decimal", "decimal")),
        ("CAST({0} - {1} AS DECIMAL(10, 2))", "TRY_CAST({0} - {1} AS DECIMAL(10, 2))", ("decimal", "decimal")),
        ("CAST({0} * {1} AS DECIMAL(10, 2))", "TRY_CAST({0} * {1} AS DECIMAL(10, 2))", ("decimal", "decimal")),
        ("ABS({0})", "ABS({0})", ("decimal",)),
        ("CAST({0} AS DECIMAL(10, 2))", "TRY_CAST({0} AS DECIMAL(10, 2))", ("long",)),
    ],
    "text": [
        ("UPPER({0})", "UPPER({0})", ("text",)),
        ("LOWER({0})", "LOWER({0})", ("text",)),
        ("REVERSE({0})", "REVERSE({0})", ("text",)),
        ("TRIM({0})", "TRIM({0})", ("text",)),
        ("LTRIM({0})", "LTRIM({0})", ("text",)),
        ("RTRIM({0})", "RTRIM({0})", ("text",)),
        ("SUBSTRING({0}, 2, 3)", "SUBSTRING({0}, 2, 3)", ("text",)),
        ("SUBSTRING({0}, 1 + ABS({1} % 8))", "SUBSTRING({0}, 1 + ABS({1} % 8))", ("text", "long")),
        ("LEFT({0}, 3)", "LEFT({0}, 3)", ("text",)),
        ("RIGHT({0}, 3)", "RIGHT({0}, 3)", ("text",)),
        ("REPLACE({0}, 'a', 'xyz')", "REPLACE({0}, 'a', 'xyz')", ("text",)),
        ("LPAD({0}, 9, '*-')", "LPAD({0}, 9, '*-')", ("text",)),
        ("RPAD({0}, 15, '+')", "RPAD({0}, 15, '+')", ("text",)),
        ("SUBSTRING({0} || {1}, 1, 60)", "SUBSTRING({0} || {1}, 1, 60)", ("text", "text")),
        ("REPEAT(LEFT({0}, 4), 3)", "REPEAT(LEFT({0}, 4), 3)", ("text",)),
        ("MD5({0})", "MD5({0})", ("text",)),
        ("SHA256({0})", "SHA256({0})", ("text",)),
        ("HEX({0})", "HEX({0})", ("text",)),
        ("TO_BASE64({0})", "TO_BASE64(ENCODE({0}))", ("text",)),
        ("REGEXP_REPLACE({0}, '[aeiou]+', '_')", "REGEXP_REPLACE({0}, '[aeiou]+', '_', 'g')", ("text",)),
        ("COALESCE(SPLIT_INDEX({0}, ',', 1), '')", "COALESCE(SPLIT_PART({0}, ',', 2), '')", ("text",)),
        ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", ("long",)),
        ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", ("decimal",)),
        ("CAST({0} AS STRING)", "CAST({0} AS VARCHAR)", ("date",)),
        ("CAST({0} AS STRING)", "UPPER(CAST({0} AS VARCHAR))", ("boolean",)),
        ("DATE_FORMAT({0}, 'yyyy/MM/dd HH:mm:ss')", "STRFTIME({0}, '%Y/%m/%d %H:%M:%S')", ("time",)),
    ],
    "boolean": [
        ("({0} = {1})", "({0} = {1})", ("long", "long")),
        ("({0} <> {1})", "({0} <> {1})", ("text", "text")),
        ("({0} < {1})", "({0} < {1})", ("text", "text")),
        ("({0} >= {1})", "({0} >= {1})", ("long", "long")),
        ("({0} < {1})", "({0} < {1})", ("double", "double")),
        ("({0} <= {1})", "({0} <= {1})", ("decimal", "decimal")),
        ("({0} > {1})", "({0} > {1})", ("time", "time")),
        ("({0} = {1})", "({0} = {1})", ("date", "date")),
        ("({0} = {1})", "({0} = {1})", ("decimal", "long")),
        ("({0} AND {1})", "({0} AND {1})", ("boolean", "boolean")),
        ("({0} OR {1})", "({0} OR {1})", ("boolean", "boolean")),
        ("(NOT {0})", "(NOT {0})", ("boolean",)),
        ("({0} IS TRUE)", "({0} IS NOT DISTINCT FROM TRUE)", ("boolean",)),
        ("({0} IS NULL)", "({0} IS NULL)", ("long",)),
        ("({0} IS NOT NULL)", "({0} IS NOT NULL)", ("text",)),
        ("({0} IS DISTINCT FROM {1})", "({0} IS DISTINCT FROM {1})", ("long", "long")),
        ("({0} IS NOT DISTINCT FROM {1})", "({0} IS NOT DISTINCT FROM {1})", ("text", "text")),
        ("({0} BETWEEN {1} AND {2})", "({0} BETWEEN {1} AND {2})", ("long", "long", "long")),
        ("({0} IN (1, 2, 3, 12))", "({0} IN (1, 2, 3, 12))", ("long",)),
        ("({0} NOT IN ('a', 'abc'))", "({0} NOT IN ('a', 'abc'))", ("text",)),
        ("({0} LIKE '%a%')", "({0} LIKE '%a%')", ("text",)),
        ("({0} LIKE 'a_c%')", "({0} LIKE 'a_c%')", ("text",)),
        ("({0} NOT LIKE '%d')", "({0} NOT LIKE '%d')", ("text",)),
        ("STARTSWITH({0}, {1})", "STARTS_WITH({0}, {1})", ("text", "text")),
        ("ENDSWITH({0}, {1})", "ENDS_WITH({0}, {1})", ("text", "text")),
        ("REGEXP({0}, '[0-9]+')", "REGEXP_MATCHES({0}, '[0-9]+')", ("text",)),
        ("ARRAY_CONTAINS({0}, COALESCE({1}, 0))", "LIST_CONTAINS({0}, COALESCE({1}, 0))", ("longs", "long")),
    ],
    "time": [
        ("FLOOR({0} TO DAY)", "DATE_TRUNC('day', {0})", ("time",)),
        ("FLOOR({0} TO MONTH)", "DATE_TRUNC('month', {0})", ("time",)),
        ("FLOOR({0} TO HOUR)", "DATE_TRUNC('hour', {0})", ("time",)),
        ("FLOOR({0} TO MINUTE)", "DATE_TRUNC('minute', {0})", ("time",)),
        ("({0} + INTERVAL '3' HOUR)", "({0} + INTERVAL 3 HOUR)", ("time",)),
        ("({0} - INTERVAL '1' MONTH)", "({0} - INTERVAL 1 MONTH)", ("time",)),
        ("CAST({0} AS TIMESTAMP(3))", "CAST({0} AS TIMESTAMP)", ("date",)),
    ],
    "date": [
        ("CAST({0} AS DATE)", "CAST({0} AS DATE)", ("time",)),
        ("CAST({0} + INTERVAL '5' DAY AS DATE)", "CAST({0} + INTERVAL 5 DAY AS DATE)", ("date",)),
        ("CAST(CAST({0} AS STRING) AS DATE)", "CAST(CAST({0} AS VARCHAR) AS DATE)", ("date",)),
    ],
    "longs": [
        ("ARRAY[{0}, {1}]", "[{0}, {1}]", ("long", "long")),
        ("ARRAY_REVERSE({0})", "LIST_REVERSE({0})", ("longs",)),
    ],
}  # fmt: skip
#: Of any kind: the conditional forms.
ANY_FORMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("CASE WHEN {0} THEN {1} ELSE {2} END", ("boolean", "", "")),
    ("CASE WHEN {0} THEN {1} WHEN {3} THEN {2} END", ("boolean", "", "", "boolean")),
    ("COALESCE({0}, {1})", ("", "")),
    ("NULLIF({0}, {1})", ("", "")),
)
#: NULLIF compares arrays in DuckDB only.
PLAIN_KINDS = tuple(kind for kind in COLUMNS if kind != "longs")


@dataclass(frozen=True)
class Pair:
    """One expression in both dialects."""

    ours: str
    theirs: str


def leaf(kind: str, chance: random.Random) -> Pair:
    if kind == "small":
        return Pair("(l % 1000)", "(l % 1000)")
    name = chance.choice(COLUMNS[kind][0])
    return Pair(name, name)


def expression(kind: str, depth: int, chance: random.Random) -> Pair:
    if depth == 0 or chance.random() < 0.15:
        return leaf(kind, chance)
    if kind in PLAIN_KINDS and chance.random() < 0.15:
        both, kinds = chance.choice(ANY_FORMS)
        ours, theirs = both, both
    else:
        ours, theirs, kinds = chance.choice(FORMS[kind])
    operands = [expression(wanted or kind, depth - 1, chance) for wanted in kinds]
    return Pair(ours.format(*(one.ours for one in operands)), theirs.format(*(one.theirs for one in operands)))


def value(kind: str, chance: random.Random) -> Any:
    if chance.random() < 0.15:
        return None
    if kind == "long":
        return chance.choice((0, 1, -1, 12, chance.randint(-50, 50), chance.randint(-(10**6), 10**6)))
    if kind == "double":
        return chance.choice((0.0, 1.5, -2.25, chance.uniform(-100, 100), chance.uniform(-1e6, 1e6)))
    if kind == "decimal":
        return decimal.Decimal(chance.choice((0, 1, -1, chance.randint(-5000, 5000), chance.randint(-(10**8), 10**8)))).scaleb(-2)
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "text":
        return chance.choice(TEXTS)
    if kind == "time":
        return datetime.datetime(1971, 1, 1) + datetime.timedelta(milliseconds=chance.randint(0, 2_500_000_000_000))
    if kind == "date":
        return datetime.date(1971, 1, 1) + datetime.timedelta(days=chance.randint(0, 28_000))
    return [chance.randint(-9, 9) for _ in range(chance.randint(1, 4))]


def rows(chance: random.Random) -> list[tuple[Any, ...]]:
    kinds = [kind for kind, (names, _) in COLUMNS.items() for _ in names]
    return [(row, *(value(kind, chance) for kind in kinds)) for row in range(ROWS)]


def same(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, float) and isinstance(theirs, float):
        both_nan = math.isnan(ours) and math.isnan(theirs)
        return both_nan or ours == theirs or math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-9)
    return bool(ours == theirs)


def open_duckdb(table: list[tuple[Any, ...]]) -> Any:
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    columns = ", ".join(f"{name} {kind}" for names, kind in COLUMNS.values() for name in names)
    connection.execute(f"CREATE TABLE r (id BIGINT, {columns})")
    connection.executemany(f"INSERT INTO r VALUES ({', '.join('?' * len(table[0]))})", table)
    return connection


def open_thalweg(table: list[tuple[Any, ...]]) -> TableEnvironment:
    environment = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    fields = [DataTypes.FIELD("id", DataTypes.BIGINT())]
    fields += [DataTypes.FIELD(name, FLINK_TYPES[kind]) for kind, (names, _) in COLUMNS.items() for name in names]
    environment.create_temporary_view("r", environment.from_elements(table, DataTypes.ROW(fields)))
    return environment


def in_thalweg(environment: TableEnvironment, texts: list[str]) -> list[tuple[Any, ...]]:
    with environment.execute_sql(f"SELECT id, {', '.join(texts)} FROM r").collect() as results:
        return sorted(tuple(row) for row in results)


def test_the_same_values_as_duckdb() -> None:
    chance = random.Random(SEED)
    table = rows(chance)
    connection, environment = open_duckdb(table), open_thalweg(table)
    compared = 0
    for start in range(0, EXPRESSIONS, TOGETHER):
        pairs = [expression(chance.choice(list(COLUMNS)), chance.randint(1, 4), chance) for _ in range(TOGETHER)]
        theirs: dict[int, list[Any]] = {}
        for index, pair in enumerate(pairs):
            try:
                found = connection.execute(f"SELECT {pair.theirs} FROM r ORDER BY id").fetchall()
                theirs[index] = [row[0] for row in found]
            except (duckdb.OutOfRangeException, duckdb.ConversionException):
                continue  # a number too big for it, where Flink wraps around or gives NULL
        ours = in_thalweg(environment, [pairs[index].ours for index in theirs])
        for place, (index, expected) in enumerate(theirs.items()):
            compared += 1
            for row, wanted in enumerate(expected):
                got = ours[row][place + 1]
                message = (
                    f"seed {SEED}, expression {start + index}, row {table[row]}:\n{pairs[index].ours}\nis {got!r}, in DuckDB {wanted!r}"
                )
                assert same(got, wanted), message
    assert compared > 0.9 * EXPRESSIONS
