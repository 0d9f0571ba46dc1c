"""Answers requests about this process's jobs, one JSON object a line each way. Started with the first job; ends with the process."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from thalweg.control.paths import short_enough, socket_folder, socket_path

if TYPE_CHECKING:
    from thalweg._native import Job

_REQUEST_BYTES = 65536
_KEPT_JOBS = 1000
_LAST_ANSWER_S = 10.0


class ControlServer:
    """Owns the socket, a daemon thread that listens, and one for each request, as a savepoint may take long.

    Jobs are added by the thread that starts them; all of a Job's methods are thread-safe.
    """

    def __init__(self) -> None:
        self._jobs: dict[str, tuple[Job, float]] = {}
        os.makedirs(socket_folder(), mode=0o700, exist_ok=True)
        self._path = socket_path(os.getpid())
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._path)
        self._changed = threading.Condition()
        self._answering = 0
        self._ended = False
        self._socket = socket.socket(socket.AF_UNIX)
        with short_enough(self._path) as address:
            self._socket.bind(address)
        self._socket.listen()
        atexit.register(self._remove)
        threading.Thread(target=self._serve, name="thalweg-control", daemon=True).start()

    def add(self, job: Job) -> None:
        """Makes a job known."""
        while len(self._jobs) >= _KEPT_JOBS:
            self._jobs.pop(next(iter(self._jobs)))
        self._jobs.setdefault(job.id, (job, time.time()))

    def _remove(self) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._path)
        # Whoever stopped the last job waits for the savepoint's path; and a thread that is inside the engine must be out of it
        # before the interpreter ends.
        with self._changed:
            self._ended = True
            self._changed.wait_for(lambda: self._answering == 0, timeout=_LAST_ANSWER_S)

    def _serve(self) -> None:
        while True:
            connection, _ = self._socket.accept()
            with self._changed:
                if self._ended:
                    connection.close()
                    continue
                self._answering += 1
            threading.Thread(target=self._serve_one, args=(connection,), name="thalweg-answer", daemon=True).start()

    def _serve_one(self, connection: socket.socket) -> None:
        try:
            with connection, contextlib.suppress(OSError, ValueError):
                connection.settimeout(300)
                request = json.loads(connection.recv(_REQUEST_BYTES))
                connection.sendall(json.dumps(self._answer(request)).encode() + b"\n")
        finally:
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            return {"ok": self._do(request)}
        except Exception as error:  # noqa: BLE001 (told to whoever asked)
            return {"error": str(error)}

    def _do(self, request: dict[str, Any]) -> Any:
        command = request["command"]
        if command == "jobs":
            return [self._describe(job, started) for job, started in list(self._jobs.values())]
        if request.get("id") not in self._jobs:
            raise ValueError(f"this process has no job {request.get('id')}")
        job, _ = self._jobs[request["id"]]
        if command == "cancel":
            job.cancel()
            return None
        if command == "stop":
            return job.stop_with_savepoint(request.get("directory"), bool(request.get("drain")))
        if command == "savepoint":
            return job.savepoint(request.get("directory"))
        return _inspect(job, command, request)

    @staticmethod
    def _describe(job: Job, started: float) -> dict[str, Any]:
        program = os.path.basename(sys.argv[0]) if sys.argv else ""
        return {
            "id": job.id,
            "name": job.name,
            "status": job.status(),
            "started": started,
            "summary": job.summary(),
            "why_silent": job.why_silent() if job.status() == "RUNNING" else "",
            "pid": os.getpid(),
            "program": program,
        }


def _inspect(job: Job, command: str, request: dict[str, Any]) -> Any:
    """What shows a job without changing it; `operator` is the number of one of its operators."""
    if command == "operators":
        return job.operators()
    if command == "metrics":
        return [{"operator": name, "subtask": subtask, "values": values} for name, subtask, values in job.metrics()]
    operator = int(request.get("operator", 0))
    if command == "tap":
        if request.get("capacity") is not None:
            return job.attach_tap(operator, request["capacity"])
        return job.detach_tap(operator)
    if command == "tapped":
        return job.read_tap(operator, request.get("cursor", ()), request.get("limit", 1000))
    if command == "state":
        return job.list_state(operator, request.get("table"), request.get("key"), request.get("limit", 100))
    raise ValueError(f"unknown command {command!r}")
