"""Expressions over columns in memory: Thalweg's evaluator beside DuckDB, one thread each, on the same rows."""

from __future__ import annotations

import importlib
import math
import pathlib
import time
from typing import Any

from bench import PROGRAMS, Bench, install_duckdb
from measure import measure

ROWS = 64 * 2048
#: A measurement of DuckDB goes on for as long; the least of some counts.
LEAST_S = 0.02
RUNS = 5

YEAR_S = 365 * 24 * 3600
#: Columns made of the row's number `i`: name, SQL of ours, SQL of DuckDB where it differs.
VALUES = (
    ("l", "MOD(i * 7919, 1000003) - 500000", ""),
    ("k", "MOD(i * 104729, 997) + 1", ""),
    ("d", "CAST(MOD(i * 15485863, 2000003) AS DOUBLE) / 1000 - 1000", ""),
    ("e", "CAST(MOD(i * 32452843, 1999993) AS DOUBLE) / 100 + 1", ""),
    ("m", "CAST(CAST(MOD(i * 49979687, 2000003) AS DOUBLE) / 100 AS DECIMAL(12, 2))", ""),
    ("n", "CAST(MOD(i * 67867967, 90007) + 1 AS DECIMAL(12, 2))", ""),
    ("s", "'Word' || CAST(MOD(i * 31, 1009) AS VARCHAR(10))", ""),
    ("p", "'The quick brown fox ' || CAST(MOD(i * 37, 10007) AS VARCHAR(10)) || ' jumps, over the lazy dog'", ""),
    ("w", "CAST(MOD(i * 7919, 1000003) - 500000 AS VARCHAR(20))", ""),
    ("b", "MOD(i, 3) = 0", ""),
    (
        "t",
        f"TIMESTAMPADD(SECOND, CAST(MOD(i * 86413, {YEAR_S}) AS INT), TIMESTAMP '2024-01-01 00:00:00.123')",
        f"TIMESTAMP '2024-01-01 00:00:00.123' + TO_SECONDS(MOD(i * 86413, {YEAR_S}))",
    ),
    (
        "u",
        f"TIMESTAMPADD(SECOND, CAST(MOD(i * 53, {YEAR_S}) AS INT), TIMESTAMP '2024-06-01 00:00:00.123')",
        f"TIMESTAMP '2024-06-01 00:00:00.123' + TO_SECONDS(MOD(i * 53, {YEAR_S}))",
    ),
    (
        "x",
        "CAST(TIMESTAMPADD(DAY, CAST(MOD(i * 53, 3650) AS INT), DATE '2020-01-01') AS DATE)",
        "DATE '2020-01-01' + CAST(MOD(i * 53, 3650) AS INT)",
    ),
    (
        "z",
        f"SUBSTRING(CAST(TIMESTAMPADD(SECOND, CAST(MOD(i * 86413, {YEAR_S}) AS INT), TIMESTAMP '2024-01-01 00:00:00') AS STRING), 1, 19)",
        f"STRFTIME(TIMESTAMP '2024-01-01 00:00:00' + TO_SECONDS(MOD(i * 86413, {YEAR_S})), '%Y-%m-%d %H:%M:%S')",
    ),
    ("j", """'{"id": ' || CAST(i AS VARCHAR(20)) || ', "name": "Word", "tags": ["a", "b"]}'""", ""),
    ("a", "ARRAY[i, i + 1, i + 2, i + 3]", "[i, i + 1, i + 2, i + 3]"),
    ("q", "MAP['a', i, 'b', i + 1, 'c', i + 2]", "MAP {'a': i, 'b': i + 1, 'c': i + 2}"),
)


def nullable(sql: str, number: int) -> str:
    """NULL in one row of 64."""
    return f"CASE WHEN MOD(i, 64) <> {number} THEN {sql} END"


#: As VALUES.
COLUMNS = [(name, nullable(sql, number), nullable(theirs or sql, number)) for number, (name, sql, theirs) in enumerate(VALUES)]

