"""Hosts of broadcast process functions: the broadcast state is the subtask's, one dict a descriptor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.datastream.broadcast_functions import BroadcastProcessFunction, KeyedBroadcastProcessFunction
from thalweg.datastream.runtime.collector import SideOutputs
from thalweg.datastream.runtime.conversion import state_converter
from thalweg.datastream.runtime.processing import ElementContext, KeyedElementContext, KeyedProcessHost, ProcessHost
from thalweg.datastream.state import BroadcastState, MapStateDescriptor, ReadOnlyBroadcastState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["BroadcastHost", "KeyedBroadcastHost"]


class _ReadOnly(ReadOnlyBroadcastState[Any, Any]):
    """Reads a dict."""

    def __init__(self, entries: dict[Any, Any]) -> None:
        self._entries = entries

    def get(self, key: Any) -> Any:
        return self._entries.get(key)

    def contains(self, key: Any) -> bool:
        return key in self._entries

    def items(self) -> Iterable[tuple[Any, Any]]:
        return list(self._entries.items())

    def keys(self) -> Iterable[Any]:
        return list(self._entries)

    def values(self) -> Iterable[Any]:
        return list(self._entries.values())

    def is_empty(self) -> bool:
        return not self._entries

    def clear(self) -> None:
        self._entries.clear()


class _Writable(_ReadOnly, BroadcastState[Any, Any]):
    """Writes it."""

    def __init__(self, entries: dict[Any, Any], descriptor: MapStateDescriptor) -> None:
        super().__init__(entries)
        self._key, self._value = (state_converter(descriptor.name, part) for part in descriptor.type_info._parts)

    def put(self, key: Any, value: Any) -> None:
        self._entries[self._key(key)] = self._value(value)

    def put_all(self, dict_value: dict[Any, Any]) -> None:
        self._entries.update({self._key(key): self._value(value) for key, value in dict_value.items()})

    def remove(self, key: Any) -> None:
        self._entries.pop(key, None)


class _States:
    """The broadcast states of a subtask, by name."""

    def __init__(self, context: StreamContext, names: list[str]) -> None:
        self._dicts = {name: context.operator_state(f"broadcast:{name}") for name in names}

    def of(self, descriptor: MapStateDescriptor) -> dict[Any, Any]:
        """The state's dict."""
        found = self._dicts.get(descriptor.name)
        if found is None:
            raise ValueError(
                "The requested state does not exist. Check for typos in your state descriptor, or specify the state descriptor in the "
                f"datastream.broadcast(...) call if you forgot to register it: {descriptor.name!r}"
            )
        return found


class _Reading(ElementContext, BroadcastProcessFunction.ReadOnlyContext):
    """The side of the stream."""

    states: _States

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
        return _ReadOnly(self.states.of(state_descriptor))


class _KeyedReading(KeyedElementContext, KeyedBroadcastProcessFunction.OnTimerContext):
    """The side of a keyed stream."""

    states: _States

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
        return _ReadOnly(self.states.of(state_descriptor))


class _Writing(ElementContext, BroadcastProcessFunction.Context, KeyedBroadcastProcessFunction.Context):
    """The side that is broadcast."""

    states: _States

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
        return _Writable(self.states.of(state_descriptor), state_descriptor)


class BroadcastHost(ProcessHost):
    """process_element and process_broadcast_element."""

    def __init__(self, function: Any, output_type: TypeInformation | None, side_outputs: SideOutputs, names: list[str]) -> None:
        super().__init__(function, output_type, side_outputs)
        self._methods = [self.function.process_element, self.function.process_broadcast_element]
        self._names = names

    def open(self, context: StreamContext) -> None:
        self.states = _States(context, self._names)
        super().open(context)
        self._writing = _Writing(context, self.timers)
        self._writing.states = self.states

    def make_element_context(self, context: StreamContext) -> ElementContext:
        element = _Reading(context, self.timers)
        element.states = self.states
        return element

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if input_number == 0:
            super().process(0, records, keys, states)
        else:
            process_broadcast(self, self._writing, records)


def process_broadcast(host: ProcessHost, writing: ElementContext, records: list[Any]) -> None:
    """Calls process_broadcast_element with each record."""
    writing.times = None
    call = host._methods[1]
    try:
        for row, record in enumerate(records):
            host.timers.row = row
            host.collector.add(row, call(record, writing))
    finally:
        host.collector.send()


class KeyedBroadcastHost(KeyedProcessHost):
    """The same where the stream has keys."""

    def __init__(self, function: Any, output_type: TypeInformation | None, side_outputs: SideOutputs, names: list[str]) -> None:
        super().__init__(function, output_type, side_outputs)
        self._methods = [self.function.process_element, self.function.process_broadcast_element]
        self._names = names

    def open(self, context: StreamContext) -> None:
        self.states = _States(context, self._names)
        super().open(context)
        self._writing = _Writing(context, self.timers)
        self._writing.states = self.states

    def make_element_context(self, context: StreamContext) -> KeyedElementContext:
        element = _KeyedReading(context, self.timers)
        element.states = self.states
        return element

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if input_number == 0:
            super().process(0, records, keys, states)
        else:
            process_broadcast(self, self._writing, records)
