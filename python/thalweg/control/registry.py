"""The control server of this process, started when the first job is."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalweg.util.notices import notice

if TYPE_CHECKING:
    from thalweg._native import Job
    from thalweg.control.server import ControlServer

_QUERY_S = 0.3

_servers: list[ControlServer | None] = []
_starting = threading.Lock()
_young: deque[tuple[float, Job]] = deque()
_observers: list[Callable[[Job, bool], None]] = []


def observe(observer: Callable[[Job, bool], None]) -> None:
    """Calls `observer(job, is_query)` for each job that is started from now on."""
    _observers.append(observer)


def publish_query(job: Job) -> None:
    """A query's job. Where nobody listens yet, only once it has run for a while, so that a plain SELECT costs nothing more."""
    if _observers or _servers:
        publish(job, True)
        return
    with _starting:
        _young.append((time.monotonic() + _QUERY_S, job))
        is_first = len(_young) == 1
    if is_first:
        threading.Thread(target=_publish_grown, name="thalweg-queries", daemon=True).start()


def _publish_grown() -> None:
    """Waits until the queries of the last moments are old enough; ends with the last of them."""
    while True:
        due, job = _young[0]
        time.sleep(max(0.0, due - time.monotonic()))
        with _starting:
            _young.popleft()
            is_last = not _young
        if job.status() in ("CREATED", "RUNNING", "RESTARTING"):
            publish(job, True)
        if is_last:
            return


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
