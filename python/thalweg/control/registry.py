"""The control server of this process, started when the first job is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalweg.util.notices import notice

if TYPE_CHECKING:
    from thalweg._native import Job
    from thalweg.control.server import ControlServer

_servers: list[ControlServer | None] = []


def publish(job: Job) -> None:
    """Lets `thalweg jobs` of this user see a job. A process without a place for its socket works all the same."""
    if not _servers:
        from thalweg.control.server import ControlServer

        try:
            _servers.append(ControlServer())
        except OSError as error:
            notice(f"no control socket, so `thalweg jobs` will not see this process: {error}")
            _servers.append(None)
    if _servers[0] is not None:
        _servers[0].add(job)
