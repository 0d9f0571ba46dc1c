"""The watermark of a Kafka table is that of its slowest partition, also of one that has sent nothing yet."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from pyflink.table import EnvironmentSettings, TableEnvironment
from thalweg.cli.embedded_broker import EmbeddedBroker

from thalweg import _native

QUIET_S = 1.5

Send = Callable[[int, str], None]


@pytest.fixture
def send(broker: EmbeddedBroker) -> Send:
    """Sends a row with a time to one of the two partitions of topic `halves`."""
    tools = _native.KafkaTools({"bootstrap.servers": broker.address})
    for topic in ("halves", "halves-keys"):
        if topic in dict(tools.topics()):
            tools.delete_topic(topic)
        tools.create_topic(topic, 2, {})
    for key in range(16):
        tools.produce("halves-keys", b"%d" % key, b"")
    assert tools.flush(10_000) == 0
    keys: dict[int, bytes] = {}

    def take(partition: int, offset: int, timestamp: int, key: bytes | None, value: bytes | None) -> bool:
        keys[partition] = key or b""
        return len(keys) < 2

    tools.consume("halves-keys", True, take)

    def run(partition: int, when: str) -> None:
        tools.produce("halves", keys[partition], json.dumps({"time_text": f"2024-01-01 {when}"}).encode())
        assert tools.flush(10_000) == 0

    return run


def windows(broker: EmbeddedBroker, idle: str | None) -> TableEnvironment:
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    if idle is not None:
        tables.get_config().set("table.exec.source.idle-timeout", idle)
    tables.execute_sql(
        f"""CREATE TABLE halves (time_text STRING, ts AS TO_TIMESTAMP(time_text), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'kafka', 'topic' = 'halves',
        'properties.bootstrap.servers' = '{broker.address}', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json')"""
    )
    return tables


QUERY = "SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE halves, DESCRIPTOR(ts), INTERVAL '10' SECOND)) GROUP BY window_start, window_end"


def test_a_partition_without_rows_holds_windows_back(broker: EmbeddedBroker, send: Send) -> None:
    send(0, "00:00:01")
    send(0, "00:00:30")
    with windows(broker, None).execute_sql(QUERY).collect() as rows:
        time.sleep(QUIET_S)
        # Belongs to the first window, which must be open still.
        send(1, "00:00:02")
        send(1, "00:00:15")
        assert list(next(rows)) == [2]


def test_an_idle_partition_does_not(broker: EmbeddedBroker, send: Send) -> None:
    send(0, "00:00:01")
    with windows(broker, "500 ms").execute_sql(QUERY).collect() as rows:
        time.sleep(QUIET_S)
        send(0, "00:00:30")
        assert list(next(rows)) == [1]
