"""Puts the window operator on the engine: timers of windows become one timer a key and time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.conversion import batch_converter
from thalweg.datastream.runtime.host import identity
from thalweg.datastream.runtime.window_operator import WindowOperator

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation
    from thalweg.datastream.runtime.collector import SideOutputs
    from thalweg.datastream.window_base import WindowOperationDescriptor

__all__ = ["WindowHost"]

_TIMERS = "window-timers"
"""In a key's dict: {(domain, time): namespaces}."""


class _Context:
    """The engine's context as the window operator sees it; `row` is the row at hand."""

    def __init__(self, context: StreamContext, output_type: TypeInformation | None, side_outputs: SideOutputs) -> None:
        self._context = context
        self._convert = {0: batch_converter(output_type) or identity}
        for number, kind in side_outputs.values():
            self._convert[number] = batch_converter(kind) or identity
        self.row = 0
        self.key_row: int | None = None  # the engine's row of all rows, while timers come
        self.states: list[dict[str, Any]] = []
        self.now = context.now
        self.counter = context.counter
        self.gauge = context.gauge
        self.subtask = context.subtask
        self.parallelism = context.parallelism
        self.task_name = context.name
        self.config = context.config
        self.metric_group = context.metric_group

    @property
    def current_watermark(self) -> int:
        """The watermark, or -2**63."""
        return self._context.current_watermark

    def emit(self, records: list[Any], timestamps: list[int | None], tag: int = 0) -> None:
        """Sends records with their times."""
        self._context.emit_at(self._convert[tag](records), timestamps, tag)

    def _engine_row(self) -> int:
        return self.row if self.key_row is None else self.key_row

    def register_timer(self, domain: str, time: int, namespace: bytes) -> None:
        """A timer of a window of the row's key."""
        timers = self.states[self.row].setdefault(_TIMERS, {})
        namespaces = timers.get((domain, time))
        if namespaces is None:
            timers[domain, time] = [namespace]
            self._context.add_timer(domain, self._engine_row(), time)
        elif namespace not in namespaces:
            namespaces.append(namespace)

    def delete_timer(self, domain: str, time: int, namespace: bytes) -> None:
        """Takes it back."""
        state = self.states[self.row]
        timers = state.get(_TIMERS, {})
        namespaces = timers.get((domain, time), [])
        if namespace in namespaces:
            namespaces.remove(namespace)
            if not namespaces:
                del timers[domain, time]
                self._context.delete_timer(domain, self._engine_row(), time)
        if not timers:
            state.pop(_TIMERS, None)


class WindowHost:
    """Hosts one WindowOperator."""

    def __init__(self, descriptor: WindowOperationDescriptor, output_type: TypeInformation | None, side_outputs: SideOutputs) -> None:
        tags = {tag_id: number for tag_id, (number, _) in side_outputs.items()}
        self._operator = WindowOperator(descriptor, tags)
        self._output_type = output_type
        self._side_outputs = side_outputs

    def open(self, context: StreamContext) -> None:
        """Called once."""
        self._engine = context
        self._context = _Context(context, self._output_type, self._side_outputs)
        self._operator.open(self._context)

    def process(self, input_number: int, records: list[Any], keys: list[Any], states: list[dict[str, Any]]) -> None:
        """Takes records of the stream."""
        self._context.states = states
        self._context.key_row = None
        self._operator.process(input_number, records, self._engine.timestamps(), keys, states)

    def on_timers(self, domain: str, time: int, keys: list[Any], states: list[dict[str, Any]]) -> None:
        """The timers of windows of these keys have come."""
        for row, (key, state) in enumerate(zip(keys, states)):
            self._context.key_row = row
            timers = state.get(_TIMERS, {})
            namespaces = timers.pop((domain, time), [])
            if not timers:
                state.pop(_TIMERS, None)
            self._context.states = [state] * len(namespaces)
            if namespaces:
                self._fire(domain, time, key, state, namespaces)

    def _fire(self, domain: str, time: int, key: Any, state: dict[str, Any], namespaces: list[bytes]) -> None:
        count = len(namespaces)
        self._operator.on_timers(domain, time, [key] * count, [state] * count, namespaces)

    def close(self) -> None:
        """Closes the function."""
        self._operator.close()
