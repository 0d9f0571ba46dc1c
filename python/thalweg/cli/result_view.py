"""Rows of a query on a terminal: the current result in place, or every change."""

from __future__ import annotations

import itertools
import os
import select
import sys
import termios
import time
import tty
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import Result

_MAX_CELL = 40
_REFRESH_S = 0.25
_KEPT_ROWS = 1_000_000


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


class CurrentRows:
    """What a changelog has made of a table. A new version of a row takes its place; others come at the end."""

    def __init__(self) -> None:
        self._rows: dict[int, tuple[str, ...]] = {}
        self._places: dict[tuple[str, ...], list[int]] = {}
        self._next = 0
        self._freed: int | None = None
        self.changes = 0

    def __len__(self) -> int:
        return len(self._rows)

    def apply(self, kind: int, row: tuple[str, ...]) -> None:
        """One change: 0 insert, 1 and 2 the old and the new version of a row, 3 delete."""
        self.changes += 1
        freed, self._freed = self._freed, None
        if freed is not None and kind != 2:
            del self._rows[freed]  # the new version was filtered out
            freed = None
        if kind in (0, 2):
            place = self._end() if freed is None else freed
            self._rows[place] = row
            self._places.setdefault(row, []).append(place)
            return
        places = self._places.get(row)
        if not places:
            return
        place = places.pop()
        if not places:
            del self._places[row]
        if kind == 1:
            self._freed = place
            self._rows[place] = ()
        else:
            del self._rows[place]

    def _end(self) -> int:
        self._next += 1
        if len(self._rows) >= _KEPT_ROWS:
            self._forget(next(iter(self._rows)))
        return self._next

    def _forget(self, place: int) -> None:
        places = self._places.get(self._rows.pop(place), [])
        if place in places:
            places.remove(place)

    def part(self, first: int, count: int) -> list[tuple[str, ...]]:
        """Some rows, in order."""
        return list(itertools.islice(self._rows.values(), first, first + count))


class TableView:
    """The rows as they are now: changes are applied to a table that is drawn again in place. Q leaves."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._columns = [name for name, _ in result.columns()]
        self._rows = CurrentRows()
        self._top: int | None = None  # None: follows the end
        self._ended = False
        self._started = time.monotonic()

    def run(self) -> None:
        """Until Q, or Ctrl-C, which both end the query."""
        print("\x1b[?1049h\x1b[?25l", end="")
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
            print("\x1b[?25h\x1b[?1049l", end="", flush=True)
            self._result.close()
            print(f"[INFO] {'Result' if self._ended else 'Query'} left: {self._counts()} received.\n", flush=True)

    def _counts(self) -> str:
        return f"{_counted(len(self._rows), 'row')}, {_counted(self._rows.changes, 'change')}"

    def _fetch(self) -> None:
        deadline = time.monotonic() + _REFRESH_S
        while not self._ended and time.monotonic() < deadline:
            rows = self._result.next_texts(50)
            if rows is None:
                self._ended = True
                return
            for kind, cells in rows:
                self._rows.apply(kind, cells)
            if not rows:
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
        shown = [row or ("",) * len(self._columns) for row in self._rows.part(top, page)]
        widths = [min(_MAX_CELL, max([len(name), *(len(row[i]) for row in shown)])) for i, name in enumerate(self._columns)]
        width = os.get_terminal_size().columns
        state = "finished" if self._ended else f"running {time.monotonic() - self._started:.0f} s"
        place = f"rows {top + 1} to {top + len(shown)}" if shown else "no rows yet" if not self._ended else "no rows"
        lines = [f"SQL query result (table) | {state} | {place} of {self._counts()}"[:width], ""]
        lines.append("\x1b[7m" + _line(self._columns, widths)[:width].ljust(width) + "\x1b[0m")
        lines += [_line(row, widths)[:width] for row in shown]
        lines += [""] * (page - len(shown))
        lines.append("Q leave   up/down, PgUp/PgDn, n/p page   g first   e last"[:width])
        print("\x1b[H" + "\n".join(line + "\x1b[K" for line in lines) + "\x1b[J", end="", flush=True)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    texts = (cell.replace("\n", "\\n") for cell in cells)
    return " " + "  ".join((c if len(c) <= w else c[: w - 3] + "...").rjust(w) for c, w in zip(texts, widths))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


class ChangelogView:
    """Every change on a line, as it comes. Q or Ctrl-C leaves."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def run(self) -> None:
        """Until the query ends or is left."""
        changes = -1  # the first line is the header
        try:
            with _Keyboard() as keyboard:
                while (text := self._result.next_text("changelog", 200)) is not None:
                    sys.stdout.write(text)
                    sys.stdout.flush()
                    changes += text.count("\n")
                    if keyboard.key(0) in ("q", "Q"):
                        break
        finally:
            self._result.close()
            print(f"[INFO] {_counted(max(0, changes), 'change')} received.\n", flush=True)
