"""Rows of a query on a terminal: the current result in place, or every change."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thalweg._native import Result

_OPS = ("+I", "-U", "+U", "-D")
_MAX_CELL = 40
_FETCH = 1000
_REFRESH_S = 0.25
_KEPT_ROWS = 1_000_000


def cell_text(value: Any) -> str:
    """A value as the result modes show it."""
    if value is None:
        return "<NULL>"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, bytearray):
        return f"x'{value.hex()}'"
    if isinstance(value, tuple):
        return "(" + ", ".join(cell_text(v) for v in value) + ")"
    if isinstance(value, list):
        return "[" + ", ".join(cell_text(v) for v in value) + "]"
    return str(value).replace("\n", "\\n")


class _Keyboard:
    """Single keys without waiting, while the object is entered."""

    def __enter__(self) -> _Keyboard:
        self._saved = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *exception: object) -> None:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._saved)

    def key(self, wait_s: float) -> str:
        """A key, or "" when none was pressed in time. Arrow and page keys come as their escape sequences."""
        ready, _, _ = select.select([sys.stdin], [], [], wait_s)
        return os.read(sys.stdin.fileno(), 8).decode("utf-8", "replace") if ready else ""


class TableView:
    """The rows as they are now: changes are applied to a table that is drawn again in place. Q leaves."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._columns = [name for name, _ in result.columns()]
        self._rows: list[tuple[str, ...]] = []
        self._top: int | None = None  # None: follows the end
        self._ended = False
        self._changes = 0
        self._started = time.monotonic()

    def run(self) -> None:
        """Until Q, or Ctrl-C, which both end the query."""
        print("\x1b[?1049h", end="")
        try:
            with _Keyboard() as keyboard:
                while True:
                    self._fetch()
                    self._draw()
                    key = keyboard.key(_REFRESH_S if not self._ended else 3600)
                    if key in ("q", "Q"):
                        return
                    self._scroll(key)
        finally:
            print("\x1b[?1049l", end="", flush=True)
            self._result.close()
            print(f"[INFO] {'Result' if self._ended else 'Query'} left: {len(self._rows)} rows, {self._changes} changes received.\n")

    def _fetch(self) -> None:
        deadline = time.monotonic() + _REFRESH_S
        while not self._ended and time.monotonic() < deadline:
            rows = self._result.next_rows(_FETCH, True, 50)
            if rows is None:
                self._ended = True
                return
            for kind, values in rows:
                self._apply(kind, tuple(cell_text(v) for v in values))
            if not rows:
                return

    def _apply(self, kind: int, row: tuple[str, ...]) -> None:
        self._changes += 1
        if kind in (0, 2):
            self._rows.append(row)
            del self._rows[: max(0, len(self._rows) - _KEPT_ROWS)]
            return
        for i in range(len(self._rows) - 1, -1, -1):
            if self._rows[i] == row:
                del self._rows[i]
                return

    def _page_rows(self) -> int:
        return max(1, os.get_terminal_size().lines - 5)

    def _scroll(self, key: str) -> None:
        page = self._page_rows()
        last = max(0, len(self._rows) - page)
        top = last if self._top is None else self._top
        steps = {
            "\x1b[A": -1,
            "\x1b[B": 1,
            "\x1b[5~": -page,
            "\x1b[6~": page,
            "n": page,
            "p": -page,
            "\x1b[H": -len(self._rows),
            "g": -len(self._rows),
        }
        if key in steps:
            top = min(last, max(0, top + steps[key]))
            self._top = None if top == last else top
        elif key in ("\x1b[F", "e", "G"):
            self._top = None

    def _draw(self) -> None:
        page = self._page_rows()
        top = max(0, len(self._rows) - page) if self._top is None else self._top
        shown = self._rows[top : top + page]
        widths = [min(_MAX_CELL, max([len(name), *(len(row[i]) for row in shown)])) for i, name in enumerate(self._columns)]
        width = os.get_terminal_size().columns
        state = "finished" if self._ended else f"running {time.monotonic() - self._started:.0f} s"
        lines = [f"SQL query result (table) | {state} | {len(self._rows)} rows | {self._changes} changes"[:width], ""]
        lines.append("\x1b[7m" + _line(self._columns, widths)[:width].ljust(width) + "\x1b[0m")
        lines += [_line(row, widths)[:width] for row in shown]
        lines += [""] * (page - len(shown))
        lines.append("Q leave   up/down, PgUp/PgDn, n/p page   g first   e last"[:width])
        print("\x1b[H" + "\n".join(line + "\x1b[K" for line in lines) + "\x1b[J", end="", flush=True)


def _line(cells: Any, widths: list[int]) -> str:
    return " " + "  ".join((c if len(c) <= w else c[: w - 3] + "...").rjust(w) for c, w in zip(cells, widths))


class ChangelogView:
    """Every change on a line, as it comes. Q or Ctrl-C leaves."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._columns = [name for name, _ in result.columns()]

    def run(self) -> None:
        """Until the query ends or is left."""
        widths = [max(12, len(name)) for name in self._columns]
        print("op " + _line(self._columns, widths))
        count = 0
        try:
            with _Keyboard() as keyboard:
                while (rows := self._result.next_rows(_FETCH, True, 200)) is not None:
                    for kind, values in rows:
                        print(_OPS[kind] + " " + _line([cell_text(v) for v in values], widths))
                    count += len(rows)
                    if keyboard.key(0) in ("q", "Q"):
                        break
        finally:
            self._result.close()
            print(f"[INFO] {count} changes received.\n", flush=True)
