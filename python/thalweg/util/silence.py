"""Says why a job gives no output: what users of such systems ask first."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import Job

_QUIET_S = 10
_STEP_MS = 1000


class SilenceWatch:
    """Counts the seconds without output; after ten, and at the end, says the reason once on stderr."""

    def __init__(self, reason: Callable[[], str]) -> None:
        self._reason = reason
        self._seconds = 0
        self._said = False

    def second_passed(self) -> None:
        """Nothing came for another second."""
        self._seconds += 1
        if self._seconds == _QUIET_S:
            self._say("no output so far")

    def ended(self) -> None:
        """The job is over and gave nothing."""
        self._say("no output")

    def _say(self, what: str) -> None:
        if self._said:
            return
        reason = self._reason()
        if reason:
            self._said = True
            print(end="", flush=True)
            print(f"INFO  {what}: {reason}", file=sys.stderr, flush=True)


def wait_for_job(job: Job, timeout_ms: int) -> bool:
    """Waits for a job that writes into tables, saying why when nothing is written. False on time-out; < 0: no limit."""
    watch = SilenceWatch(job.why_silent)
    left = timeout_ms
    silent = True
    while timeout_ms < 0 or left > 0:
        step = _STEP_MS if timeout_ms < 0 else min(left, _STEP_MS)
        done = job.wait(step)
        silent = silent and job.rows_out() == 0
        if done:
            if silent:
                watch.ended()
            return True
        left -= step
        if silent:
            watch.second_passed()
    return job.wait(0)
