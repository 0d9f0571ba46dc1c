"""The expressions of the benchmark on Thalweg and on Flink, over the same rows in memory."""

from __future__ import annotations

import json
import math
import pathlib
import shutil
import statistics
from collections.abc import Callable

from cases_expressions import COLUMNS, EXPRESSIONS, ROWS, ours
from measure import Cost, measure
from report import Report

SECTION = "Expressions beside Apache Flink"
NOTES = """A job for each expression, pinned to one core: a source that sends 131,072 decoded rows again and again (in columns, or in
Flink's binary form), one in 64 NULL, the expression, and a sink that drops it, in one chain. Flink runs in one JVM, with object reuse; what
counts is the CPU time of its process, garbage collection included and compilation not, the least of five spells once the code is warm, and
the least of three runs of Thalweg's. Both have as many values of each expression. Measured is Thalweg's rate divided by Flink's; `alone` is
the same quotient for the evaluation, with what it costs to read a column and pass it on taken off on both sides."""
#: On the geometric mean.
GOAL = 20.0
#: How long each job repeats its rows.
SECONDS = 2.0
#: The same column, read and passed on: what is taken off. Read first by a cold JVM, then in earnest, and last once more.
READING = "l"
READINGS_BEFORE = 2
#: How often a job of Thalweg's repeats the rows, and how often it is run.
ROUNDS = 32
RUNS = 3

TYPES = {
    "l": "BIGINT",
    "k": "BIGINT",
    "d": "DOUBLE",
    "e": "DOUBLE",
    "m": "DECIMAL(12, 2)",
    "n": "DECIMAL(12, 2)",
    "s": "STRING",
    "p": "STRING",
    "w": "STRING",
    "b": "BOOLEAN",
    "t": "TIMESTAMP(3)",
    "u": "TIMESTAMP(3)",
    "x": "DATE",
    "z": "STRING",
    "j": "STRING",
    "a": "ARRAY<BIGINT>",
    "q": "MAP<STRING, BIGINT>",
}
SCHEMA = ", ".join(f"{name} {TYPES[name]}" for name, _, _ in COLUMNS)


