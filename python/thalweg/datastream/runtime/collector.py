"""Gathers the results of process functions: the main output's and those of side outputs."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from thalweg.datastream.output_tag import OutputTag
from thalweg.datastream.runtime.conversion import batch_converter
from thalweg.datastream.runtime.host import iterated
from thalweg.datastream.runtime.sharing import IMMUTABLE, detached

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["Collector", "SideOutputs"]

SideOutputs = dict[str, tuple[int, "TypeInformation | None"]]
"""By tag_id: the number under which the engine knows it, and its type."""


class _Gathered:
    """Results of one output with the rows that they came from."""

    __slots__ = ("convert", "results", "rows", "tag")

    def __init__(self, tag: int, convert: Callable[[list[Any]], list[Any]] | None) -> None:
        self.tag = tag
        self.convert = convert
        self.results: list[Any] = []
        self.rows: list[int] = []

    def send(self, context: StreamContext) -> None:
        if not self.results:
            return
        results, rows = self.results[:], self.rows[:]
        self.results.clear()
        self.rows.clear()
        context.emit(results if self.convert is None else self.convert(results), rows, self.tag)


class Collector:
    """Results go in by `add`, and to the engine when there are many or `send` is called. Those of tags that nobody reads are dropped."""

    LIMIT = 4096

    def __init__(self, output_type: TypeInformation | None, side_outputs: SideOutputs) -> None:
        self.context: StreamContext | None = None
        self._main = _Gathered(0, batch_converter(output_type))
        self._sides = {tag_id: _Gathered(tag, batch_converter(kind)) for tag_id, (tag, kind) in side_outputs.items()}

    def add(self, row: int, results: Any) -> None:
        """What a function returned for one row: an iterable, or None."""
        if results is None:
            return
        main, rows = self._main.results, self._main.rows
        for result in iterated(results):
            if type(result) is tuple and len(result) == 2 and type(result[0]) is OutputTag:
                side = self._sides.get(result[0].tag_id)
                if side is not None:
                    side.results.append(deepcopy(result[1]) if type(result[1]) not in IMMUTABLE else result[1])
                    side.rows.append(row)
            else:
                main.append(result if type(result) in IMMUTABLE else detached(result))
                rows.append(row)
            if len(main) >= self.LIMIT:
                self.send()

    def send(self) -> None:
        """Sends what there is."""
        assert self.context is not None
        try:
            self._main.send(self.context)
        finally:
            for side in self._sides.values():
                side.send(self.context)
