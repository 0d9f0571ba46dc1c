"""The sensor job from a real Apache Kafka, which tools/services/kafka.sh installs and starts."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

from bench import ROOT, THALWEG, Bench
from cases_files import sensor_file
from measure import measure
from programs import SENSOR, SENSOR_PROJECTION, json_file

PORT = 29092
RECORDS = 1_000_000
SERVICE = str(ROOT / "tools" / "services" / "kafka.sh")
COLUMNS = "device_id STRING, temp DOUBLE, humidity DOUBLE, ampere_hour DOUBLE, ts TIMESTAMP(3)"


def topic(name: str) -> str:
    return f"""'connector' = 'kafka', 'topic' = '{name}', 'properties.bootstrap.servers' = '127.0.0.1:{PORT}',
  'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset', 'format' = 'json'"""


def fill(bench: Bench, records: int) -> str:
    """A topic of one partition with the records of the dense file."""
    name = f"sensors-{records}"
    script = bench.folder / "fill.sql"
    script.write_text(
        f"CREATE TABLE source ({COLUMNS}) WITH ({json_file(sensor_file(bench, records, 0.1))});\n"
        f"CREATE TABLE target ({COLUMNS}) WITH ({topic(name)});\n"
        "INSERT INTO target SELECT * FROM source;\n"
    )
    measure([THALWEG, "sql", "-f", str(script)])
    return name


def sensor_job_from_kafka(bench: Bench) -> None:
    what = "gate lane: sensor job from Kafka, records/CPU-s"
    if shutil.which("java") is None or shutil.which("mvn") is None:
        bench.report.skip(what, "Kafka needs java and mvn")
        return
    data = bench.folder / "kafka"
    shutil.rmtree(data, ignore_errors=True)
    env = {**os.environ, "KAFKA_PORT": str(PORT), "KAFKA_DATA": str(data)}
    started = subprocess.run([SERVICE, "start"], env=env, check=False, capture_output=True, text=True)
    if started.returncode != 0:
        bench.report.skip(what, (started.stderr.strip().splitlines() or ["Kafka did not start"])[-1])
        return
    try:
        read_topic(bench, what)
    finally:
        subprocess.run([SERVICE, "stop"], env=env, check=False, capture_output=True)
        shutil.rmtree(pathlib.Path(data), ignore_errors=True)


def read_topic(bench: Bench, what: str) -> None:
    records = min(RECORDS, bench.records)
    source = topic(fill(bench, records))
    cost = bench.thalweg(SENSOR, source)
    bench.report.at_least(what, cost.rate(records) / 1e6, 1, "{:.2f} M")
    bench.report.at_most("memory: sensor job from Kafka", cost.peak_bytes / 2**20, 90, "{:.0f} MiB")
    passed = bench.thalweg(SENSOR_PROJECTION, source)
    bench.report.at_most("memory: projection from Kafka", passed.peak_bytes / 2**20, 90, "{:.0f} MiB")