def write_rows(thalweg: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The rows of the benchmark as a JSON file."""
    path = folder / "expressions.json"
    parts = folder / "expressions-parts"
    columns = ",\n  ".join(f"{sql} AS {name}" for name, sql, _ in COLUMNS)
    shutil.rmtree(parts, ignore_errors=True)
    script = folder / "expressions.sql"
    script.write_text(
        f"""CREATE TABLE numbers (i BIGINT NOT NULL) WITH ('connector' = 'datagen',
  'fields.i.kind' = 'sequence', 'fields.i.start' = '0', 'fields.i.end' = '{ROWS - 1}');
CREATE TABLE parts ({SCHEMA}) WITH ('connector' = 'filesystem', 'path' = '{parts}', 'format' = 'json');
INSERT INTO parts SELECT {columns} FROM numbers;
"""
    )
    measure([str(thalweg), "sql", "-f", str(script)])
    with path.open("wb") as out:
        for part in sorted(parts.iterdir()):
            out.write(part.read_bytes())
    return path


def job(rows: pathlib.Path, folder: pathlib.Path, settings: dict[str, str]) -> pathlib.Path:
    """What Flink's program is told."""
    report = folder / "expressions-report"
    file = f"'path' = '{rows}', 'format' = 'json', 'json.timestamp-format.standard' = 'SQL'"
    tables = [
        f"CREATE TABLE repeated ({SCHEMA}) WITH ('connector' = 'repeat', 'report' = '{report}', 'seconds' = '{SECONDS}', {file})",
        f"CREATE TABLE replayed ({SCHEMA}) WITH ('connector' = 'replay', 'rows' = '{ROWS}', {file})",
    ]
    expressions = [*[READING] * READINGS_BEFORE, *(sql for sql, _ in EXPRESSIONS), READING]
    path = folder / "expressions-job.json"
    path.write_text(json.dumps({"settings": settings, "tables": tables, "report": str(report), "expressions": expressions}))
    return path


def on_flink(race: Callable[[list[str]], Cost], rows: pathlib.Path, folder: pathlib.Path, settings: dict[str, str]) -> dict[int, list[str]]:
    """By an expression's place among those of the job: nanoseconds of a row and how many values, or `error` and why."""
    rows.with_name(rows.name + ".rows").unlink(missing_ok=True)
    output = race(["run_expressions.py", str(job(rows, folder, settings))]).output
    lines = [line.split("\t") for line in output.splitlines() if line.count("\t") == 2]
    return {int(place): rest for place, *rest in lines}


def on_thalweg(replay: list[str], rows: pathlib.Path, folder: pathlib.Path, core: int) -> dict[str, float]:
    """Rows per CPU-second of a job, by expression."""
    names = [sql for sql, _ in EXPRESSIONS]
    file = f"'path' = '{rows}', 'format' = 'json', 'json.timestamp-format.standard' = 'SQL'"
    lines = [
        f"CREATE TABLE replayed ({SCHEMA}) WITH ('connector' = 'replay', 'rows' = '{ROWS}', 'rounds' = '{ROUNDS}', {file})",
        f"CREATE TABLE warm WITH ('connector' = 'blackhole') AS SELECT {READING} AS v FROM replayed",
    ]
    for place, sql in enumerate(names):
        lines += [
            f"CREATE TABLE sink_{place}_{run} WITH ('connector' = 'blackhole') AS SELECT {sql} AS v FROM replayed" for run in range(RUNS)
        ]
    script = folder / "expressions-whole.sql"
    script.write_text(";\n".join(lines) + ";\n")
    seconds = [
        float(line.split()[1]) for line in measure([*replay, str(script)], core=core).messages.splitlines() if line.startswith("cpu ")
    ]
    return {sql: ROWS * ROUNDS / min(seconds[1 + place * RUNS :][:RUNS]) for place, sql in enumerate(names)}


def compare(report: Report, mine: dict[str, tuple[float, int]], whole: dict[str, float], found: dict[int, list[str]]) -> None:
    nothing = ["error", "Flink gave no rate"]
    readings = [found.get(place, nothing) for place in (*range(READINGS_BEFORE), READINGS_BEFORE + len(EXPRESSIONS))]
    known = [float(cost) for cost, _ in readings if cost != "error"]
    if not known:
        report.skip("expressions beside Apache Flink", readings[0][1])
        return
    reading = min(known)
    ratios, alone = [], []
    for place, (sql, _) in enumerate(EXPRESSIONS, READINGS_BEFORE):
        what = f"`{sql}`".replace("|", "\\|")
        cost, count = found.get(place, nothing)
        rate, values = mine[sql]
        if cost == "error":
            report.skip(what, count)
        elif int(count) != values:
            report.skip(what, f"{values} values, Flink has {count}")
        else:
            theirs = 1e9 / float(cost)
            ratios.append(whole[sql] / theirs)
            # A round tells no less than a nanosecond of a row.
            alone.append(rate * max(float(cost) - reading, 1.0) / 1e9)
            report.add(f"{what}: {whole[sql] / 1e6:.1f} M/s, Flink {theirs / 1e6:.2f} M/s, alone {alone[-1]:.1f}x", f"{ratios[-1]:.1f}x")
    if ratios:
        report.at_least(
            f"geometric mean of {len(ratios)} expressions, alone {math.exp(statistics.fmean(map(math.log, alone))):.1f}x",
            math.exp(statistics.fmean(map(math.log, ratios))),
            GOAL,
            "{:.1f}x",
        )


def run(
    thalweg: pathlib.Path, replay: list[str], folder: pathlib.Path, core: int, race: Callable[[list[str]], Cost], settings: dict[str, str]
) -> Report:
    """`replay` runs a script of replayed tables on Thalweg, `race` a program of benchmarks/peers on Flink with its arguments."""
    report = Report(SECTION, NOTES)
    try:
        rows = write_rows(thalweg, folder)
        compare(report, ours(folder, core), on_thalweg(replay, rows, folder, core), on_flink(race, rows, folder, settings))
    except RuntimeError as failure:
        report.skip("expressions beside Apache Flink", str(failure).strip().splitlines()[-1][:80])
    return report
