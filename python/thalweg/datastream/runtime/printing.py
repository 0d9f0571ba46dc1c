"""The host of print(): lines on standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.host import Host

if TYPE_CHECKING:
    from thalweg._native import StreamContext

__all__ = ["FunctionSinkHost", "PrintHost"]


class PrintHost(Host):
    """Writes each record on a line, behind `name:N> ` where there is a name, or several subtasks."""

    def __init__(self, text: Callable[[Any], str], name: str | None, to_stderr: bool = False) -> None:
        self._text = text
        self._name = name or ""
        self._to_stderr = to_stderr
        self._prefix = ""

    def open(self, context: StreamContext) -> None:
        super().open(context)
        parts = [self._name] if self._name else []
        if context.parallelism > 1:
            parts.append(str(context.subtask + 1))
        self._prefix = ":".join(parts) + "> " if parts else ""

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        lines: list[str] = []
        prefix, text = self._prefix, self._text
        try:
            for record in records:
                lines.append(f"{prefix}{text(record)}\n")
        finally:
            self._write("".join(lines))

    def _write(self, lines: str) -> None:
        out, own = (sys.stderr, sys.__stderr__) if self._to_stderr else (sys.stdout, sys.__stdout__)
        if out is None:  # closed before the program began
            return
        if own is not None and out is own:
            from thalweg import _native

            out.flush()
            _native.write_lines(lines.encode(out.encoding, out.errors or "strict"), self._to_stderr)
        else:
            out.write(lines)
            out.flush()


class FunctionSinkHost(Host):
    """Gives the records to a function of this process, a list at a time."""

    def __init__(self, collect: Callable[[list[Any]], None]) -> None:
        self._collect = collect

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        self._collect(records)
