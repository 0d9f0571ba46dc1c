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
    else:
        lines += _places_of(error)
    lines.append("".join(traceback.format_exception_only(type(error), error)).rstrip())
    return "\n".join(lines)


def _places_of(error: BaseException) -> list[str]:
    """Where the user wrote the function, when the failure is in none of its lines: it is the `function` of the host that called it."""
    trace = error.__traceback__
    while trace is not None:
        host = trace.tb_frame.f_locals.get("self")
        function = getattr(host, "function", None) if trace.tb_frame.f_code.co_filename.startswith(_OURS) else None
        if function is not None:
            return _definition(function)
        trace = trace.tb_next
    return []


def _definition(function: Any) -> list[str]:
    """As a traceback shows a place; nothing for what Python did not compile from a file."""
    import inspect

    try:
        found = inspect.unwrap(function) if inspect.isroutine(function) else type(function)
        file, line = inspect.getsourcefile(found), inspect.getsourcelines(found)[1]
    except (OSError, TypeError, ValueError):
        return []
    return [f'  File "{file}", line {line}, defines {found.__qualname__}'] if file and not file.startswith(_OURS) else []


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
