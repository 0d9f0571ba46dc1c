"""The control server of this process, started when the first job is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalweg.util.notices import notice

if TYPE_CHECKING:
    from thalweg._native import Job
    from thalweg.control.server import ControlServer

_QUERY_S = 0.3

_servers: list[ControlServer | None] = []
_starting = threading.Lock()
_observers: list[Callable[[Job, bool], None]] = []


def observe(observer: Callable[[Job, bool], None]) -> None:
    """Calls `observer(job, is_query)` for each job that is started from now on."""
    _observers.append(observer)


def publish_query(job: Job) -> None:
    """A query's job. Where nobody listens yet, only once it has run for a while, so that a plain SELECT costs nothing more."""
    if _observers or _servers:
        publish(job, True)
        return
    timer = threading.Timer(_QUERY_S, _publish_running, (job,))
    timer.daemon = True
    timer.start()


def _publish_running(job: Job) -> None:
    if job.status() in ("CREATED", "RUNNING", "RESTARTING"):
        publish(job, True)


def publish(job: Job, is_query: bool = False) -> None:
    """Lets `thalweg jobs` of this user see a job. A process without a place for its socket works all the same."""
    with _starting:
        server = _server()
    if server is not None:
        server.add(job)
    for observer in _observers:
        observer(job, is_query)


def _server() -> ControlServer | None:
    if not _servers:
        from thalweg.control.server import ControlServer

        try:
            _servers.append(ControlServer())
        except OSError as error:
            notice(f"no control socket, so `thalweg jobs` will not see this process: {error}")
            _servers.append(None)
    return _servers[0]
