"""State that expires: every value is stored with the time of its last access.

A value expires `ttl` milliseconds after that. Reading an expired value drops it; whether the reader still sees it is for the
configuration to say. In lists and maps each element has its own time, as in Flink.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from thalweg.datastream.runtime.conversion import state_converter
from thalweg.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    MapState,
    ReducingState,
    ReducingStateDescriptor,
    StateDescriptor,
    ValueState,
)
from thalweg.datastream.state_ttl import StateTtlConfig

if TYPE_CHECKING:
    from thalweg.datastream.runtime.keyed_state import StateStore

__all__ = ["Timed", "TimedAggregating", "TimedList", "TimedMap", "TimedReducing", "TimedState", "TimedValue"]


class Timed(NamedTuple):
    """A value and the time of its last access, in milliseconds."""

    value: Any
    time: int


class TimedState:
    """What the kinds have in common."""

    def __init__(self, store: StateStore, descriptor: StateDescriptor) -> None:
        config = descriptor._ttl_config
        assert config is not None
        self._store = store
        self._name = descriptor.name
        self._convert = state_converter(descriptor.name, descriptor.type_info)
        self._ttl = config.get_ttl().to_milliseconds()
        self._renew_on_read = config.get_update_type() is StateTtlConfig.UpdateType.OnReadAndWrite
        self._show_expired = config.get_state_visibility() is StateTtlConfig.StateVisibility.ReturnExpiredIfNotCleanedUp

    def _stamp(self, value: Any) -> Timed:
        now = self._store.now()
        if self._store.on_expiry is not None:
            self._store.on_expiry(now + self._ttl)
        return Timed(value, now)

    def _is_expired(self, timed: Timed) -> bool:
        return timed.time + self._ttl <= self._store.now()

    def _stored(self, stored: Any) -> Timed:
        """What is stored; values from a savepoint that was taken without TTL start to age now."""
        return stored if isinstance(stored, Timed) else Timed(stored, self._store.now())

    def _read(self, stored: Any, keep: Callable[[Timed], None], drop: Callable[[], None]) -> Any:
        """The value, or None; renews or drops what is stored."""
        timed = self._stored(stored)
        if self._is_expired(timed):
            drop()
            return timed.value if self._show_expired else None
        if self._renew_on_read:
            keep(self._stamp(timed.value))
        return timed.value

    def clear(self) -> None:
        self._store.current.pop(self._name, None)

    @abstractmethod
    def drop_expired(self) -> None:
        """Drops what has expired of the current key."""


class _OneValue(TimedState):
    """States that hold one value."""

    def _get(self) -> Any:
        stored = self._store.current.get(self._name)
        return None if stored is None else self._read(stored, self._keep, self.clear)

    def _keep(self, timed: Timed) -> None:
        self._store.current[self._name] = timed

    def _fresh(self) -> Any:
        """The value that a new one is added to: never an expired one."""
        stored = self._store.current.get(self._name)
        if stored is None:
            return None
        timed = self._stored(stored)
        return None if self._is_expired(timed) else timed.value

    def drop_expired(self) -> None:
        stored = self._store.current.get(self._name)
        if isinstance(stored, Timed) and self._is_expired(stored):
            self.clear()


class TimedValue(_OneValue, ValueState[Any]):
    """One value."""

    def value(self) -> Any:
        return self._get()

    def update(self, value: Any) -> None:
        if value is None:
            self.clear()
        else:
            self._keep(self._stamp(self._convert(value)))


class TimedReducing(_OneValue, ReducingState[Any]):
    """One reduced value."""

    def __init__(self, store: StateStore, descriptor: ReducingStateDescriptor) -> None:
        super().__init__(store, descriptor)
        self._reduce = descriptor.get_reduce_function().reduce

    def get(self) -> Any:
        return self._get()

    def add(self, value: Any) -> None:
        before = self._fresh()
        self._keep(self._stamp(self._convert(value if before is None else self._reduce(before, value))))


class TimedAggregating(_OneValue, AggregatingState[Any, Any]):
    """One accumulator."""

    def __init__(self, store: StateStore, descriptor: AggregatingStateDescriptor) -> None:
        super().__init__(store, descriptor)
        self._function = descriptor.get_agg_function()

    def get(self) -> Any:
        accumulator = self._get()
        return None if accumulator is None else self._function.get_result(accumulator)

    def add(self, value: Any) -> None:
        accumulator = self._fresh()
        if accumulator is None:
            accumulator = self._function.create_accumulator()
        self._keep(self._stamp(self._convert(self._function.add(value, accumulator))))


class TimedList(TimedState, ListState[Any]):
    """A list of elements that expire one by one."""

    def __init__(self, store: StateStore, descriptor: StateDescriptor) -> None:
        super().__init__(store, descriptor)
        self._convert = state_converter(descriptor.name, descriptor.type_info._parts[0])

    def get(self) -> Iterable[Any]:
        stored = [self._stored(element) for element in self._store.current.get(self._name, ())]
        alive = [element for element in stored if not self._is_expired(element)]
        seen = stored if self._show_expired else alive
        if self._renew_on_read and alive:
            alive = [self._stamp(element.value) for element in alive]
        self._replace(alive)
        return [element.value for element in seen]

    def _replace(self, elements: list[Timed]) -> None:
        if elements:
            self._store.current[self._name] = elements
        else:
            self.clear()

    def add(self, value: Any) -> None:
        stamped = self._stamp(self._convert(value))
        self._store.current.setdefault(self._name, []).append(stamped)

    def update(self, values: list[Any]) -> None:
        self._replace([self._stamp(self._convert(value)) for value in values])

    def add_all(self, values: list[Any]) -> None:
        added = [self._stamp(self._convert(value)) for value in values]
        if added:
            self._store.current.setdefault(self._name, []).extend(added)

    def drop_expired(self) -> None:
        if self._name in self._store.current:
            self._replace([e for e in map(self._stored, self._store.current[self._name]) if not self._is_expired(e)])


class TimedMap(TimedState, MapState[Any, Any]):
    """A map of entries that expire one by one."""

    def __init__(self, store: StateStore, descriptor: StateDescriptor) -> None:
        super().__init__(store, descriptor)
        self._key, self._value = (state_converter(descriptor.name, part) for part in descriptor.type_info._parts)

    def _entries(self) -> dict[Any, Any]:
        entries: dict[Any, Any] = self._store.current.get(self._name, {})
        return entries

    def get(self, key: Any) -> Any:
        stored = self._entries().get(key)
        if stored is None:
            return None
        return self._read(stored, lambda timed: self._entries().__setitem__(key, timed), lambda: self.remove(key))

    def put(self, key: Any, value: Any) -> None:
        key, stamped = self._key(key), self._stamp(self._value(value))
        self._store.current.setdefault(self._name, {})[key] = stamped

    def put_all(self, dict_value: dict[Any, Any]) -> None:
        for key, value in dict_value.items():
            self.put(key, value)

    def remove(self, key: Any) -> None:
        entries = self._entries()
        entries.pop(key, None)
        if not entries:
            self.clear()

    def contains(self, key: Any) -> bool:
        stored = self._entries().get(key)
        return stored is not None and (self._show_expired or not self._is_expired(self._stored(stored)))

    def _alive(self) -> list[tuple[Any, Any]]:
        found = []
        for key, stored in list(self._entries().items()):
            visible = self._show_expired or not self._is_expired(self._stored(stored))
            value = self.get(key)
            if visible:
                found.append((key, value))
        return found

    def items(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._alive())

    def keys(self) -> Iterator[Any]:
        return iter([key for key, _ in self._alive()])

    def values(self) -> Iterator[Any]:
        return iter([value for _, value in self._alive()])

    def is_empty(self) -> bool:
        return not self._alive()

    def drop_expired(self) -> None:
        for key, stored in list(self._entries().items()):
            if isinstance(stored, Timed) and self._is_expired(stored):
                self.remove(key)
