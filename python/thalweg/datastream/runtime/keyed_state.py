"""State handles over the dict that the engine keeps for a key.

The engine owns one dict a key, {state name: value}. A store is pointed at the dict of the record at hand by setting `current`; its
handles then speak of that key. A state that becomes empty leaves the dict, so that a key without state leaves the engine's table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from thalweg.datastream.function_base import KeyedStateStore
from thalweg.datastream.runtime import timed_state
from thalweg.datastream.runtime.conversion import state_converter
from thalweg.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    State,
    StateDescriptor,
    ValueState,
    ValueStateDescriptor,
)

__all__ = ["StateStore", "merge_state"]


class StateStore(KeyedStateStore):
    """Gives handles to what is in `current`.

    `now` reads the clock in milliseconds, for values that expire. `on_expiry(time)` is called when a value of the current key is
    written that may be dropped at `time`; whoever owns the store then calls `drop_expired` for that key.
    """

    def __init__(self, now: Callable[[], int], on_expiry: Callable[[int], None] | None = None) -> None:
        self.current: dict[str, Any] = {}
        self.now = now
        self.on_expiry = on_expiry
        self._handles: dict[tuple[type, str], Any] = {}

    def _handle(self, plain: type, timed: type, descriptor: StateDescriptor) -> Any:
        handle = self._handles.get((plain, descriptor.name))
        if handle is None:
            ttl = descriptor._ttl_config
            handle = timed(self, descriptor) if ttl is not None and ttl.is_enabled() else plain(self, descriptor)
            self._handles[plain, descriptor.name] = handle
        return handle

    def get_state(self, state_descriptor: ValueStateDescriptor) -> ValueState[Any]:
        handle: ValueState[Any] = self._handle(_Value, timed_state.TimedValue, state_descriptor)
        return handle

    def get_list_state(self, state_descriptor: ListStateDescriptor) -> ListState[Any]:
        handle: ListState[Any] = self._handle(_List, timed_state.TimedList, state_descriptor)
        return handle

    def get_map_state(self, state_descriptor: MapStateDescriptor) -> MapState[Any, Any]:
        handle: MapState[Any, Any] = self._handle(_Map, timed_state.TimedMap, state_descriptor)
        return handle

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor) -> ReducingState[Any]:
        handle: ReducingState[Any] = self._handle(_Reducing, timed_state.TimedReducing, state_descriptor)
        return handle

    def get_aggregating_state(self, state_descriptor: AggregatingStateDescriptor) -> AggregatingState[Any, Any]:
        handle: AggregatingState[Any, Any] = self._handle(_Aggregating, timed_state.TimedAggregating, state_descriptor)
        return handle

    def get_any(self, descriptor: StateDescriptor) -> State:
        """The handle of whatever kind `descriptor` names."""
        if isinstance(descriptor, ValueStateDescriptor):
            return self.get_state(descriptor)
        if isinstance(descriptor, ListStateDescriptor):
            return self.get_list_state(descriptor)
        if isinstance(descriptor, MapStateDescriptor):
            return self.get_map_state(descriptor)
        if isinstance(descriptor, ReducingStateDescriptor):
            return self.get_reducing_state(descriptor)
        if isinstance(descriptor, AggregatingStateDescriptor):
            return self.get_aggregating_state(descriptor)
        raise TypeError(f"State {descriptor.name!r} has a descriptor of no known kind: {type(descriptor).__name__}")

    def drop_expired(self) -> None:
        """Drops what has expired of the current key."""
        for handle in self._handles.values():
            if isinstance(handle, timed_state.TimedState):
                handle.drop_expired()

    def shortest_ttl(self) -> int | None:
        """The shortest time to live, in milliseconds, among the states that the current key has; None where none expires."""
        timed = [h for h in self._handles.values() if isinstance(h, timed_state.TimedState) and h._name in self.current]
        return min((handle._ttl for handle in timed), default=None)


class _Value(ValueState[Any]):
    """One value."""

    __slots__ = ("_convert", "_name", "_store")

    def __init__(self, store: StateStore, descriptor: StateDescriptor) -> None:
        self._store = store
        self._name = descriptor.name
        self._convert = state_converter(descriptor.name, descriptor.type_info)

    def value(self) -> Any:
        return self._store.current.get(self._name)

    def update(self, value: Any) -> None:
        if value is None:
            self._store.current.pop(self._name, None)
        else:
            self._store.current[self._name] = self._convert(value)

    def clear(self) -> None:
        self._store.current.pop(self._name, None)


class _List(ListState[Any]):
    """A list. What `get` returns is the caller's: it may add to the state while it reads."""

    __slots__ = ("_convert", "_name", "_store")

    def __init__(self, store: StateStore, descriptor: StateDescriptor) -> None:
        self._store = store
        self._name = descriptor.name
        self._convert = state_converter(descriptor.name, descriptor.type_info._parts[0])

    def get(self) -> Iterable[Any]:
        return list(self._store.current.get(self._name, ()))

    def add(self, value: Any) -> None:
        value = self._convert(value)
        self._store.current.setdefault(self._name, []).append(value)

    def update(self, values: list[Any]) -> None:
        copied = [self._convert(value) for value in values]
        if copied:
            self._store.current[self._name] = copied
        else:
            self.clear()

    def add_all(self, values: list[Any]) -> None:
        added = [self._convert(value) for value in values]
        if added:
            self._store.current.setdefault(self._name, []).extend(added)

    def clear(self) -> None:
        self._store.current.pop(self._name, None)


