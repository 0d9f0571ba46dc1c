"""Lists and maps inside accumulators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names

__all__ = ["DataView", "ListView", "MapView"]

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class DataView(ABC):
    """A collection in an accumulator."""

    @abstractmethod
    def clear(self) -> None:
        """Removes everything."""


class ListView(DataView, Generic[T]):
    """A list in an accumulator."""

    def __init__(self) -> None:
        self._list: list[T] = []

    def get(self) -> Iterable[T]:
        return self._list

    def add(self, value: T) -> None:
        self._list.append(value)

    def add_all(self, values: list[T]) -> None:
        self._list.extend(values)

    def clear(self) -> None:
        self._list.clear()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ListView) and list(self.get()) == list(other.get())

    def __hash__(self) -> int:
        return hash(tuple(self._list))

    def __iter__(self) -> Iterator[T]:
        return iter(self.get())


class RemovableConcatIterator(Iterator[T]):
    """An iterator over a MapView whose `remove` takes the entry it gave last out of the view."""

    def __init__(self, entries: dict[Any, Any], part: Callable[[tuple[Any, Any]], T]) -> None:
        self._entries = entries
        self._rest = iter(list(entries.items()))
        self._part = part
        self._last: Any = None
        self._has_last = False

    def __iter__(self) -> RemovableConcatIterator[T]:
        return self

    def __next__(self) -> T:
        entry = next(self._rest)
        self._last, self._has_last = entry[0], True
        return self._part(entry)

    def remove(self) -> None:
        """Takes the last entry out; once an entry."""
        if not self._has_last:
            raise StopIteration
        self._has_last = False
        del self._entries[self._last]


class _Entries(Iterable[T]):
    """The keys, values or pairs of a MapView."""

    def __init__(self, entries: dict[Any, Any], part: Callable[[tuple[Any, Any]], T]) -> None:
        self._entries = entries
        self._part = part

    def __iter__(self) -> RemovableConcatIterator[T]:
        return RemovableConcatIterator(self._entries, self._part)

    def __len__(self) -> int:
        return len(self._entries)


class MapView(DataView, Generic[K, V]):
    """A map in an accumulator."""

    def __init__(self) -> None:
        self._dict: dict[K, V] = {}

    def get(self, key: K) -> V:
        return self._dict[key]

    def put(self, key: K, value: V) -> None:
        self._dict[key] = value

    def put_all(self, dict_value: dict[K, V]) -> None:
        self._dict.update(dict_value)

    def remove(self, key: K) -> None:
        del self._dict[key]

    def contains(self, key: K) -> bool:
        return key in self._dict

    def items(self) -> Iterable[tuple[K, V]]:
        return _Entries(self._dict, lambda entry: entry)

    def keys(self) -> Iterable[K]:
        return _Entries(self._dict, lambda entry: entry[0])

    def values(self) -> Iterable[V]:
        return _Entries(self._dict, lambda entry: entry[1])

    def is_empty(self) -> bool:
        return not self._dict

    def clear(self) -> None:
        self._dict.clear()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MapView) and self._dict == other._dict

    def __hash__(self) -> int:
        return id(self)

    def __getitem__(self, key: K) -> V:
        return self.get(key)

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)

    def __contains__(self, key: Any) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


use_flink_names(globals())
