"""Windows of the Table API: Tumble, Slide, Session, Over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.expression import Expression
from thalweg.table.expression_tree import Tree, to_tree
from thalweg.table.projection import check_columns
from thalweg.util.exceptions import ValidationException

__all__ = ["GroupWindow", "Over", "OverWindow", "Session", "Slide", "Tumble"]


class GroupWindow:
    """A named window for `Table.window`. `function` and `arguments` are those of SQL's group window: TUMBLE(time, size)."""

    def __init__(self, java_window: tuple[str, Tree, tuple[Tree, ...], str]) -> None:
        self._function, self._time, self._arguments, self._alias = java_window

    def _key(self) -> Tree:
        return ("call", self._function, (self._time, *self._arguments))

    def _check(self, columns: Sequence[tuple[str, str]], is_streaming: bool) -> None:
        """Raises what Flink's Table API says of a window that cannot be; the engine speaks of SQL's functions."""
        expected = "A group window expects a time attribute for grouping"
        if self._time[0] != "col":
            raise ValidationException(f"{expected}.")
        found = next((kind for name, kind in columns if name == self._time[1]), None)
        if found is None:
            names = ", ".join(name for name, _ in columns)
            raise ValidationException(f"Cannot resolve field [{self._time[1]}], input field list:[{names}].")
        if is_streaming and not any(mark in found for mark in ("*ROWTIME*", "*PROCTIME*")):
            raise ValidationException(f"{expected} in a stream environment.")
        if not is_streaming and not found.startswith(("TIMESTAMP", "BIGINT")):
            raise ValidationException(f"{expected} in a batch environment.")
        words, accepted = _WINDOW_WORDS[self._function], "a day-time interval" + ("" if self._function == "SESSION" else " or BIGINT")
        kinds = [_kind_of(argument) for argument in self._arguments]
        for kind, (article, _, part) in zip(kinds, words):
            if kind == "":
                raise ValidationException(f"{article} window expects a {part} value literal.")
        _, start, part = words[-1]
        if kinds[-1] not in (("time",) if self._function == "SESSION" else ("time", "rows")):
            raise ValidationException(f"{start} window expects a {part} literal of {accepted} type.")
        if len(set(kinds)) > 1:
            raise ValidationException("A sliding window expects the same type of size and slide.")

    def _bound(self, bound: str) -> Tree:
        """The auxiliary function of SQL: TUMBLE_START and so on."""
        return ("call", f"{self._function}_{bound}", (self._time, *self._arguments))


# How Flink calls each argument of a window.
_WINDOW_WORDS = {
    "TUMBLE": [("A tumble", "Tumbling", "size")],
    "HOP": [("A sliding", "A sliding", "slide"), ("A sliding", "A sliding", "size")],
    "SESSION": [("A session", "A session", "gap")],
}


def _kind_of(argument: Tree) -> str:
    """A literal's kind: "time", "rows" or "other"; "" for what is no literal."""
    if argument[0] == "interval":
        return "other" if any(unit in ("MONTH", "QUARTER", "YEAR") for unit in argument[2:]) else "time"
    if argument[0] == "call":
        return "rows" if argument[1] == "$ROW_INTERVAL" else ""
    if argument[0] == "lit":
        return "rows" if str(argument[2]).startswith("BIGINT") else "other"
    return ""


class _OnTime:
    """Last step of a window: its name."""

    def __init__(self, function: str, time: Tree, arguments: tuple[Tree, ...]) -> None:
        self._window = (function, time, arguments)

    def alias(self, alias: str) -> GroupWindow:
        """Names the window; `group_by` and `select` refer to it by `col(alias)`."""
        name = alias if isinstance(alias, str) else to_tree(alias)[1]
        return GroupWindow((*self._window, name))


class TumbleWithSizeOnTime(_OnTime):
    """A tumbling window with size and time."""


class SlideWithSizeAndSlideOnTime(_OnTime):
    """A sliding window with size, slide and time."""


class SessionWithGapOnTime(_OnTime):
    """A session window with gap and time."""


class TumbleWithSize:
    """A tumbling window with its size."""

    def __init__(self, tumble_with_size: Tree) -> None:
        self._size = tumble_with_size

    def on(self, time_field: Expression) -> TumbleWithSizeOnTime:
        """The time attribute to group by: event time or processing time."""
        return TumbleWithSizeOnTime("TUMBLE", to_tree(time_field), (self._size,))


class Tumble:
    """Windows of one length, one after the other: `Tumble.over(lit(10).minutes).on(col("ts")).alias("w")`."""

    @classmethod
    def over(cls, size: Expression) -> TumbleWithSize:
        """The length: an interval of time or `row_interval`."""
        return TumbleWithSize(to_tree(size))


class SessionWithGap:
    """A session window with its gap."""

    def __init__(self, session_with_gap: Tree) -> None:
        self._gap = session_with_gap

    def on(self, time_field: Expression) -> SessionWithGapOnTime:
        """The time attribute to group by: event time or processing time."""
        return SessionWithGapOnTime("SESSION", to_tree(time_field), (self._gap,))


class Session:
    """Windows that end when nothing came for a while: `Session.with_gap(lit(10).minutes).on(col("ts")).alias("w")`."""

    @classmethod
    def with_gap(cls, gap: Expression) -> SessionWithGap:
        """The pause that ends a session."""
        return SessionWithGap(to_tree(gap))


