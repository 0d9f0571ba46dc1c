#!/usr/bin/env python3
"""Times Thalweg, prints a table of ratios, and writes docs/reference/performance.md.

usage: benchmarks/run.py [--records N] [--quick] [--write]

Two lanes that never mix: the *gate lane* reads a file, parsing included, next to DuckDB (one thread) on the same file in the same run; the
*engine lane* feeds rows that are decoded already, with the cost of a count taken off. Rates are rows per CPU-second (user + system).
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from measure import Cost, best_of, machine, measure
from sensor_data import write_sensor_file

ROOT = pathlib.Path(__file__).resolve().parents[1]
BIN = ROOT / ".venv" / "bin"
DEVICES = 10_000


@dataclass(frozen=True)
class Line:
    """One row of the report."""

    what: str
    value: str
    goal: str
    reached: bool | None


def sensor_sql(path: pathlib.Path, query: str) -> str:
    return f"""
CREATE TABLE sensors (device_id STRING, temp DOUBLE, humidity DOUBLE, ampere_hour DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
WITH ('connector' = 'filesystem', 'path' = '{path}', 'format' = 'json');
CREATE TABLE sums (device_id STRING, window_start TIMESTAMP(3), charge DOUBLE) WITH ('connector' = 'blackhole');
{query};
"""


TUMBLE = """INSERT INTO sums SELECT device_id, window_start, SUM(ampere_hour)
FROM TABLE(TUMBLE(TABLE sensors, DESCRIPTOR(ts), INTERVAL '30' SECOND)) GROUP BY device_id, window_start, window_end"""
PROJECT = "INSERT INTO sums SELECT device_id, ts, ampere_hour FROM sensors"

DUCKDB = """
import duckdb, sys
c = duckdb.connect(); c.execute("SET threads = 1")
n = c.execute(f'''SELECT COUNT(*) FROM (SELECT device_id, time_bucket(INTERVAL 30 SECOND, ts) AS w, SUM(ampere_hour)
  FROM read_json('{sys.argv[1]}', format = 'newline_delimited',
       columns = {{device_id: 'VARCHAR', temp: 'DOUBLE', humidity: 'DOUBLE', ampere_hour: 'DOUBLE', ts: 'TIMESTAMP'}})
  GROUP BY ALL)''').fetchall()
"""


class Bench:
    """One run of all cases over files in `folder`."""

    def __init__(self, folder: pathlib.Path, records: int, runs: int) -> None:
        self.folder = folder
        self.records = records
        self.runs = runs
        self.lines: list[Line] = []

    def thalweg(self, name: str, sql: str) -> Cost:
        script = self.folder / f"{name}.sql"
        script.write_text(sql)
        return best_of(self.runs, [str(BIN / "thalweg"), "sql", "-f", str(script)])

    def duckdb(self, path: pathlib.Path) -> Cost | None:
        python = str(BIN / "python")
        if subprocess.run([python, "-c", "import duckdb"], check=False, capture_output=True).returncode != 0:
            return None
        return best_of(self.runs, [python, "-c", DUCKDB, str(path)])

    def add(self, what: str, value: str, goal: str = "", reached: bool | None = None) -> None:
        self.lines.append(Line(what, value, goal, reached))
        mark = {True: "ok", False: "short", None: ""}[reached]
        print(f"{what:58} {value:>26}  {goal:32} {mark}", flush=True)

    def sensor_job(self) -> None:
        dense = self.folder / f"dense-{self.records}.json"
        sparse = self.folder / f"sparse-{self.records // 5}.json"
        write_sensor_file(dense, self.records, DEVICES, step_ms=0.1)
        write_sensor_file(sparse, self.records // 5, DEVICES, step_ms=1000)
        ours = self.thalweg("dense", sensor_sql(dense, TUMBLE))
        theirs = self.duckdb(dense)
        rate = ours.rate(self.records)
        self.add("gate: sensor job from a file, records/CPU-s", f"{rate / 1e6:.2f} M")
        if theirs:
            ratio = rate / theirs.rate(self.records)
            self.add("gate: the same against DuckDB, one thread", f"{ratio:.2f}x", "at least 1x, aim for 2x", ratio >= 1)
        scarce = self.thalweg("sparse", sensor_sql(sparse, TUMBLE)).rate(self.records // 5)
        self.add("gate: sparse times against dense", f"{scarce / rate:.2f}x", "at least 0.5x", scarce / rate >= 0.5)
        memory = ours.peak_bytes / 2**20
        self.add("memory: sensor job from a file", f"{memory:.0f} MiB", "60 MiB", memory <= 60)
        passed = self.thalweg("project", sensor_sql(dense, PROJECT))
        memory = passed.peak_bytes / 2**20
        self.add("memory: projection from a file", f"{memory:.0f} MiB", "60 MiB", memory <= 60)

    def start(self) -> None:
        select = min(measure([str(BIN / "thalweg"), "sql", "-e", "SELECT 1"]).wall_s for _ in range(10))
        self.add("start: thalweg sql -e 'SELECT 1', wall", f"{select:.3f} s", "0.3 s", select <= 0.3)
        program = self.folder / "five_lines.py"
        program.write_text(
            "from pyflink.table import EnvironmentSettings, TableEnvironment\n"
            "t = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())\n"
            "t.from_elements([(1, 'a'), (2, 'b')], ['id', 'name']).execute().print()\n"
        )
        table = min(measure([str(BIN / "python"), str(program)]).wall_s for _ in range(10))
        self.add("start: a five-line Table program, wall", f"{table:.3f} s", "0.3 s", table <= 0.3)

    def engine_lane(self) -> None:
        program = ROOT / "build" / "release" / "benchmarks" / "engine_lane"
        goals = {"tumble, dense": 20e6, "group by, mini-batch": 20e6, "group by, row by row": 5e6}
        for line in measure([str(program), str(self.records * 4)]).output.strip().split("\n"):
            name, rate = line.split("\t")[:2]
            goal = goals.get(name)
            self.add(
                f"engine: {name}, rows/CPU-s", f"{float(rate) / 1e6:.1f} M",
                f"{goal / 1e6:.0f} M" if goal else "", float(rate) >= goal if goal else None,
            )

    def write(self, path: pathlib.Path) -> None:
        rows = "\n".join(
            f"| {line.what} | {line.value} | {line.goal} | {'' if line.reached is None else 'yes' if line.reached else '**no**'} |"
            for line in self.lines
        )
        path.write_text(
            "# Performance\n\nWritten by `make bench`. Rates are rows per CPU-second (user + system) of the whole process; best of "
            f"{self.runs} after a discarded run; {self.records:,} records.\n\nMachine: {machine()}.\n\n"
            f"| what | measured | goal | reached |\n| --- | --- | --- | --- |\n{rows}\n"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=5_000_000)
    parser.add_argument("--quick", action="store_true", help="200,000 records, one run")
    parser.add_argument("--write", action="store_true", help="write docs/reference/performance.md")
    arguments = parser.parse_args()
    records = 200_000 if arguments.quick else arguments.records
    folder = pathlib.Path(os.environ.get("THALWEG_BENCH_DIR", tempfile.gettempdir())) / "thalweg-bench"
    folder.mkdir(exist_ok=True)
    bench = Bench(folder, records, runs=1 if arguments.quick else 3)
    bench.engine_lane()
    bench.sensor_job()
    bench.start()
    if arguments.write:
        bench.write(ROOT / "docs" / "reference" / "performance.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
