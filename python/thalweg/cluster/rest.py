"""A part of Flink's REST API: which jobs a cluster has, and cancelling one. On 127.0.0.1 only."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from thalweg.cluster.programs import ENDED
from thalweg.version import __flink_version__

if TYPE_CHECKING:
    from thalweg.cluster.supervisor import Supervisor

_TRIES = 200


def serve_rest(supervisor: Supervisor, port: int) -> int:
    """Starts serving on `port`, or with 0 on the first free one from 8081; the port."""

    class Handler(_Handler):
        """Requests about this supervisor's jobs."""

        owner = supervisor

    for candidate in range(8081, 8081 + _TRIES) if port == 0 else (port,):
        try:
            server = _Server(("127.0.0.1", candidate), Handler)
        except OSError:
            if port != 0:
                raise
            continue
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return candidate
    raise OSError(f"no port between 8081 and {8081 + _TRIES} is free")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False  # a port that another cluster holds must not be shared


def overview_of(job: dict[str, Any]) -> dict[str, Any]:
    """A job as /jobs/overview has it."""
    ended = job["ended"]
    now = int(time.time() * 1000)
    state = job["state"]
    tasks = dict.fromkeys(("created", "scheduled", "deploying", "running", "finished", "canceling", "canceled", "failed"), 0)
    tasks.update(reconciling=0, initializing=0)
    tasks[state.lower() if state in ENDED else "running"] = 1
    return {
        "jid": job["id"],
        "name": job["name"],
        "start-time": job["started"],
        "end-time": ended,
        "duration": (now if ended < 0 else ended) - job["started"],
        "state": state,
        "last-modification": max(job["started"], ended),
        "tasks": {"total": 1, **tasks},
        "pending-operators": 0,
    }


class _Handler(BaseHTTPRequestHandler):
    owner: Supervisor

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].strip("/").removeprefix("v1/")
        self._reply(*self._get(path))

    def do_PATCH(self) -> None:
        path = self.path.partition("?")[0].strip("/").removeprefix("v1/").split("/")
        if len(path) != 2 or path[0] != "jobs":
            self._reply(404, {"errors": ["Not found."]})
            return
        try:
            self.owner.steer({"command": "cancel", "id": path[1]})
        except ValueError as error:
            self._reply(404 if "no job" in str(error) else 409, {"errors": [str(error)]})
            return
        self._reply(202, {})

    def _get(self, path: str) -> tuple[int, Any]:
        jobs = self.owner.jobs()
        if path == "jobs":
            return 200, {"jobs": [{"id": job["id"], "status": job["state"]} for job in jobs]}
        if path == "jobs/overview":
            return 200, {"jobs": [overview_of(job) for job in jobs]}
        if path == "overview":
            return 200, self._totals(jobs)
        if path == "config":
            offset = -(time.altzone if time.localtime().tm_isdst else time.timezone) * 1000
            return 200, {
                "refresh-interval": 3000,
                "timezone-name": time.tzname[0],
                "timezone-offset": offset,
                "flink-version": __flink_version__,
                "flink-revision": "thalweg",
                "features": {"web-submit": False, "web-cancel": True, "web-rescale": False, "web-history": False},
            }
        parts = path.split("/")
        job = next((job for job in jobs if len(parts) > 1 and parts[0] == "jobs" and job["id"] == parts[1]), None)
        if job is not None and len(parts) == 2:
            return 200, {**overview_of(job), "isStoppable": False, "now": int(time.time() * 1000), "vertices": [], "plan": {}}
        if job is not None and parts[2:] == ["exceptions"]:
            entries = [{"exceptionName": job["error"].split("\n")[0], "stacktrace": job["error"], "timestamp": job["ended"]}]
            return 200, {"exceptionHistory": {"entries": entries if job["error"] else [], "truncated": False}}
        return 404, {"errors": [f"Not found: {self.path}"]}

    @staticmethod
    def _totals(jobs: list[dict[str, Any]]) -> dict[str, Any]:
        states = [job["state"] for job in jobs]
        return {
            "taskmanagers": 1,
            "slots-total": 1,
            "slots-available": 1,
            "jobs-running": sum(state not in ENDED for state in states),
            "jobs-finished": states.count("FINISHED"),
            "jobs-cancelled": states.count("CANCELED"),
            "jobs-failed": states.count("FAILED"),
            "flink-version": __flink_version__,
            "flink-commit": "thalweg",
        }

    def _reply(self, status: int, body: Any) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Requests are not logged."""
