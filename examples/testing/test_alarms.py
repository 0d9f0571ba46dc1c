"""A pipeline under test: rows by hand, time by hand, every change looked at. `pytest test_alarms.py`."""

from __future__ import annotations

from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from pyflink.common import Row, RowKind
from pyflink.table import Table
from pyflink.table.expressions import col, lit
from pyflink.table.window import Tumble

# In an environment where Thalweg is installed, pytest knows the fixtures by themselves.
pytest_plugins = ["thalweg.pytest_plugin"]

READINGS = "device STRING, degrees DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND"


def hottest_of_each_minute(readings: Table) -> Table:
    """The pipeline: the highest reading of each device in each minute."""
    minutes = readings.window(Tumble.over(lit(1).minutes).on(col("ts")).alias("w")).group_by(col("w"), col("device"))
    return minutes.select(col("device"), col("w").start.alias("minute"), col("degrees").max.alias("hottest"))


def test_a_minute_is_told_when_the_watermark_has_passed_it(t_env: Any, feed: Any, expect_changelog: Any) -> None:
    t_env.create_fed_table("readings", READINGS)
    hottest = hottest_of_each_minute(t_env.from_path("readings"))
    feed("readings", ("oven", 180.0, "12:00:10"), ("oven", 220.0, "12:00:40"), ("fridge", 4.0, "12:00:50"))
    expect_changelog(hottest)  # nothing yet
    feed("readings", ("oven", 190.0, "12:01:05"))  # the watermark reaches 12:01:00
    expect_changelog(hottest, "+I[oven, 1970-01-01 12:00:00.000, 220.0]", "+I[fridge, 1970-01-01 12:00:00.000, 4.0]")
    feed("readings", ("oven", 500.0, "12:00:59"))  # too late: its minute is told
    expect_changelog(hottest)
    feed.end("readings")
    expect_changelog(hottest, ("+I", "oven", "1970-01-01 12:01:00.000", 190.0))


def test_a_count_is_taken_back_and_sent_anew(t_env: Any, feed: Any, expect_changelog: Any) -> None:
    t_env.create_fed_table("readings", "device STRING, degrees DOUBLE")
    counts = "SELECT device, COUNT(*) AS n FROM readings GROUP BY device"
    feed("readings", {"device": "oven", "degrees": 1.0})
    expect_changelog(counts, "+I[oven, 1]")
    feed("readings", ("oven", 2.0), ("fridge", 3.0))
    expect_changelog(counts, Row.of_kind(RowKind.UPDATE_BEFORE, "oven", 1), Row.of_kind(RowKind.UPDATE_AFTER, "oven", 2), "+I[fridge, 1]")
    with pytest.raises(AssertionError, match=r"came:\n    \(nothing\)"):
        expect_changelog(counts, "+I[toaster, 1]")


def test_a_failing_job_fails_the_test(t_env: Any, feed: Any, expect_changelog: Any) -> None:
    t_env.create_fed_table("readings", READINGS)
    feed("readings", ("oven", 1.0, None))
    with pytest.raises(Py4JJavaError, match="should not be null"):
        for _ in range(1000):  # until the failure is known
            expect_changelog("SELECT device FROM readings")


def test_processing_time_stands_still_until_it_is_moved(t_env: Any, clock: Any, feed: Any, expect_changelog: Any) -> None:
    t_env.create_fed_table("clicks", "page STRING, p AS PROCTIME()")
    query = """SELECT page, COUNT(*) AS n, CAST(window_end AS STRING) AS until
        FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(p), INTERVAL '1' MINUTE)) GROUP BY page, window_start, window_end"""
    clock.set("2024-01-01 09:00:00")
    feed("clicks", ("home",), ("home",))
    expect_changelog(query)
    clock.advance(minutes=1)
    expect_changelog(query, "+I[home, 2, 2024-01-01 09:01:00.000]")


def test_the_table_of_production_is_fed_instead_of_read(t_env: Any, feed: Any, expect_changelog: Any) -> None:
    t_env.execute_sql(
        "CREATE TABLE orders (id INT, price DOUBLE) WITH ('connector' = 'kafka', 'topic' = 'orders', 'format' = 'json', "
        "'properties.bootstrap.servers' = 'production:9092')"
    )
    t_env.feed_instead("orders")
    feed("orders", (1, 9.5), (2, 120.0))
    expect_changelog("SELECT id FROM orders WHERE price > 100", "+I[2]")


def test_a_round_trip_through_kafka(t_env: Any, kafka_broker: str, schema_registry: str, expect_changelog: Any) -> None:
    t_env.execute_sql(
        "CREATE TABLE k (n INT, s STRING) WITH ('connector' = 'kafka', 'topic' = 'round-trip', 'scan.startup.mode' = 'earliest-offset', "
        f"'scan.bounded.mode' = 'latest-offset', 'properties.bootstrap.servers' = '{kafka_broker}', 'format' = 'avro-confluent', "
        f"'avro-confluent.url' = '{schema_registry}')"
    )
    t_env.execute_sql("INSERT INTO k VALUES (1, 'x')").wait()
    with t_env.execute_sql("SELECT * FROM k").collect() as rows:
        assert [tuple(row) for row in rows] == [(1, "x")]
