"""What all cases of a bench share: where files go, how often to run, where lines are reported."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field

from measure import Cost, best_of
from programs import Program
from report import Report

ROOT = pathlib.Path(__file__).resolve().parents[1]
THALWEG = str(ROOT / ".venv" / "bin" / "thalweg")
PYTHON = str(ROOT / ".venv" / "bin" / "python")
#: Where the benches in C++ are.
PROGRAMS = ROOT / "build" / "release" / "benchmarks"
DEVICES = 10_000


@dataclass
class Bench:
    """One run of some cases over files in `folder`."""

    folder: pathlib.Path
    records: int
    runs: int
    report: Report = field(default_factory=lambda: Report("Thalweg alone", ""))

    def thalweg(self, program: Program, source: str, settings: Mapping[str, str] | None = None) -> Cost:
        """The cost of `thalweg sql -f`, start included."""
        script = self.folder / "bench.sql"
        script.write_text(program.sql(source, settings=settings))
        return best_of(self.runs, [THALWEG, "sql", "-f", str(script)])


def install_duckdb() -> str | None:
    """None when it is there, else why it is not."""
    done = subprocess.run([str(ROOT / "tools" / "install_peers.sh"), "duckdb"], check=False, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or ["the installation failed"])[-1]