#: SQL of ours, SQL of DuckDB where it differs.
EXPRESSIONS = (
    ("l + k", ""),
    ("(l * 3 + k) * 2 - 7", ""),
    ("l / k", "l // k"),
    ("MOD(l, k)", "l % k"),
    ("d * e + 1", ""),
    ("SQRT(e)", ""),
    ("POWER(e, 1.5)", ""),
    ("ROUND(d, 2)", ""),
    ("l > k", ""),
    ("s = p", ""),
    ("s < 'Word5'", ""),
    ("l > 0 AND k < 500 OR b", ""),
    ("l BETWEEN -1000 AND 1000", ""),
    ("s IN ('Word1', 'Word22', 'Word333')", ""),
    ("CASE WHEN l > 1000 THEN 'big' WHEN l > 0 THEN 'small' END", ""),
    ("CASE WHEN b THEN l ELSE k END", ""),
    ("COALESCE(l, k)", ""),
    ("m + n", ""),
    ("m * n", ""),
    ("m > n", ""),
    ("UPPER(s)", ""),
    ("LOWER(p)", ""),
    ("CHAR_LENGTH(p)", "LENGTH(p)"),
    ("SUBSTRING(p, 5, 10)", ""),
    ("s || '-' || w", ""),
    ("REPLACE(p, 'fox', 'cat')", ""),
    ("TRIM(s)", ""),
    ("POSITION('jumps' IN p)", ""),
    ("SPLIT_INDEX(p, ',', 1)", "SPLIT_PART(p, ',', 2)"),
    ("p LIKE '%lazy%'", ""),
    ("s LIKE 'Word1%'", ""),
    ("REGEXP(p, '[0-9]{4} jumps')", "REGEXP_MATCHES(p, '[0-9]{4} jumps')"),
    ("REGEXP_REPLACE(p, '[aeiou]', '_')", "REGEXP_REPLACE(p, '[aeiou]', '_', 'g')"),
    ("REGEXP_EXTRACT(p, 'fox ([0-9]+)', 1)", ""),
    ("CAST(l AS STRING)", "CAST(l AS VARCHAR)"),
    ("CAST(w AS BIGINT)", ""),
    ("CAST(d AS STRING)", "CAST(d AS VARCHAR)"),
    ("CAST(d AS BIGINT)", ""),
    ("CAST(l AS DECIMAL(12, 2))", ""),
    ("EXTRACT(YEAR FROM t)", ""),
    ("EXTRACT(HOUR FROM t)", ""),
    ("FLOOR(t TO HOUR)", "DATE_TRUNC('hour', t)"),
    ("FLOOR(t TO MONTH)", "DATE_TRUNC('month', t)"),
    ("t + INTERVAL '3' HOUR", "t + INTERVAL 3 HOUR"),
    ("TIMESTAMPDIFF(HOUR, t, u)", "DATE_SUB('hour', t, u)"),
    ("DATE_FORMAT(t, 'yyyy-MM-dd HH:mm')", "STRFTIME(t, '%Y-%m-%d %H:%M')"),
    ("CAST(z AS TIMESTAMP(3))", "CAST(z AS TIMESTAMP)"),
    ("TO_TIMESTAMP(z, 'yyyy-MM-dd HH:mm:ss')", "STRPTIME(z, '%Y-%m-%d %H:%M:%S')"),
    ("CAST(x AS STRING)", "CAST(x AS VARCHAR)"),
    ("a[2]", ""),
    ("CARDINALITY(a)", "LEN(a)"),
    ("ARRAY_CONTAINS(a, 77)", "LIST_CONTAINS(a, 77)"),
    ("q['b']", ""),
    ("JSON_VALUE(j, '$.name')", "JSON_EXTRACT_STRING(j, '$.name')"),
    ("MD5(p)", ""),
    ("SHA256(s)", ""),
)


def ours(folder: pathlib.Path, core: int | None = None) -> dict[str, tuple[float, int]]:
    """Rows per CPU-second and the number of values of each expression."""
    script = folder / "expressions.tsv"
    lines = [f"column\t{name}\t{sql}" for name, sql, _ in COLUMNS] + [f"case\t{sql}\t{sql}" for sql, _ in EXPRESSIONS]
    script.write_text("\n".join(lines) + "\n")
    found = {}
    for line in measure([str(PROGRAMS / "expression_lane"), str(script)], core=core).output.strip().split("\n"):
        name, rate, count = line.split("\t")
        found[name] = (float(rate), int(count))
    return found


class DuckDB:
    """The same columns in a table of a DuckDB in this process."""

    def __init__(self) -> None:
        self.connection: Any = importlib.import_module("duckdb").connect()
        self.connection.execute("SET threads = 1")
        columns = ", ".join(f"{sql} AS {name}" for name, _, sql in COLUMNS)
        self.connection.execute(f"CREATE TABLE r AS SELECT {columns} FROM (SELECT range AS i FROM range({ROWS}))")
        self.reading, _ = self.cost("l")

    def cost(self, sql: str) -> tuple[float, int]:
        """CPU-seconds of counting the values of an expression, and their number."""
        query = f"SELECT COUNT({sql}) FROM r"
        least, count = math.inf, 0
        for _ in range(RUNS):
            start, times, taken = time.process_time(), 0, 0.0
            while taken < LEAST_S:
                (count,) = self.connection.execute(query).fetchone()
                times += 1
                taken = time.process_time() - start
            least = min(least, taken / times)
        return least, count

    def rate(self, sql: str) -> tuple[float, int]:
        cost, count = self.cost(sql)
        return ROWS / max(cost - self.reading, 1e-11 * ROWS), count


def expressions(bench: Bench) -> None:
    if why := install_duckdb():
        bench.report.skip("expressions against DuckDB, one thread", why)
        return
    mine, duckdb = ours(bench.folder), DuckDB()
    ratios = []
    for sql, theirs in EXPRESSIONS:
        rate, count = mine[sql]
        their_rate, their_count = duckdb.rate(theirs or sql)
        if count != their_count:
            raise RuntimeError(f"{sql} has {count} values, {theirs or sql} of DuckDB {their_count}")
        ratios.append(rate / their_rate)
        what = f"`{sql}`: {rate / 1e6:.1f} M/s, DuckDB {their_rate / 1e6:.1f} M/s".replace("|", "\\|")
        bench.report.at_least(what, ratios[-1], 0.5)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    bench.report.at_least(f"geometric mean of {len(ratios)} expressions", mean, 1.0)
