"""Whole pipelines over the embedded broker: sensor readings in windows, and a hopping window typed into the shell."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from pyflink.table import EnvironmentSettings, TableEnvironment
from thalweg.cli.embedded_broker import EmbeddedBroker

import thalweg
from thalweg import _native

PROGRAM = os.path.join(os.path.dirname(thalweg.__file__), "demo", "sensor_charge.py")


def messages(broker: EmbeddedBroker, topic: str, count: int) -> list[tuple[bytes | None, bytes | None]]:
    """The first `count` messages of a topic."""
    found: list[tuple[bytes | None, bytes | None]] = []

    def take(partition: int, offset: int, timestamp: int, key: bytes | None, value: bytes | None) -> bool:
        del partition, offset, timestamp
        found.append((key, value))
        return len(found) < count

    _native.KafkaTools({"bootstrap.servers": broker.address}).consume(topic, True, take)
    return found


def charged(records: list[dict[str, Any]]) -> dict[str, int]:
    """The charge of each device in hundredths."""
    sums = {"a": 0, "b": 0}
    for record in records:
        sums[record["device_id"]] += round(record["charge_consumed"] * 100)
    return sums


def test_the_sensor_program_counts_every_reading_once() -> None:
    with EmbeddedBroker(topics=["sensor.readings", "device.charge"]) as broker:
        tools = _native.KafkaTools({"bootstrap.servers": broker.address})
        zone = "Asia/Kolkata"
        command = [sys.executable, PROGRAM, "--bootstrap", broker.address, "--window-seconds", "2"]
        job = subprocess.Popen(command, env={**os.environ, "TZ": zone}, stderr=subprocess.PIPE, text=True)
        try:
            sent = {"a": 0, "b": 0}
            for number in range(40):
                device = "ab"[number % 2]
                sent[device] += number
                reading = {"device_id": device, "ampere_hour": number / 100, "ts": number}
                tools.produce("sensor.readings", None, json.dumps(reading).encode())
                tools.flush(1000)
                time.sleep(0.1)
            records: list[dict[str, Any]] = []
            deadline = time.monotonic() + 60
            while charged(records) != sent and time.monotonic() < deadline:
                time.sleep(0.2)
                assert job.poll() is None
                [(_, _, first, following)] = tools.describe_topic("device.charge")
                records = [json.loads(value or b"") for _, value in messages(broker, "device.charge", following - first)]
        finally:
            job.terminate()
            job.communicate(timeout=60)
    assert charged(records) == sent
    for record in records:
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d[02468]", record["window_start"])
    windows = [(record["device_id"], record["window_start"]) for record in records]
    assert len(windows) == len(set(windows))


HOPS = """
CREATE TABLE temperatures (sensor_id INT, temperature DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (
  'connector' = 'kafka', 'topic' = 'temperatures', 'properties.bootstrap.servers' = 'broker:9092',
  'scan.startup.mode' = 'earliest-offset', 'key.format' = 'raw', 'key.fields' = 'sensor_id', 'value.format' = 'avro-confluent',
  'value.avro-confluent.url' = 'http://schema-registry:8081', 'value.fields-include' = 'EXCEPT_KEY');
"""


def test_hopping_windows_in_the_shell(broker: EmbeddedBroker, tmp_path: Path) -> None:
    insert = "INSERT INTO temperatures VALUES (7, 50, TO_TIMESTAMP('2024-01-15 02:15:30')), (7, 40, TO_TIMESTAMP('2024-01-15 02:21:30')), "
    insert += "(7, 60, TO_TIMESTAMP('2024-01-15 02:31:30'));\n"
    query = """CREATE TABLE bounded WITH ('scan.bounded.mode' = 'latest-offset') LIKE temperatures;
        SELECT sensor_id, AVG(temperature) AS mean, window_start, window_end
        FROM TABLE(HOP(TABLE bounded, DESCRIPTOR(ts), INTERVAL '5' MINUTES, INTERVAL '10' MINUTES))
        GROUP BY sensor_id, window_start, window_end;"""
    aliases = ["--alias", f"broker:9092={broker.address}", "--alias", f"schema-registry:8081=localhost:{broker.registry_port}"]

    def run(script: str) -> str:
        (tmp_path / "script.sql").write_text(HOPS + script)
        command = [sys.executable, "-m", "thalweg", "sql", *aliases, "-f", str(tmp_path / "script.sql")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(insert)
    assert messages(broker, "temperatures", 1)[0][0] == (7).to_bytes(4, "big")
    rows = re.findall(r"\| \+I \| +7 \| +([\d.]+) \| \S+ (\S+) \| \S+ (\S+) \|", run(query))
    assert sorted(rows, key=lambda row: row[1]) == [
        ("50.0", "02:10:00.000", "02:20:00.000"),
        ("45.0", "02:15:00.000", "02:25:00.000"),
        ("40.0", "02:20:00.000", "02:30:00.000"),
        ("60.0", "02:25:00.000", "02:35:00.000"),
        ("60.0", "02:30:00.000", "02:40:00.000"),
    ]


def test_a_table_program_prints_as_rows_come(broker: EmbeddedBroker) -> None:
    tools = _native.KafkaTools({"bootstrap.servers": broker.address})
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.execute_sql(
        f"""CREATE TABLE live (n INT) WITH ('connector' = 'kafka', 'topic' = 'live', 'scan.startup.mode' = 'earliest-offset',
        'properties.bootstrap.servers' = '{broker.address}', 'format' = 'json')"""
    )
    tools.create_topic("live", 1, {})

    def send() -> None:
        for number in range(3):
            tools.produce("live", None, json.dumps({"n": number}).encode())
            tools.flush(1000)
            time.sleep(0.2)

    sender = threading.Thread(target=send)
    with tables.execute_sql("SELECT n FROM live").collect() as rows:
        sender.start()
        assert [next(rows)[0] for _ in range(3)] == [0, 1, 2]
    sender.join()


def test_a_kafka_sink_without_guarantee_loses_nothing_at_a_regular_end() -> None:
    with EmbeddedBroker(topics=["out"]) as broker:
        table_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
        table_env.execute_sql(
            "CREATE TABLE sent (id INT) WITH ('connector' = 'kafka', 'topic' = 'out', 'format' = 'json',"
            f" 'sink.delivery-guarantee' = 'none', 'properties.bootstrap.servers' = '{broker.address}')"
        )
        table_env.execute_sql("INSERT INTO sent VALUES (1), (2), (3)").wait()
        assert [value for _, value in messages(broker, "out", 3)] == [b'{"id":1}', b'{"id":2}', b'{"id":3}']


def test_avro_files_are_refused_by_name(tmp_path: Path) -> None:
    table_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    table_env.execute_sql(f"CREATE TABLE a (id INT) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'avro')")
    with pytest.raises(Exception, match="Files of the formats 'avro'"):
        table_env.execute_sql("INSERT INTO a VALUES (1), (10)").wait()


def test_a_key_is_one_also_when_it_is_cast_to_the_type_of_the_sink(broker: EmbeddedBroker) -> None:
    tables = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    tables.execute_sql(
        f"""CREATE TABLE counts (name STRING, n BIGINT, PRIMARY KEY (name) NOT ENFORCED) WITH ('connector' = 'upsert-kafka',
        'topic' = 'counts-by-name', 'properties.bootstrap.servers' = '{broker.address}', 'key.format' = 'json', 'value.format' = 'json',
        'scan.bounded.mode' = 'latest-offset')"""
    )
    query = "SELECT name, COUNT(*) FROM (VALUES ('a'), ('b'), ('a')) AS t (name) GROUP BY name"
    tables.execute_sql(f"INSERT INTO counts {query}").wait()
    with tables.execute_sql("SELECT * FROM counts").collect() as rows:
        changes = [(str(row.get_row_kind()), *row) for row in rows]
    assert changes[-1] == ("+U", "a", 2)
    assert ("+I", "b", 1) in changes
