"""Programs that read files, next to DuckDB, and what a start costs."""

from __future__ import annotations

import pathlib

import nexmark
from bench import DEVICES, PYTHON, THALWEG, Bench, install_duckdb
from measure import Cost, best_of, measure
from programs import MINI_BATCH, SENSOR, SENSOR_PROJECTION, json_file
from sensor_data import write_sensor_file

DUCKDB = """
import duckdb, sys
c = duckdb.connect(); c.execute("SET threads = 1")
n = c.execute(f'''SELECT COUNT(*) FROM (SELECT device_id, time_bucket(INTERVAL 30 SECOND, ts) AS w, SUM(ampere_hour)
  FROM read_json('{sys.argv[1]}', format = 'newline_delimited',
       columns = {{device_id: 'VARCHAR', temp: 'DOUBLE', humidity: 'DOUBLE', ampere_hour: 'DOUBLE', ts: 'TIMESTAMP'}})
  GROUP BY ALL)''').fetchall()
"""


def sensor_file(bench: Bench, records: int, step_ms: float) -> pathlib.Path:
    path = bench.folder / f"{'dense' if step_ms < 1 else 'sparse'}-{records}.json"
    write_sensor_file(path, records, DEVICES, step_ms)
    return path


def duckdb(bench: Bench, path: pathlib.Path) -> Cost:
    return best_of(bench.runs, [PYTHON, "-c", DUCKDB, str(path)])


def sensor_job(bench: Bench) -> None:
    report = bench.report
    dense = sensor_file(bench, bench.records, 0.1)
    ours = bench.thalweg(SENSOR, json_file(dense))
    rate = ours.rate(bench.records)
    report.add("gate lane: sensor job from a file, records/CPU-s", f"{rate / 1e6:.2f} M")
    what = "gate lane: the same against DuckDB, one thread (aim: 2x)"
    missing = install_duckdb()
    if missing is None:
        report.at_least(what, rate / duckdb(bench, dense).rate(bench.records), 1)
    else:
        report.skip(what, missing)
    # As many records of either, or a start would count for more in one.
    usual, sparse = (bench.thalweg(SENSOR, json_file(sensor_file(bench, bench.records // 2, step_ms))).cpu_s for step_ms in (0.1, 1000))
    report.at_least("gate lane: a second of event time a record, against dense", usual / sparse, 0.5)
    report.at_most("memory: sensor job from a file", ours.peak_bytes / 2**20, 60, "{:.0f} MiB")
    passed = bench.thalweg(SENSOR_PROJECTION, json_file(dense))
    report.at_most("memory: projection from a file", passed.peak_bytes / 2**20, 60, "{:.0f} MiB")


def nexmark_queries(bench: Bench) -> None:
    events = max(bench.records // 5, 100_000)
    path = bench.folder / f"nexmark-{events}.json"
    nexmark.write_events(THALWEG, path, events)
    generated = events * 5
    few, many = (bench.thalweg(nexmark.SOURCE, nexmark.generated(size)).cpu_s for size in (generated // 5, generated))
    micros = (many - few) / (generated - generated // 5) * 1e6
    bench.report.at_most("nexmark: CPU of an event that the source makes", micros, 0.1, "{:.3f} us")
    for query in nexmark.QUERIES:
        from_file = bench.thalweg(query, json_file(path), MINI_BATCH)
        from_source = bench.thalweg(query, nexmark.generated(generated), MINI_BATCH)
        bench.report.add(
            f"nexmark {query.name}, events/CPU-s: JSON file; generator",
            f"{from_file.rate(events) / 1e6:.2f} M; {from_source.rate(generated) / 1e6:.2f} M",
        )
        if query.name == "q0":
            bench.report.at_most("memory: nexmark q0 from a file", from_file.peak_bytes / 2**20, 60, "{:.0f} MiB")


def start_times(bench: Bench) -> None:
    select = min(measure([THALWEG, "sql", "-e", "SELECT 1"]).wall_s for _ in range(10))
    bench.report.at_most("start: thalweg sql -e 'SELECT 1', wall, best of 10", select, 0.3, "{:.3f} s")
    program = bench.folder / "five_lines.py"
    program.write_text(
        "from pyflink.table import EnvironmentSettings, TableEnvironment\n"
        "t = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())\n"
        "t.from_elements([(1, 'a'), (2, 'b')], ['id', 'name']).execute().print()\n"
    )
    table = min(measure([PYTHON, str(program)]).wall_s for _ in range(10))
    bench.report.at_most("start: a five-line Table program, wall, best of 10", table, 0.3, "{:.3f} s")
