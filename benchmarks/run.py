#!/usr/bin/env python3
"""Times Thalweg, prints a table of goals and what was reached, and writes docs/reference/performance.md.

usage: benchmarks/run.py [--records N] [--quick] [--long] [--only CASE,CASE] [--write]

Cases: engine, sensor, nexmark, python, kafka, snapshot, start, expressions; with --long also growth. Rates are rows per CPU-second
(user + system).
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import tempfile

import cases_engine
import cases_expressions
import cases_files
import cases_kafka
import cases_python
from bench import Bench
from report import Report

#: In the order of the report.
CASES = {
    "engine": cases_engine.engine_lane,
    "sensor": cases_files.sensor_job,
    "nexmark": cases_files.nexmark_queries,
    "python": cases_python.python_programs,
    "kafka": cases_kafka.sensor_job_from_kafka,
    "snapshot": cases_engine.snapshot_stall,
    "start": cases_files.start_times,
    "expressions": cases_expressions.expressions,
    "growth": cases_engine.growth,
}
#: Take minutes.
LONG_CASES = ("growth",)
EXPRESSIONS_NOTES = """Evaluation alone, over columns in memory, one row in 64 NULL; one thread each. The cost of counting the values
of a column is taken off on both sides. Measured is Thalweg's rate divided by DuckDB's."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=5_000_000, help="of the sensor job")
    parser.add_argument("--quick", action="store_true", help="200,000 records, one run: only to see that it works")
    parser.add_argument("--long", action="store_true", help="also how rates change from 1 M to 50 M records and to 1 M keys")
    parser.add_argument("--only", default="", help="cases, with commas")
    parser.add_argument("--write", action="store_true", help="write docs/reference/performance.md")
    arguments = parser.parse_args()
    folder = pathlib.Path(os.environ.get("THALWEG_BENCH_DIR", tempfile.gettempdir())) / "thalweg-bench"
    folder.mkdir(exist_ok=True)
    bench = Bench(folder, 200_000 if arguments.quick else arguments.records, runs=1 if arguments.quick else 3)
    wanted = [name for name in arguments.only.split(",") if name] or [name for name in CASES if name not in LONG_CASES]
    if arguments.long:
        wanted += [name for name in LONG_CASES if name not in wanted]
    alone = [name for name in CASES if name in wanted and name not in (*LONG_CASES, "expressions")]
    notes = f"Best of {bench.runs} runs; {bench.records:,} records where nothing else is said."
    sections = (
        ("Thalweg alone", alone, notes),
        ("Expressions", [name for name in ("expressions",) if name in wanted], EXPRESSIONS_NOTES),
        ("As work grows", [name for name in CASES if name in wanted and name in LONG_CASES], notes),
    )
    for section, names, said in sections:
        if names:
            bench.report = Report(section, said)
            for name in names:
                CASES[name](bench)
            if arguments.write:
                bench.report.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