class SlideWithSizeAndSlide:
    """A sliding window with size and slide."""

    def __init__(self, slide_with_size_and_slide: tuple[Tree, Tree]) -> None:
        self._size, self._slide = slide_with_size_and_slide

    def on(self, time_field: Expression) -> SlideWithSizeAndSlideOnTime:
        """The time attribute to group by: event time or processing time."""
        return SlideWithSizeAndSlideOnTime("HOP", to_tree(time_field), (self._slide, self._size))


class SlideWithSize:
    """A sliding window with its size."""

    def __init__(self, slide_with_size: Tree) -> None:
        self._size = slide_with_size

    def every(self, slide: Expression) -> SlideWithSizeAndSlide:
        """How far apart the windows start."""
        return SlideWithSizeAndSlide((self._size, to_tree(slide)))


class Slide:
    """Windows that overlap: `Slide.over(lit(10).minutes).every(lit(5).minutes).on(col("ts")).alias("w")`."""

    @classmethod
    def over(cls, size: Expression) -> SlideWithSize:
        """The length: an interval of time or `row_interval`."""
        return SlideWithSize(to_tree(size))


class OverWindow:
    """A named OVER window."""

    def __init__(self, java_over_window: dict[str, Any]) -> None:
        self._alias: str = java_over_window["alias"]
        self._partition: tuple[Tree, ...] = java_over_window.get("partition", ())
        self._order: Tree = java_over_window["order"]
        self._preceding: Tree | None = java_over_window.get("preceding")
        self._following: Tree | None = java_over_window.get("following")

    def _check(self, columns: Sequence[str]) -> None:
        """Raises what Flink's Table API says of a window that cannot be; the engine speaks of SQL's clauses."""
        for tree in (*self._partition, self._order):
            check_columns(tree, columns)
        bounds = [bound for bound in (self._preceding, self._following) if bound is not None]
        if len({_is_rows(bound) for bound in bounds}) > 1:
            raise ValidationException("Preceding and following must be of same interval type: rows, or a range of time.")

    def _tree(self, operand: Tree) -> Tree:
        """`operand` over this window. Without bounds: all rows up to and with the current row's time."""
        rows = any(_is_rows(bound) for bound in (self._preceding, self._following))
        lower = "UNBOUNDED" if self._preceding is None else _bound(self._preceding)
        upper = "CURRENT" if self._following is None else _bound(self._following)
        return ("over", operand, self._partition, (self._order,), "ROWS" if rows else "RANGE", lower, upper)


def _is_rows(bound: Tree | None) -> bool:
    if bound is None:
        return False
    return bound[0::2] == ("bound", "ROWS") or bound[:2] == ("call", "$ROW_INTERVAL")


def _bound(bound: Tree) -> Any:
    if bound[0] == "bound":
        return bound[1]
    if bound[0] == "call" and bound[1] == "$ROW_INTERVAL":
        return bound[2][0]
    return bound


class OverWindowPartitionedOrderedPreceding:
    """An OVER window with its lower bound."""

    def __init__(self, over_window: dict[str, Any]) -> None:
        self._window = over_window

    def alias(self, alias: str) -> OverWindow:
        """Names the window; `select` refers to it by `.over(col(alias))`."""
        return OverWindow({**self._window, "alias": alias if isinstance(alias, str) else to_tree(alias)[1]})

    def following(self, following: Expression) -> OverWindowPartitionedOrderedPreceding:
        """The upper bound."""
        return OverWindowPartitionedOrderedPreceding({**self._window, "following": to_tree(following)})


class OverWindowPartitionedOrdered:
    """An OVER window with partition and order."""

    def __init__(self, over_window: dict[str, Any]) -> None:
        self._window = over_window

    def alias(self, alias: str) -> OverWindow:
        """Names the window; its rows are all up to the current one's time."""
        return OverWindowPartitionedOrderedPreceding(self._window).alias(alias)

    def preceding(self, preceding: Expression) -> OverWindowPartitionedOrderedPreceding:
        """The lower bound: an interval, `row_interval`, UNBOUNDED_RANGE or UNBOUNDED_ROW."""
        return OverWindowPartitionedOrderedPreceding({**self._window, "preceding": to_tree(preceding)})


class OverWindowPartitioned:
    """An OVER window with its partition."""

    def __init__(self, over_window: dict[str, Any]) -> None:
        self._window = over_window

    def order_by(self, order_by: Expression) -> OverWindowPartitionedOrdered:
        """The time attribute that orders the rows."""
        return OverWindowPartitionedOrdered({**self._window, "order": to_tree(order_by)})


class Over:
    """Windows of rows around each row: `Over.partition_by(col("a")).order_by(col("ts")).preceding(lit(1).hours).alias("w")`."""

    @classmethod
    def order_by(cls, order_by: Expression) -> OverWindowPartitionedOrdered:
        """The time attribute that orders the rows; all rows are one partition."""
        return OverWindowPartitionedOrdered({"order": to_tree(order_by)})

    @classmethod
    def partition_by(cls, *partition_by: Expression) -> OverWindowPartitioned:
        """The columns that part the rows."""
        return OverWindowPartitioned({"partition": tuple(to_tree(p) for p in partition_by)})


use_flink_names(globals())
