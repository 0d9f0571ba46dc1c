#!/usr/bin/env python3
"""Races the same programs on Thalweg and on Apache Flink, prints the ratios and writes them into docs/reference/performance.md.

usage: benchmarks/peers.py [--quick] [--only NAME,NAME] [--lane gate|engine|python|expressions] [--write]

Both engines run on one core, in ABBA order, after their answers were compared on a smaller input. Each is started and runs the job
twice; the CPU of the whole tree of processes during the second run counts, so neither a start nor the warm-up of a JVM does. Both get
Nexmark's settings (mini-batch of 50,000 rows), Flink also object reuse and state on its heap.
"""

from __future__ import annotations

import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

import cases_python
import nexmark
import peer_expressions
from measure import Cost, measure
from programs import MINI_BATCH, SENSOR, Program, json_file
from report import Report
from sensor_data import write_sensor_file

ROOT = pathlib.Path(__file__).resolve().parents[1]
THALWEG = ROOT / ".venv" / "bin"
FLINK = ROOT / "build" / "peers" / "flink" / "bin"
RUN_SQL = str(ROOT / "benchmarks" / "peers" / "run_sql.py")
#: The same for a table of 'connector' = 'replay'.
REPLAY_LANE = str(ROOT / "build" / "release" / "benchmarks" / "replay_lane")
#: One core for both, the one that interrupts mostly leave alone.
CORE = (os.cpu_count() or 1) - 1
DEVICES = 10_000
#: Flink at its fastest.
FLINK_SETTINGS = {**MINI_BATCH, "pipeline.object-reuse": "true", "parallelism.default": "1"}
CPU_OF_RUN = re.compile(r"^cpu (\d+\.\d+)$", re.MULTILINE)
CHANGE = re.compile(r"^(?:\d+> )?([+-][IUD])\[(.*)\]$")

NOTES = """Apache Flink 2.3.0 and Thalweg run the same Python program with the same SQL, pinned to one core, in ABBA order. Each process
runs its job twice; the CPU-seconds of the second run count, the better of two processes. Both have Nexmark's mini-batches; Flink also
object reuse and its state on the heap."""
GATE_NOTES = """{notes} Both read the same JSON file of {records:,} records, after their answers were compared on {check:,}."""
ENGINE_NOTES = """{notes} No format: both replay rows that they decoded from the same file beforehand, Flink in its own binary form and
Thalweg in columns. What counts is the difference between a run over {large:,} rows and one over {small:,}, so that neither the start of a
job nor a JVM that still compiles does. Nothing is taken off for reading: a count, and a query that lets no row through, cost Flink as much
as q0 does."""
PYTHON_NOTES = """{notes} Thalweg runs {records:,} records, PyFlink a fifth of them."""


@dataclass(frozen=True)
class Sizes:
    """Records of the check, of the runs that are timed, and of those of the engine lane."""

    check: int
    race: int
    engine: tuple[int, int]


@dataclass(frozen=True)
class Subject:
    """A program, and how to name its input at a given size."""

    program: Program
    source: Callable[[int], str]
    #: What runs a script on Thalweg.
    thalweg: tuple[str, ...] = (str(THALWEG / "python"), RUN_SQL)


class Race:
    """Runs programs on both engines, with files in `folder`."""

    def __init__(self, folder: pathlib.Path, sizes: Sizes) -> None:
        self.folder = folder
        self.sizes = sizes

    def on_thalweg(self, subject: Subject, size: int, sink: str, runs: int) -> Cost:
        settings = {**MINI_BATCH, "parallelism.default": "1"}
        return self._run(subject.thalweg, subject.program.sql(subject.source(size), sink, settings), runs, {})

    def on_flink(self, subject: Subject, size: int, sink: str, runs: int) -> Cost:
        command = (str(FLINK / "python"), RUN_SQL)
        return self._run(command, subject.program.sql(subject.source(size), sink, FLINK_SETTINGS), runs, flink_environment())

    def _run(self, command: tuple[str, ...], sql: str, runs: int, env: dict[str, str]) -> Cost:
        script = self.folder / "race.sql"
        script.write_text(sql)
        return measure([*command, str(script), str(runs)], env=env, core=CORE)

    def check(self, subject: Subject) -> int:
        """Raises RuntimeError when the engines disagree; else the number of rows of the answer."""
        sink = "'connector' = 'print'"
        answers = [final_rows(run(subject, self.sizes.check, sink, 1).output) for run in (self.on_thalweg, self.on_flink)]
        if answers[0] != answers[1]:
            ours, theirs = (list((answers[i] - answers[1 - i]).elements())[:3] for i in (0, 1))
            raise RuntimeError(f"{subject.program.name}: the answers differ; only Thalweg: {ours}; only Flink: {theirs}")
        return answers[0].total()

    def cpu(self, subject: Subject, size: int) -> tuple[float, float]:
        """CPU-seconds of Thalweg and of Flink: the second run of two in a process, the better of two processes."""
        costs: dict[str, list[float]] = {"flink": [], "thalweg": []}
        for engine in ("flink", "thalweg", "thalweg", "flink"):
            run = self.on_flink if engine == "flink" else self.on_thalweg
            cost = run(subject, size, "'connector' = 'blackhole'", 2)
            costs[engine].append(float(CPU_OF_RUN.findall(cost.messages)[-1]))
        return min(costs["thalweg"]), min(costs["flink"])

    def marginal_cpu(self, subject: Subject) -> tuple[float, float]:
        """CPU-seconds of Thalweg and of Flink for what the larger size has above the smaller."""
        small, large = (self.cpu(subject, size) for size in self.sizes.engine)
        return large[0] - small[0], large[1] - small[1]


