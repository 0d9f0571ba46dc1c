"""Hosts: the Python side of an operator.

The engine makes one host a subtask and calls it with slices of batches (python/native/python_operator.h). A host has
    open(context)                          before anything else
    process(input, records, keys, states)  rows of one input; keys and states are None where it is not keyed
and, where it needs them, on_watermark(ms), on_timers(domain, time, keys, states), on_wake(now_ms), on_end(input), snapshot(), close().
What it calls `record` in a frame is shown when a user's function fails on it. Results go to context.emit even when a function fails on a
later record: the rows before it have been sent, as in Flink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.conversion import batch_converter
from thalweg.datastream.runtime.function_copy import own_copy

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["FunctionHost", "Host", "identity", "iterated"]


def identity(records: list[Any]) -> list[Any]:
    """The converter of streams without a type."""
    return records


def iterated(results: Any) -> Iterator[Any]:
    """What a function returned in place of results one by one."""
    try:
        return iter(results)
    except TypeError:
        if hasattr(results, "__iter__"):
            raise
        kind = type(results).__name__
        raise TypeError(
            f"the function returned {results!r} of {kind}, which is no series of results: yield them, or return a list"
        ) from None


class Host:
    """Keeps the context."""

    context: StreamContext

    def open(self, context: StreamContext) -> None:
        """Called once."""
        self.context = context

    def process(self, input_number: int, records: list[Any], keys: list[Any] | None, states: list[dict[str, Any]] | None) -> None:
        """Works on some rows."""
        raise NotImplementedError


class FunctionHost(Host):
    """A host of one user function, which it opens and closes, and of the type of its results."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        self.function = own_copy(function)
        self.convert: Callable[[list[Any]], list[Any]] = batch_converter(output_type) or identity
        self._is_open = False

    def open(self, context: StreamContext) -> None:
        super().open(context)
        open_function = getattr(self.function, "open", None)
        self._is_open = True
        if open_function is not None:
            open_function(self.runtime_context())

    def runtime_context(self) -> Any:
        """What the function's open() gets."""
        from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext

        return OperatorRuntimeContext(self.context)

    def close(self) -> None:
        """Called after the last row, also after a failure."""
        close_function = getattr(self.function, "close", None)
        if self._is_open and close_function is not None:
            self._is_open = False
            close_function()
