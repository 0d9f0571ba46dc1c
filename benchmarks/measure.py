"""Runs a command to its end and says what it cost: CPU seconds, wall seconds, peak resident memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What one process and its children took. Seconds and bytes."""

    cpu_s: float
    wall_s: float
    peak_bytes: int
    output: str

    def rate(self, rows: int) -> float:
        """Rows per CPU-second."""
        return rows / self.cpu_s if self.cpu_s > 0 else 0.0


def measure(command: Sequence[str], env: dict[str, str] | None = None) -> Cost:
    """Runs `command`; raises RuntimeError with its output when it fails."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, **(env or {})}
    )
    assert process.stdout is not None
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}:\n{output[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, output)


def best_of(runs: int, command: Sequence[str], env: dict[str, str] | None = None) -> Cost:
    """The run with the least CPU time, after one that is thrown away."""
    measure(command, env)
    return min((measure(command, env) for _ in range(runs)), key=lambda cost: cost.cpu_s)


def machine() -> str:
    """One line about where the figures come from."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{os.cpu_count()} cores, {model}, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"
