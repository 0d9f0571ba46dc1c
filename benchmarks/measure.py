"""Runs a command to its end and says what it and every process it started cost: CPU seconds, wall seconds, peak resident memory."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Cost:
    """What a process and its descendants took. Seconds and bytes; the memory is that of the largest process."""

    cpu_s: float
    wall_s: float
    peak_bytes: int
    output: str
    #: What it wrote to its standard error.
    messages: str = ""

    def rate(self, rows: int) -> float:
        """Rows per CPU-second."""
        return rows / self.cpu_s if self.cpu_s > 0 else 0.0


def measure(command: Sequence[str], env: dict[str, str] | None = None, core: int | None = None) -> Cost:
    """Runs `command`, on one core when told; raises RuntimeError with its output when it fails."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        status = 125
        with contextlib.suppress(BaseException):
            status = _run_and_report(command, env, core, writer)
        os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as report:
        text = report.read()
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    cost = Cost(**json.loads(text)) if text else Cost(0, 0, 0, "", "it could not be started")
    if code != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {code}:\n{(cost.output + cost.messages)[-3000:]}")
    return cost


def _run_and_report(command: Sequence[str], env: dict[str, str] | None, core: int | None, writer: int) -> int:
    """In a process of its own, to which the orphans of the command fall: a Java gateway outlives the program that started it."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    if core is not None:
        os.sched_setaffinity(0, {core})
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as messages:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=messages, text=True, errors="replace", env={**os.environ, **(env or {})}
        )
        assert process.stdout is not None
        output = process.stdout.read()
        status = process.wait()
        messages.seek(0)
        said = messages.read()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    wall = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024, output, said)
    with os.fdopen(writer, "w") as report:
        json.dump(asdict(cost), report)
    return status


def cheapest(costs: Iterable[Cost]) -> Cost:
    return min(costs, key=lambda cost: cost.cpu_s)


def best_of(runs: int, command: Sequence[str], env: dict[str, str] | None = None) -> Cost:
    """The run with the least CPU time, after one that is thrown away."""
    measure(command, env)
    return cheapest(measure(command, env) for _ in range(runs))


def machine() -> str:
    """One line about where the figures come from."""
    with open("/proc/cpuinfo", encoding="utf-8") as processors:
        model = next((line.split(":", 1)[1].strip() for line in processors if line.startswith("model name")), "?")
    load = os.getloadavg()
    return f"{os.cpu_count()} cores, {model}, load {load[0]:.1f} (15 minutes: {load[2]:.1f}), Python {sys.version.split()[0]}"
