"""SQL programs that run on Thalweg and on Flink alike: a source table, a query, a sink."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping
from dataclasses import dataclass

#: Nexmark's own settings.
MINI_BATCH = {
    "table.exec.mini-batch.enabled": "true",
    "table.exec.mini-batch.allow-latency": "2s",
    "table.exec.mini-batch.size": "50000",
}


@dataclass(frozen=True)
class Program:
    """`table` has a place for {source}, the options of the table that is read."""

    name: str
    table: str
    sink: str
    query: str

    def sql(self, source: str, sink: str = "'connector' = 'blackhole'", settings: Mapping[str, str] | None = None) -> str:
        lines = [f"SET '{key}' = '{value}'" for key, value in (settings or {}).items()]
        lines.append(self.table.replace("{source}", source))
        lines.append(f"CREATE TABLE target ({self.sink}) WITH ({sink})")
        lines.append(f"INSERT INTO target {self.query}")
        return ";\n".join(lines) + ";\n"


_SENSORS = """CREATE TABLE sensors (device_id STRING, temp DOUBLE, humidity DOUBLE, ampere_hour DOUBLE, ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts) WITH ({source})"""

#: The sensor job: the charge of each device in 30 seconds of event time.
SENSOR = Program(
    "sensor job",
    _SENSORS,
    "device_id STRING, window_start TIMESTAMP(3), charge DOUBLE",
    """SELECT device_id, window_start, SUM(ampere_hour)
FROM TABLE(TUMBLE(TABLE sensors, DESCRIPTOR(ts), INTERVAL '30' SECOND)) GROUP BY device_id, window_start, window_end""",
)
SENSOR_COUNT = Program("count", _SENSORS, "n BIGINT", "SELECT COUNT(*) FROM sensors")
SENSOR_PROJECTION = Program(
    "projection", _SENSORS, "device_id STRING, ts TIMESTAMP(3), ampere_hour DOUBLE", "SELECT device_id, ts, ampere_hour FROM sensors"
)


def json_file(path: pathlib.Path) -> str:
    """The options of a JSON file."""
    return f"'connector' = 'filesystem', 'path' = '{path}', 'format' = 'json'"
