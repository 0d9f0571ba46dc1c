"""Asks the processes of this user about their jobs."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from typing import Any

from thalweg.control.paths import short_enough, socket_folder


def request(path: str, message: dict[str, Any]) -> Any:
    """One request to one process; ValueError with what it answered when it could not do it."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(300)
        with short_enough(path) as address:
            connection.connect(address)
        connection.sendall(json.dumps(message).encode() + b"\n")
        parts = []
        while part := connection.recv(65536):
            parts.append(part)
    answer = json.loads(b"".join(parts))
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer["ok"]


def all_jobs() -> list[dict[str, Any]]:
    """The jobs of all processes, each with the `path` of its process's socket. Sockets of dead processes are removed."""
    found: list[dict[str, Any]] = []
    with contextlib.suppress(FileNotFoundError):
        for name in sorted(os.listdir(socket_folder())):
            path = os.path.join(socket_folder(), name)
            try:
                found += [{**job, "path": path} for job in request(path, {"command": "jobs"})]
            except ConnectionRefusedError:
                with contextlib.suppress(OSError):
                    os.unlink(path)
            except (OSError, ValueError):
                continue
    return found


def find_job(prefix: str) -> dict[str, Any]:
    """The job whose id starts with `prefix`; ValueError where there is none, or more than one."""
    matches = [job for job in all_jobs() if job["id"].startswith(prefix.lower())]
    if not matches:
        raise ValueError(f"no running process has a job {prefix}; `thalweg jobs` lists them")
    if len(matches) > 1:
        raise ValueError(f"{prefix} stands for {len(matches)} jobs; give more of the id")
    return matches[0]
