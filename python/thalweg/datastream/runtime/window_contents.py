"""What a window keeps of its records, by how it will be used: reduced, aggregated, or all of them.

`panes` maps a window's bytes to its contents, for one key.
"""

from __future__ import annotations

from typing import Any, Protocol

from thalweg.datastream.state import AggregatingStateDescriptor, ListStateDescriptor, ReducingStateDescriptor, StateDescriptor
from thalweg.datastream.window_base import Evictor, TimestampedValue, Window

__all__ = ["NOTHING", "Contents", "EvictingContents", "contents_of"]

NOTHING: Any = object()  # what `result` gives where there is nothing to call the function with


class Contents(Protocol):
    """The operations on a window's contents."""

    def add(self, panes: dict[bytes, Any], pane: bytes, value: Any, timestamp: int | None) -> None:
        """Adds a record to the window `pane`."""

    def result(self, kept: Any) -> Any:
        """What the window function is called with, or NOTHING."""

    def merge(self, kept: Any, other: Any) -> Any:
        """The contents of two windows in one."""


class _Reduced:
    """One value."""

    def __init__(self, descriptor: ReducingStateDescriptor) -> None:
        self._reduce = descriptor.get_reduce_function().reduce

    def add(self, panes: dict[bytes, Any], pane: bytes, value: Any, timestamp: int | None) -> None:
        panes[pane] = self._reduce(panes[pane], value) if pane in panes else value

    def result(self, kept: Any) -> Any:
        return kept

    def merge(self, kept: Any, other: Any) -> Any:
        return self._reduce(kept, other)


class _Aggregated:
    """One accumulator. A result of None sends nothing, as in Flink."""

    def __init__(self, descriptor: AggregatingStateDescriptor) -> None:
        self._function = descriptor.get_agg_function()

    def add(self, panes: dict[bytes, Any], pane: bytes, value: Any, timestamp: int | None) -> None:
        accumulator = panes[pane] if pane in panes else self._function.create_accumulator()
        panes[pane] = self._function.add(value, accumulator)

    def result(self, kept: Any) -> Any:
        value = self._function.get_result(kept)
        return NOTHING if value is None else value

    def merge(self, kept: Any, other: Any) -> Any:
        return self._function.merge(kept, other)


class _All:
    """The records, in the order in which they came. The function gets a list of its own."""

    def add(self, panes: dict[bytes, Any], pane: bytes, value: Any, timestamp: int | None) -> None:
        if pane in panes:
            panes[pane].append(value)
        else:
            panes[pane] = [value]

    def result(self, kept: Any) -> Any:
        return list(kept)

    def merge(self, kept: Any, other: Any) -> Any:
        return kept + other


class EvictingContents:
    """The records with their times, since an evictor decides at each firing which of them count."""

    def __init__(self, inner: Contents, evictor: Evictor[Any, Any], context: Evictor.EvictorContext) -> None:
        self._inner = inner
        self._evictor = evictor
        self._context = context

    def add(self, panes: dict[bytes, Any], pane: bytes, value: Any, timestamp: int | None) -> None:
        if pane in panes:
            panes[pane].append((value, timestamp))
        else:
            panes[pane] = [(value, timestamp)]

    def result(self, kept: Any) -> Any:
        """Folds the records as if they had come just now."""
        panes: dict[bytes, Any] = {}
        for value, timestamp in kept:
            self._inner.add(panes, b"", value, timestamp)
        if panes:
            return self._inner.result(panes[b""])
        return [] if isinstance(self._inner, _All) else NOTHING

    def merge(self, kept: Any, other: Any) -> Any:
        return kept + other

    def evict_before(self, kept: Any, window: Window) -> list[Any]:
        """The records that the function is to see."""
        return self._evicted(kept, window, self._evictor.evict_before)

    def evict_after(self, kept: Any, window: Window) -> list[Any]:
        """The records that the window is to keep."""
        return self._evicted(kept, window, self._evictor.evict_after)

    def _evicted(self, kept: Any, window: Window, evict: Any) -> list[Any]:
        elements = [TimestampedValue(value, timestamp) for value, timestamp in kept]
        evict(elements, len(elements), window, self._context)
        return [(element.value, element.timestamp) for element in elements]


def contents_of(descriptor: StateDescriptor) -> Contents:
    """The contents that a state descriptor stands for."""
    if isinstance(descriptor, ReducingStateDescriptor):
        return _Reduced(descriptor)
    if isinstance(descriptor, AggregatingStateDescriptor):
        return _Aggregated(descriptor)
    if isinstance(descriptor, ListStateDescriptor):
        return _All()
    raise TypeError(f"Windows keep reducing, aggregating or list state, not {type(descriptor).__name__}")
