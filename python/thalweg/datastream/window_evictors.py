"""Evictors that come ready made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.time import Time
from thalweg.datastream.window_base import Evictor, TimestampedValue, Window
from thalweg.datastream.window_triggers import milliseconds

__all__ = ["CountEvictor", "DeltaEvictor", "TimeEvictor"]

T = TypeVar("T")


class _OneSideEvictor(Evictor[T, Window]):
    """Evicts before the function is called, or after it where `do_evict_after` is set."""

    def __init__(self, do_evict_after: bool) -> None:
        self._do_evict_after = do_evict_after

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        raise NotImplementedError

    def evict_before(self, elements: list[TimestampedValue[T]], size: int, window: Window, ctx: Evictor.EvictorContext) -> None:
        if not self._do_evict_after:
            self._evict(elements)

    def evict_after(self, elements: list[TimestampedValue[T]], size: int, window: Window, ctx: Evictor.EvictorContext) -> None:
        if self._do_evict_after:
            self._evict(elements)


class CountEvictor(_OneSideEvictor[T]):
    """Keeps the last `max_count` records."""

    def __init__(self, max_count: int, do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self._max_count = max_count

    @staticmethod
    def of(max_count: int, do_evict_after: bool = False) -> CountEvictor[Any]:
        """Keeps so many records."""
        return CountEvictor(max_count, do_evict_after)

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        del elements[: max(0, len(elements) - self._max_count)]


class TimeEvictor(_OneSideEvictor[T]):
    """Keeps the records of the last `window_size` milliseconds before the newest one. Records without a time are all kept."""

    def __init__(self, window_size: int, do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self._window_size = window_size

    @staticmethod
    def of(window_size: Time, do_evict_after: bool = False) -> TimeEvictor[Any]:
        """Keeps records no older than that."""
        return TimeEvictor(milliseconds(window_size), do_evict_after)

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        if not elements or elements[0].timestamp is None:
            return
        newest = max(element.timestamp or 0 for element in elements)
        elements[:] = [e for e in elements if e.timestamp is None or e.timestamp > newest - self._window_size]


class DeltaEvictor(_OneSideEvictor[T]):
    """Keeps the records whose distance to the last one is below `threshold`."""

    def __init__(self, threshold: float, delta_function: Callable[[T, T], float], do_evict_after: bool = False) -> None:
        super().__init__(do_evict_after)
        self._threshold = threshold
        self._delta_function = delta_function

    @staticmethod
    def of(threshold: float, delta_function: Callable[[Any, Any], float], do_evict_after: bool = False) -> DeltaEvictor[Any]:
        """Keeps records nearer than `threshold`; `delta_function(old, last)` measures."""
        return DeltaEvictor(threshold, delta_function, do_evict_after)

    def _evict(self, elements: list[TimestampedValue[T]]) -> None:
        if elements:
            last = elements[-1].value
            elements[:] = [e for e in elements if self._delta_function(e.value, last) < self._threshold]


use_flink_names(globals(), "pyflink.datastream.window")
