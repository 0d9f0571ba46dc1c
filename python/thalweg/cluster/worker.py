"""The process of one program in a cluster: `python -m thalweg.cluster.worker FOLDER`. Also how `flink run` runs a program in place."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from thalweg.cluster.programs import ENDED, ProgramRecord
from thalweg.control import registry

if TYPE_CHECKING:
    from types import FrameType

    from thalweg._native import Job

_Report = Callable[[dict[str, Any]], None]


class JobWatch:
    """Reports each job when it starts and when it ends. Jobs are added by the threads that start them; each has a thread that waits."""

    def __init__(self, report: _Report) -> None:
        self._report = report
        self._watched: list[tuple[Job, bool, threading.Thread]] = []
        self._seen: set[str] = set()

    def started(self, job: Job, is_query: bool) -> None:
        """A job has been submitted."""
        if job.id in self._seen:
            return
        self._seen.add(job.id)
        self._report({"job": job.id, "name": job.name, "state": "RUNNING", "started": now_ms()})
        thread = threading.Thread(target=self._wait, args=(job,), name=f"thalweg-watch-{job.id[:8]}", daemon=True)
        self._watched.append((job, is_query, thread))
        thread.start()

    def _wait(self, job: Job) -> None:
        error = ""
        try:
            job.wait(-1)
        except Exception as failure:  # noqa: BLE001 (told to whoever asks for the job)
            error = str(failure)
        self._report({"job": job.id, "state": job.status(), "ended": now_ms(), "summary": job.summary(), "error": error})

    def wait_for_all(self) -> bool:
        """After the program: its queries are over, the jobs that write into tables go on to their end. Whether all ended well."""
        for job, is_query, _ in self._watched:
            if is_query and job.status() not in ENDED:
                job.cancel()
        for _, _, thread in self._watched:
            while thread.is_alive():
                thread.join(0.2)  # in steps, so that signals are heard
        return all(job.status() == "FINISHED" for job, is_query, _ in self._watched if not is_query)

    def cancel_all(self) -> None:
        """Ends what still runs."""
        for job, _, _ in self._watched:
            if job.status() not in ENDED:
                job.cancel()


def now_ms() -> int:
    """Milliseconds since the epoch."""
    return int(time.time() * 1000)


def run_watched(request: dict[str, Any], report: _Report) -> int:
    """Runs the program of a request; returns when it and its jobs have ended, with the exit code."""
    watch = JobWatch(report)
    registry.observe(watch.started)
    for path in reversed(request.get("paths", [])):
        sys.path.insert(0, path)
    try:
        code = _run(request)
        well = watch.wait_for_all()
    except (SystemExit, KeyboardInterrupt):
        watch.cancel_all()
        watch.wait_for_all()
        raise
    return code or (0 if well else 1)


def _run(request: dict[str, Any]) -> int:
    from thalweg.cli.run import run_module, run_program

    try:
        if request.get("module"):
            return run_module(request["module"], request["arguments"])
        return run_program(request["file"], request["arguments"])
    except SystemExit as left:
        # The program's own sys.exit: its jobs still run to their end.
        if left.code is None or isinstance(left.code, int):
            return left.code or 0
        print(left.code, file=sys.stderr)
        return 1


class _ClientOutput(io.TextIOBase):
    """sys.stdout of a program: what its main thread prints is for whoever submitted it too; the rest is the task's output alone."""

    encoding = "utf-8"

    def __init__(self, own: TextIO, client: TextIO) -> None:
        self._own = own
        self._client = client
        self._main = threading.main_thread()

    def write(self, text: str) -> int:
        if threading.current_thread() is self._main:
            self._client.write(text)
            self._client.flush()
        return self._own.write(text)

    def flush(self) -> None:
        self._own.flush()

    def fileno(self) -> int:
        return self._own.fileno()

    def writable(self) -> bool:
        return True


def main(folder: str) -> int:
    """Runs the program whose request lies in `folder`."""
    record = ProgramRecord(folder)
    signal.signal(signal.SIGTERM, _terminated)
    request = record.request()
    os.chdir(request["cwd"])
    code, error = 1, ""
    with open(record.path("client"), "w", encoding="utf-8") as client:
        sys.stdout = _ClientOutput(sys.stdout, client)
        try:
            code = run_watched(request, record.append)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        except BaseException as failure:  # noqa: BLE001 (noted, for whoever submitted it)
            error = f"{type(failure).__name__}: {failure}"
        sys.stdout.flush()
        sys.stderr.flush()
    record.append({"code": code, "error": error})
    return code


def _terminated(signal_number: int, frame: FrameType | None) -> None:
    del frame
    raise SystemExit(128 + signal_number)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
