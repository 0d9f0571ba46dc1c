"""The supervisor of a cluster: starts a process for each program, knows what became of the jobs, and answers clients.

`python -m thalweg.cluster.supervisor NAME PORT JOBS_FOLDER`, started by `thalweg cluster start`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from thalweg.cluster.places import Cluster
from thalweg.cluster.programs import ENDED, ProgramRecord
from thalweg.cluster.rest import serve_rest
from thalweg.control.client import request as ask
from thalweg.control.paths import short_enough, socket_folder, socket_path

_REQUEST_BYTES = 1 << 20
_END_S = 10.0
_REAP_S = 0.1


class Supervisor:
    """Owns the programs' processes. Requests come on threads of their own; `_lock` guards what they share."""

    def __init__(self, cluster: Cluster, jobs_folder: str | None) -> None:
        self._cluster = cluster
        self._jobs_folder = jobs_folder
        self._lock = threading.Lock()
        self._programs: dict[int, tuple[ProgramRecord, subprocess.Popen[bytes]]] = {}
        self._left = threading.Event()
        self.started_ms = int(time.time() * 1000)

    # --- programs
    def submit(self, request: dict[str, Any]) -> dict[str, Any]:
        """Starts a program; {"program": number, "folder": its record}."""
        with self._lock:
            number = len(self._programs) + 1
            record = ProgramRecord(os.path.join(self._cluster.programs, str(number)))
            os.makedirs(record.folder)
            if request.get("file"):
                request["file"] = self._found(request["file"], request["cwd"])
            with open(record.path("request.json"), "w", encoding="utf-8") as file:
                json.dump({key: value for key, value in request.items() if key != "environment"}, file)
            with open(record.path("stdout"), "wb") as out, open(record.path("stderr"), "wb") as err:
                process = subprocess.Popen(
                    [sys.executable, "-m", "thalweg.cluster.worker", record.folder],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    env={**os.environ, **request["environment"], "PYTHONUNBUFFERED": "1"},
                    start_new_session=True,
                )
            self._programs[number] = (record, process)
        return {"program": number, "folder": record.folder}

    def _found(self, file: str, cwd: str) -> str:
        """The program's file; `/jobs/x.py` and `x.py` are looked for in the folder of jobs too."""
        path = os.path.join(cwd, file)
        if os.path.isfile(path):
            return path
        if self._jobs_folder is not None:
            inside = os.path.join(self._jobs_folder, file.removeprefix("/jobs/").lstrip("/"))
            if os.path.isfile(inside):
                return inside
        where = f", nor in {self._jobs_folder}" if self._jobs_folder else ""
        raise ValueError(f"there is no file {file!r}{where}")

    def _reap(self) -> None:
        """Notes how processes ended that could not say it themselves; a crash harms their own jobs alone."""
        with self._lock:
            programs = list(self._programs.values())
        for record, process in programs:
            code = process.poll()
            if code is None or record.outcome() is not None:
                continue
            how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
            state = "CANCELED" if self._left.is_set() else "FAILED"
            for job in record.jobs():
                if job["state"] not in ENDED:
                    reason = f"the job's process was ended by {how}"
                    record.append({"job": job["id"], "state": state, "ended": int(time.time() * 1000), "error": reason})
            record.append({"code": 128 - code if code < 0 else code, "error": f"the program's process was ended by {how}"})

    # --- jobs
    def jobs(self) -> list[dict[str, Any]]:
        """All jobs, in the order of their start, each with the number of its program and its process."""
        self._reap()
        with self._lock:
            programs = list(self._programs.items())
        found = []
        for number, (record, process) in programs:
            live = self._live(process) if process.poll() is None else {}
            for job in record.jobs():
                if job["state"] not in ENDED and job["id"] in live:
                    job.update(state=live[job["id"]]["status"], summary=live[job["id"]]["summary"])
                found.append({**job, "program": number, "pid": process.pid, "folder": record.folder})
        return sorted(found, key=lambda job: job["started"])

    @staticmethod
    def _live(process: subprocess.Popen[bytes]) -> dict[str, Any]:
        try:
            return {job["id"]: job for job in ask(socket_path(process.pid), {"command": "jobs"})}
        except (OSError, ValueError):
            return {}  # not up yet, or just ending: its record tells

    def job(self, prefix: str) -> dict[str, Any]:
        """The job whose id starts so; ValueError where there is none, or more than one."""
        found = [job for job in self.jobs() if job["id"].startswith(prefix.lower())]
        if len(found) != 1:
            raise ValueError(f"cluster {self._cluster.name} has no job {prefix}" if not found else f"{prefix} stands for {len(found)} jobs")
        return found[0]

    def steer(self, message: dict[str, Any]) -> Any:
        """cancel, stop or savepoint: handed to the job's process."""
        job = self.job(message["id"])
        if job["state"] in ENDED:
            raise ValueError(f"job {job['id']} is {job['state']} already")
        return ask(socket_path(job["pid"]), {**message, "id": job["id"]})

    # --- requests of clients
    def answer(self, message: dict[str, Any]) -> Any:
        """One request of the command line."""
        command = message["command"]
        if command == "submit":
            return self.submit(message["request"])
        if command == "list":
            return self.jobs()
        if command == "jobs":
            return []  # `thalweg jobs` finds them in their own processes
        if command == "job":
            return self.job(message["id"])
        if command == "leave":
            self._left.set()
            return None
        if command in ("cancel", "stop", "savepoint"):
            return self.steer(message)
        raise ValueError(f"unknown command {command!r}")

    def _serve_socket(self, listening: socket.socket) -> None:
        while True:
            connection, _ = listening.accept()
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            text = b""
            while not text.endswith(b"\n") and len(text) < _REQUEST_BYTES and (part := connection.recv(65536)):
                text += part
            try:
                reply: dict[str, Any] = {"ok": self.answer(json.loads(text))}
            except Exception as error:  # noqa: BLE001 (told to whoever asked)
                reply = {"error": str(error)}
            connection.sendall(json.dumps(reply).encode() + b"\n")

    def run(self, port: int) -> None:
        """Until `leave` or SIGTERM."""
        signal.signal(signal.SIGTERM, lambda *_: self._left.set())
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.makedirs(socket_folder(), mode=0o700, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._cluster.socket)
        listening = socket.socket(socket.AF_UNIX)
        with short_enough(self._cluster.socket) as address:
            listening.bind(address)
        listening.listen()
        threading.Thread(target=self._serve_socket, args=(listening,), daemon=True).start()
        port = serve_rest(self, port)
        self._cluster.write_information(
            {"pid": os.getpid(), "port": port, "jobs_folder": self._jobs_folder, "started": self.started_ms, "name": self._cluster.name}
        )
        while not self._left.wait(_REAP_S):
            self._reap()
        self._end_programs()
        for path in (os.path.join(self._cluster.folder, "cluster.json"), self._cluster.socket):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)

    def _end_programs(self) -> None:
        with self._lock:
            running = [process for _, process in self._programs.values() if process.poll() is None]
        for process in running:
            process.terminate()
        deadline = time.monotonic() + _END_S
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, deadline - time.monotonic()))
            if process.poll() is None:
                process.kill()
                process.wait()
        self._reap()


def main(name: str, port: str, jobs_folder: str) -> None:
    """Runs the supervisor of a cluster."""
    cluster = Cluster(name)
    shutil.rmtree(cluster.programs, ignore_errors=True)
    os.makedirs(cluster.programs, mode=0o700)
    Supervisor(cluster, jobs_folder or None).run(int(port))


if __name__ == "__main__":
    main(*sys.argv[1:])
