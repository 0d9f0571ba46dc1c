"""Which windows of a key there are when windows merge, and where each keeps its contents.

A merged window keeps its contents where one of its parts had them, so that merging moves as little as possible: {window: state window}.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from thalweg.datastream.window_assigners import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
)
from thalweg.datastream.window_base import MergingWindowAssigner

__all__ = ["add_window"]

_SESSIONS = (
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
)

OnMerge = Callable[[Any, list[Any], Any, list[Any]], None]
"""(merged window, its parts, the state window that stays, the state windows that go into it)"""


class _Collector(MergingWindowAssigner.MergeCallback[Any]):
    """Notes what the assigner wants merged."""

    def __init__(self) -> None:
        self.found: list[tuple[Any, list[Any]]] = []

    def merge(self, to_be_merged: Iterable[Any], merge_result: Any) -> None:
        self.found.append((merge_result, list(to_be_merged)))


def _holder(assigner: Any, mapping: dict[Any, Any], window: Any) -> Any:
    """A session that holds `window` whole, so that nothing merges: the common case."""
    if type(assigner) in _SESSIONS:
        for other in mapping:
            if other.start <= window.start and window.end <= other.end:
                return other
    return None


def add_window(assigner: MergingWindowAssigner[Any, Any], mapping: dict[Any, Any], window: Any, on_merge: OnMerge) -> Any:
    """Adds `window` to the windows of a key and merges what is to be merged; gives the window that it became part of.

    `on_merge` is called for each merge, `mapping` being up to date.
    """
    holder = _holder(assigner, mapping, window)
    if holder is not None:
        return holder
    collector = _Collector()
    assigner.merge_windows([*mapping, window], collector)
    result = window
    for merged, parts in collector.found:
        if window in parts:
            result = merged
            if window not in mapping:
                parts.remove(window)  # it has neither contents nor timers yet
        states = [mapping.pop(part) for part in _in_order(parts) if part in mapping]
        mapping[merged] = states[0] if states else merged
        if parts != [merged]:
            on_merge(merged, parts, mapping[merged], states[1:])
    if result not in mapping:
        mapping[result] = result
    return result


def _in_order(windows: list[Any]) -> list[Any]:
    """Sorted where windows can be: which part keeps the contents must not depend on hashes."""
    try:
        return sorted(windows)
    except TypeError:
        return windows
