"""The parts of the benchmarks that a wrong figure could hide in: what is measured, compared and written."""

from __future__ import annotations

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))

import measure  # noqa: E402
import nexmark  # noqa: E402
import peers  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
import sensor_data  # noqa: E402


def test_a_cost_counts_orphans_too() -> None:
    spin = "sum(range(20_000_000))"
    alone = measure.measure([sys.executable, "-c", spin])
    orphan = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', '{spin}'], stdout=subprocess.DEVNULL)"
    assert measure.measure([sys.executable, "-c", orphan]).cpu_s > alone.cpu_s / 3


def test_a_failing_command_says_what_it_wrote() -> None:
    with pytest.raises(RuntimeError, match=r"ended with 3:\nsorry"):
        measure.measure([sys.executable, "-c", "import sys; print('sorry', file=sys.stderr); sys.exit(3)"])


def test_a_changelog_is_compared_by_what_it_leaves() -> None:
    printed = "+I[a, 1]\n-U[a, 1]\n+U[a, 2]\n1> +I[b, 1]\nnoise\n+I[c, 1]\n-D[c, 1]\n"
    assert peers.final_rows(printed) == {"a, 2": 1, "b, 1": 1}


def test_a_section_is_replaced_and_the_others_stay(tmp_path: pathlib.Path) -> None:
    page = tmp_path / "performance.md"
    for section, what in (("Gate lane beside Apache Flink", "q0"), ("Thalweg alone", "old"), ("Thalweg alone", "new")):
        lines = report.Report(section, "notes")
        lines.at_least(what, 2.0, 3.0)
        lines.write(page)
    text = page.read_text()
    assert "| new | 2.00x | at least 3.00x | **no** |" in text
    assert "| q0 |" in text
    assert "| old |" not in text
    assert text.index("## Thalweg alone") < text.index("## Gate lane beside Apache Flink")


def test_sensor_files_are_the_same_bytes_and_real_dates(tmp_path: pathlib.Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    for path in (first, second):
        sensor_data.write_sensor_file(path, 100, devices=7, step_ms=86_400_000)
    assert first.read_bytes() == second.read_bytes()
    assert '"ts":"2024-02-21 22:13:20.000"}' in first.read_text().splitlines()[-1]


@pytest.mark.parametrize("program", nexmark.QUERIES, ids=lambda program: program.name)
def test_nexmark_programs_run(program: programs.Program, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "program.sql"
    script.write_text(program.sql(nexmark.generated(20_000), "'connector' = 'print'", programs.MINI_BATCH))
    run = measure.measure([sys.executable, str(ROOT / "benchmarks" / "peers" / "run_sql.py"), str(script), "1"])
    assert peers.final_rows(run.output).total() > 0
    assert peers.CPU_OF_RUN.findall(run.messages)
