#!/usr/bin/env python3
"""Runs a SQL script, one statement after the other, waiting for each job. The same program on either engine: the Python that runs it
says whose `pyflink` it is.

usage: run_sql.py SCRIPT.sql [RUNS]

Each INSERT is run RUNS times, and the CPU seconds that this process and its children took for each are told on standard error.
"""

from __future__ import annotations

import os
import pathlib
import sys
import time

from pyflink.table import EnvironmentSettings, TableEnvironment

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_seconds() -> float:
    """Of this process, and of its living descendants: PyFlink's JVM is one."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path("/proc", entry, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry)] = int(fields[1])
            ticks[int(entry)] = int(fields[11]) + int(fields[12])
    family = {os.getpid()}
    for pid in sorted(parents):
        ancestor = pid
        while ancestor in parents and ancestor not in family:
            ancestor = parents[ancestor]
        if ancestor in family:
            family.add(pid)
    return time.process_time() + sum(ticks[pid] for pid in family if pid != os.getpid()) / TICKS_PER_SECOND


def main() -> int:
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    table_env = TableEnvironment.create(EnvironmentSettings.in_streaming_mode())
    for statement in pathlib.Path(sys.argv[1]).read_text().split(";\n"):
        text = statement.strip()
        if text.upper().startswith("SET "):
            key, value = (part.strip().strip("'") for part in text[4:].split("=", 1))
            table_env.get_config().set(key, value)
        elif text.upper().startswith("INSERT "):
            for _ in range(runs):
                before = cpu_seconds()
                table_env.execute_sql(text).wait()
                print(f"cpu {cpu_seconds() - before:.4f}", file=sys.stderr, flush=True)
        elif text:
            table_env.execute_sql(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
