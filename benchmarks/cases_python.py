"""Python functions and DataStream programs (benchmarks/python), by ourselves or on PyFlink."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping

from bench import PYTHON, Bench
from measure import cheapest, measure

FOLDER = pathlib.Path(__file__).resolve().parent / "python"
#: File and what it does.
PROGRAMS = {
    "scalar_udf": "scalar UDF x * 2 + 1",
    "string_udf": "string UDF",
    "pandas_udf": "pandas UDF x * 2 + 1",
    "row_map": "Table.map, Row to Row",
    "udaf_tumble": "UDAF in a tumbling window",
    "stream_reduce": "DataStream map, key_by, reduce",
    "stream_process": "keyed process function, state and timers",
}
#: Records per CPU-second.
GOALS = {
    "scalar_udf": 3e6,
    "string_udf": 1.5e6,
    "pandas_udf": 20e6,
    "row_map": 0.7e6,
    "udaf_tumble": 1e6,
    "stream_reduce": 1e6,
    "stream_process": 0.5e6,
}
#: Seconds that are told from noise, and where lengthening ends.
LEAST_DIFFERENCE_S = 0.2
MOST_RECORDS = 100_000_000


def rate(python: str, program: str, records: int, runs: int, env: Mapping[str, str] | None = None, core: int | None = None) -> float:
    """Records per CPU-second, from the difference of a long and a short run: no start, and less warm-up. The runs are ten times as long
    where the difference is lost in what a start may cost. Raises RuntimeError."""
    short = records // 5
    command = [python, str(FOLDER / f"{program}.py")]
    costs = [
        cheapest(measure([*command, str(size)], env=dict(env or {}), core=core) for _ in range(runs)).cpu_s for size in (short, records)
    ]
    difference = costs[1] - costs[0]
    if difference < LEAST_DIFFERENCE_S and records < MOST_RECORDS:
        return rate(python, program, records * 10, runs, env, core)
    return (records - short) / max(difference, 1e-6)


def python_programs(bench: Bench) -> None:
    for program, what in PROGRAMS.items():
        label = f"python: {what}, records/CPU-s"
        try:
            measured = rate(PYTHON, program, bench.records // 5, bench.runs)
            bench.report.at_least(label, measured / 1e6, GOALS[program] / 1e6, "{:.2f} M")
        except RuntimeError as failure:
            bench.report.skip(label, f"it does not run ({str(failure).strip().splitlines()[-1][:60]})")