_EMPTY: dict[Any, Any] = {}


class _Map(MapState[Any, Any]):
    """A map. Iterators see the entries of the moment at which they were made."""

    __slots__ = ("_key", "_name", "_store", "_value")

    def __init__(self, store: StateStore, descriptor: StateDescriptor) -> None:
        self._store = store
        self._name = descriptor.name
        self._key, self._value = (state_converter(descriptor.name, part) for part in descriptor.type_info._parts)

    def _entries(self) -> dict[Any, Any]:
        entries: dict[Any, Any] = self._store.current.get(self._name, _EMPTY)
        return entries

    def get(self, key: Any) -> Any:
        return self._entries().get(key)

    def put(self, key: Any, value: Any) -> None:
        key, value = self._key(key), self._value(value)
        self._store.current.setdefault(self._name, {})[key] = value

    def put_all(self, dict_value: dict[Any, Any]) -> None:
        if dict_value:
            added = {self._key(key): self._value(value) for key, value in dict_value.items()}
            self._store.current.setdefault(self._name, {}).update(added)

    def remove(self, key: Any) -> None:
        entries = self._store.current.get(self._name)
        if entries is not None:
            entries.pop(key, None)
            if not entries:
                self.clear()

    def contains(self, key: Any) -> bool:
        return key in self._entries()

    def items(self) -> Iterator[tuple[Any, Any]]:
        return iter(list(self._entries().items()))

    def keys(self) -> Iterator[Any]:
        return iter(list(self._entries()))

    def values(self) -> Iterator[Any]:
        return iter(list(self._entries().values()))

    def is_empty(self) -> bool:
        return self._name not in self._store.current

    def clear(self) -> None:
        self._store.current.pop(self._name, None)


class _Reducing(ReducingState[Any]):
    """One value that others are reduced into."""

    __slots__ = ("_convert", "_name", "_reduce", "_store")

    def __init__(self, store: StateStore, descriptor: ReducingStateDescriptor) -> None:
        self._store = store
        self._name = descriptor.name
        self._reduce = descriptor.get_reduce_function().reduce
        self._convert = state_converter(descriptor.name, descriptor.type_info)

    def get(self) -> Any:
        return self._store.current.get(self._name)

    def add(self, value: Any) -> None:
        state = self._store.current
        state[self._name] = self._convert(self._reduce(state[self._name], value) if self._name in state else value)

    def clear(self) -> None:
        self._store.current.pop(self._name, None)


class _Aggregating(AggregatingState[Any, Any]):
    """One accumulator."""

    __slots__ = ("_convert", "_function", "_name", "_store")

    def __init__(self, store: StateStore, descriptor: AggregatingStateDescriptor) -> None:
        self._store = store
        self._name = descriptor.name
        self._function = descriptor.get_agg_function()
        self._convert = state_converter(descriptor.name, descriptor.type_info)

    def get(self) -> Any:
        state = self._store.current
        return self._function.get_result(state[self._name]) if self._name in state else None

    def add(self, value: Any) -> None:
        state = self._store.current
        accumulator = state[self._name] if self._name in state else self._function.create_accumulator()
        state[self._name] = self._convert(self._function.add(value, accumulator))

    def clear(self) -> None:
        self._store.current.pop(self._name, None)


def merge_state(descriptor: StateDescriptor, into: dict[str, Any], others: Iterable[dict[str, Any]]) -> None:
    """Merges the state of this descriptor in `others` into that in `into`; the others lose it.

    Raises where the state is a value or a map, which do not merge.
    """
    name = descriptor.name
    for other in others:
        if name not in other:
            continue
        value = other.pop(name)
        if name not in into:
            into[name] = value
        elif isinstance(descriptor, ReducingStateDescriptor):
            into[name] = descriptor.get_reduce_function().reduce(into[name], value)
        elif isinstance(descriptor, AggregatingStateDescriptor):
            into[name] = descriptor.get_agg_function().merge(into[name], value)
        elif isinstance(descriptor, ListStateDescriptor):
            into[name] = into[name] + value
        else:
            raise Exception(f"The given state descriptor does not refer to a mergeable state: {name} ({type(descriptor).__name__})")