def flink_environment() -> dict[str, str]:
    """PyFlink starts its gateway and its workers with the `python` of PATH."""
    return {"PATH": f"{FLINK}:{os.environ['PATH']}", "JVM_ARGS": "-Xms2g -Xmx4g", "PYTHONPATH": ""}


def final_rows(output: str) -> collections.Counter[str]:
    """What a printed changelog leaves: rows and how many of each."""
    rows: collections.Counter[str] = collections.Counter()
    for line in output.splitlines():
        change = CHANGE.match(line.strip())
        if change:
            rows[change[2]] += 1 if change[1] in ("+I", "+U") else -1
    return +rows


def gate_subjects(folder: pathlib.Path) -> list[Subject]:
    def events(size: int) -> str:
        path = folder / f"nexmark-{size}.json"
        nexmark.write_events(str(THALWEG / "thalweg"), path, size)
        return json_file(path)

    def readings(size: int) -> str:
        path = folder / f"dense-{size}.json"
        write_sensor_file(path, size, DEVICES, step_ms=0.1)
        return json_file(path)

    return [Subject(query, events) for query in nexmark.QUERIES] + [Subject(SENSOR, readings)]


def engine_subjects(folder: pathlib.Path) -> list[Subject]:
    """Rows that were decoded beforehand."""

    def replayed(size: int) -> str:
        path = folder / f"nexmark-{size}.json"
        nexmark.write_events(str(THALWEG / "thalweg"), path, size)
        return f"'connector' = 'replay', 'path' = '{path}', 'rows' = '{size}', 'format' = 'json'"

    return [Subject(query, replayed, (REPLAY_LANE,)) for query in nexmark.QUERIES]


def run_gate(race: Race, wanted: set[str]) -> Report:
    sizes = race.sizes
    report = Report("Gate lane beside Apache Flink", GATE_NOTES.format(notes=NOTES, records=sizes.race, check=sizes.check))
    for subject in gate_subjects(race.folder):
        name = subject.program.name
        if wanted and name not in wanted:
            continue
        rows = race.check(subject)
        ours, theirs = race.cpu(subject, sizes.race)
        millions = sizes.race / 1e6
        report.at_least(
            f"{name}: {millions / ours:.2f} M/s, Flink {millions / theirs:.3f} M/s ({rows:,} rows agree)",
            theirs / ours,
            10 if name == SENSOR.name else 5,
            "{:.1f}x",
        )
    return report


def run_engine(race: Race, wanted: set[str]) -> Report:
    small, large = race.sizes.engine
    report = Report("Engine lane beside Apache Flink", ENGINE_NOTES.format(notes=NOTES, small=small, large=large))
    millions = (large - small) / 1e6
    for subject in engine_subjects(race.folder):
        name = subject.program.name
        if wanted and name not in wanted:
            continue
        ours, theirs = race.marginal_cpu(subject)
        report.at_least(f"{name}: {millions / ours:.1f} M/s, Flink {millions / theirs:.2f} M/s", theirs / ours, 8, "{:.1f}x")
    return report


def run_python(race: Race, wanted: set[str]) -> Report:
    report = Report("Python beside PyFlink", PYTHON_NOTES.format(notes=NOTES, records=race.sizes.race))
    for program, what in cases_python.PROGRAMS.items():
        if wanted and program not in wanted:
            continue
        try:
            ours = cases_python.rate(str(THALWEG / "python"), program, race.sizes.race, 2, core=CORE)
            theirs = cases_python.rate(str(FLINK / "python"), program, race.sizes.race // 5, 1, flink_environment(), CORE)
        except RuntimeError as failure:
            report.skip(what, str(failure).strip().splitlines()[-1][:80])
            continue
        report.add(f"{what}: {ours / 1e6:.2f} M/s, PyFlink {theirs / 1e6:.3f} M/s", f"{ours / theirs:.1f}x")
    return report


def run_expressions(race: Race, wanted: set[str]) -> Report:
    del wanted  # they are not programs: all or none

    def on_flink(arguments: list[str]) -> Cost:
        program = ROOT / "benchmarks" / "peers" / arguments[0]
        return measure([str(FLINK / "python"), str(program), *arguments[1:]], env=flink_environment(), core=CORE)

    return peer_expressions.run(THALWEG / "thalweg", [REPLAY_LANE], race.folder, CORE, on_flink, FLINK_SETTINGS)


#: In the order of the report; each fills its own section.
LANES = {"gate": run_gate, "engine": run_engine, "python": run_python, "expressions": run_expressions}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    parser.add_argument("--only", default="", help="names of programs, with commas: q0,q17")
    parser.add_argument("--lane", choices=list(LANES), help="only this one")
    parser.add_argument("--write", action="store_true", help="write docs/reference/performance.md")
    arguments = parser.parse_args()
    scale = 10 if arguments.quick else 1
    sizes = Sizes(check=20_000, race=1_000_000 // scale, engine=(500_000 // scale, 3_000_000 // scale))
    folder = pathlib.Path(os.environ.get("THALWEG_BENCH_DIR", tempfile.gettempdir())) / "thalweg-bench"
    folder.mkdir(exist_ok=True)
    subprocess.run([str(ROOT / "tools" / "install_peers.sh"), "flink"], check=True)
    race = Race(folder, sizes)
    wanted = {name for name in arguments.only.split(",") if name}
    for name, run in LANES.items():
        if arguments.lane in (None, name):
            report = run(race, wanted)
            if arguments.write:
                report.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
