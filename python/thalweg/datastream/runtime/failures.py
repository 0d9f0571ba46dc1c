"""What the user is told when a function fails: their own traceback, the operator, the record."""

from __future__ import annotations

import os
import traceback
from typing import Any

__all__ = ["describe"]

_OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_LIBRARY = os.path.dirname(os.__file__) + os.sep
_LONGEST = 500


def describe(name: str, error: BaseException) -> str:
    """The text of `error`, raised in the operator `name`, without our own frames."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(_OURS)]
    # What called the function, such as an executor of Python's library.
    while len(frames) > 1 and frames[0].filename.startswith(_LIBRARY):
        frames.pop(0)
    lines = [f"The Python function of operator '{name}' failed{_record_of(error)}:"]
    if error.__cause__ is not None:
        lines.append("".join(traceback.format_exception(error.__cause__)).rstrip())
        lines.append("\nThe above exception was the direct cause of the following exception:\n")
    if frames:
        lines.append("Traceback (most recent call last):")
        lines.append("".join(traceback.format_list(frames)).rstrip())
    lines.append("".join(traceback.format_exception_only(type(error), error)).rstrip())
    return "\n".join(lines)


def _record_of(error: BaseException) -> str:
    """The record that a host was working on: it is what its innermost frame of ours calls `record`."""
    trace = error.__traceback__
    found: Any = None
    known = False
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename.startswith(_OURS) and "record" in frame.f_locals:
            found, known = frame.f_locals["record"], True
        trace = trace.tb_next
    if not known:
        return ""
    try:
        text = repr(found)
    except Exception:  # noqa: BLE001 (a user's __repr__ may raise anything)
        return ""
    return " on " + (text if len(text) <= _LONGEST else text[:_LONGEST] + "...")
