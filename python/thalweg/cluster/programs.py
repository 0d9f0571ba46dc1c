"""The record of a program in a cluster: what was asked, its output, and what became of its jobs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

ENDED = ("FINISHED", "FAILED", "CANCELED")


class ProgramRecord:
    """A program's folder. Its process appends events; supervisor and clients read them.

    Files: request.json; events.jsonl; stdout, stderr (of the process: what print sinks and functions write); client (what the program
    itself printed: it belongs on the terminal of whoever submitted it).
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def path(self, name: str) -> str:
        """A file of the record."""
        return os.path.join(self.folder, name)

    def request(self) -> dict[str, Any]:
        """What was asked."""
        with open(self.path("request.json"), encoding="utf-8") as file:
            found: dict[str, Any] = json.load(file)
        return found

    def append(self, event: dict[str, Any]) -> None:
        """Notes an event; one write, so that readers never see half of one."""
        descriptor = os.open(self.path("events.jsonl"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, json.dumps(event).encode() + b"\n")
        finally:
            os.close(descriptor)

    def events(self) -> list[dict[str, Any]]:
        """All events so far."""
        try:
            with open(self.path("events.jsonl"), encoding="utf-8") as file:
                return [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []

    def jobs(self) -> list[dict[str, Any]]:
        """The program's jobs, each with its last state: id, name, state, started, ended, summary, error (times in ms)."""
        found: dict[str, dict[str, Any]] = {}
        for event in self.events():
            if "job" in event:
                job = found.setdefault(event["job"], {"id": event["job"], "ended": -1, "summary": "", "error": ""})
                job.update({key: value for key, value in event.items() if key != "job"})
        return list(found.values())

    def outcome(self) -> dict[str, Any] | None:
        """{"code": exit code, "error": text}, once the program has ended."""
        return next((event for event in self.events() if "code" in event), None)


def records(folder: str) -> Iterator[ProgramRecord]:
    """The records below a cluster's folder, oldest first."""
    try:
        names = sorted(os.listdir(folder), key=lambda name: int(name) if name.isdigit() else -1)
    except FileNotFoundError:
        return
    for name in names:
        if name.isdigit():
            yield ProgramRecord(os.path.join(folder, name))
