"""Expression methods on times: intervals, parts of times, bounds of windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalweg.table.expression_numeric import unary
from thalweg.table.expression_tree import ExpressionBase, symbol

if TYPE_CHECKING:
    from thalweg.table.expression import Expression
    from thalweg.table.expression_symbols import TimeIntervalUnit


def interval(unit: str, factor: int, doc: str) -> property:
    """A property that makes `factor` units of time of a number; milliseconds are unit MILLISECOND."""

    def make(self: ExpressionBase) -> Expression:
        tree = self._tree
        if tree[0] == "lit" and isinstance(tree[1], int) and not isinstance(tree[1], bool):
            return self._make(_literal_interval(tree[1] * factor, unit))
        return self._call("*", self._make(_literal_interval(factor, unit)))

    return property(make, doc=doc)


def _literal_interval(count: int, unit: str) -> tuple[object, ...]:
    if unit != "MILLISECOND":
        return ("interval", str(count), unit, None)
    seconds, millis = divmod(abs(count), 1000)
    sign = "-" if count < 0 else ""
    return ("interval", f"{sign}{seconds}.{millis:03}", "SECOND", None)


class TemporalExpressions(ExpressionBase):
    """Times."""

    __slots__ = ()

    start = unary("$START", "The start of a window.")
    end = unary("$END", "The end of a window, exclusive.")
    rowtime = unary("$ROWTIME", "A window's event time attribute.")
    proctime = unary("$PROCTIME", "A window's processing time attribute.")

    year = interval("YEAR", 1, "So many years.")
    years = interval("YEAR", 1, "So many years.")
    quarter = interval("MONTH", 3, "So many times three months.")
    quarters = interval("MONTH", 3, "So many times three months.")
    month = interval("MONTH", 1, "So many months.")
    months = interval("MONTH", 1, "So many months.")
    week = interval("DAY", 7, "So many times seven days.")
    weeks = interval("DAY", 7, "So many times seven days.")
    day = interval("DAY", 1, "So many days.")
    days = interval("DAY", 1, "So many days.")
    hour = interval("HOUR", 1, "So many hours.")
    hours = interval("HOUR", 1, "So many hours.")
    minute = interval("MINUTE", 1, "So many minutes.")
    minutes = interval("MINUTE", 1, "So many minutes.")
    second = interval("SECOND", 1, "So many seconds.")
    seconds = interval("SECOND", 1, "So many seconds.")
    milli = interval("MILLISECOND", 1, "So many milliseconds.")
    millis = interval("MILLISECOND", 1, "So many milliseconds.")

    @property
    def to_date(self) -> Expression:
        """The text yyyy-MM-dd as a DATE."""
        return self._make(("cast", self._tree, "DATE"))

    @property
    def to_time(self) -> Expression:
        """The text HH:mm:ss as a TIME."""
        return self._make(("cast", self._tree, "TIME(0)"))

    @property
    def to_timestamp(self) -> Expression:
        """The text yyyy-MM-dd HH:mm:ss[.SSS] as a TIMESTAMP(3)."""
        return self._make(("cast", self._tree, "TIMESTAMP(3)"))

    def extract(self, time_interval_unit: TimeIntervalUnit) -> Expression:
        """A part of a time: EXTRACT(unit FROM time)."""
        return self._make(("call", "EXTRACT", (symbol(time_interval_unit.value), self._tree)))
