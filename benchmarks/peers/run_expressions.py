#!/usr/bin/env python3
"""Times expressions on Flink, one job each in one JVM; run by Flink's own Python.

usage: run_expressions.py JOB.json

The file has `settings`, the statements `tables` that make the tables `repeated` (whose source times itself) and `replayed` (each row
once), the path `report` that the source writes nanoseconds of a row to, and `expressions`. Prints a line for each: its place in the
list, nanoseconds of a row and how many values it has, between tabs; or its place and `error` and why.
"""

from __future__ import annotations

import json
import pathlib
import sys

from pyflink.table import EnvironmentSettings, TableDescriptor, TableEnvironment


def environment(settings: EnvironmentSettings, job: dict) -> TableEnvironment:
    made = TableEnvironment.create(settings)
    for key, value in job["settings"].items():
        made.get_config().set(key, value)
    for statement in job["tables"]:
        made.execute_sql(statement)
    return made


def reason(failure: Exception) -> str:
    lines = [line.strip() for line in str(failure).splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by:")]
    return (causes or lines or ["unknown"])[-1][:200]


def main() -> int:
    job = json.loads(pathlib.Path(sys.argv[1]).read_text())
    report = pathlib.Path(job["report"])
    timed = environment(EnvironmentSettings.in_streaming_mode(), job)
    counted = environment(EnvironmentSettings.in_batch_mode(), job)
    for place, sql in enumerate(job["expressions"]):
        try:
            report.unlink(missing_ok=True)
            sink = TableDescriptor.for_connector("blackhole").build()
            timed.sql_query(f"SELECT {sql} AS v FROM repeated").execute_insert(sink).wait()
            with counted.sql_query(f"SELECT COUNT({sql}) AS n FROM replayed").execute().collect() as rows:
                count = next(iter(rows))[0]
            print(f"{place}\t{report.read_text()}\t{count}", flush=True)
        except Exception as failure:  # noqa: BLE001 - the others go on
            print(f"{place}\terror\t{reason(failure)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
