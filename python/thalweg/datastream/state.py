"""State of user functions: what they declare (descriptors), what they get (handles), how long it lives (TTL)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import TypeInformation, Types
from thalweg.datastream.state_ttl import StateTtlConfig

if TYPE_CHECKING:
    from thalweg.datastream.functions import AggregateFunction, ReduceFunction

__all__ = [
    "AggregatingState", "AggregatingStateDescriptor", "BroadcastState", "ListState", "ListStateDescriptor", "MapState",
    "MapStateDescriptor", "OperatorStateStore", "ReadOnlyBroadcastState", "ReducingState", "ReducingStateDescriptor", "StateTtlConfig",
    "ValueState", "ValueStateDescriptor",
]  # fmt: skip

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")
IN = TypeVar("IN")
OUT = TypeVar("OUT")


class OperatorStateStore(ABC):
    """State of a subtask that belongs to no key."""

    @abstractmethod
    def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
        """The broadcast state of this name; all subtasks keep the same."""


class State(ABC):
    """Base of state handles. A handle always speaks of the key (and window) of the record at hand."""

    @abstractmethod
    def clear(self) -> None:
        """Forgets the state of the current key."""


class ValueState(State, Generic[T]):
    """One value a key."""

    @abstractmethod
    def value(self) -> T:
        """The value, or None where nothing was stored."""

    @abstractmethod
    def update(self, value: T) -> None:
        """Stores `value`; None forgets the state."""


class AppendingState(State, Generic[IN, OUT]):
    """State that things are added to."""

    @abstractmethod
    def get(self) -> OUT:
        """What was added so far; None (an empty list for lists) where nothing was."""

    @abstractmethod
    def add(self, value: IN) -> None:
        """Adds one value."""


class MergingState(AppendingState[IN, OUT]):
    """State that can be merged with another of its kind, as session windows do."""


class ReducingState(MergingState[T, T]):
    """One value a key, to which others are added by a ReduceFunction."""


class AggregatingState(MergingState[IN, OUT]):
    """One accumulator a key, to which values are added by an AggregateFunction; `get` gives its result."""


class ListState(MergingState[T, Iterable[T]]):
    """A list a key."""

    @abstractmethod
    def update(self, values: list[T]) -> None:
        """Replaces the list."""

    @abstractmethod
    def add_all(self, values: list[T]) -> None:
        """Adds `values` at the end."""

    def __iter__(self) -> Iterator[T]:
        return iter(self.get())


class MapState(State, Generic[K, V]):
    """A map a key. Also reads as a dict: `state[k]`, `state[k] = v`, `del state[k]`, `k in state`, `for k in state`."""

    @abstractmethod
    def get(self, key: K) -> V:
        """The value at `key`, or None."""

    @abstractmethod
    def put(self, key: K, value: V) -> None:
        """Stores `value` at `key`."""

    @abstractmethod
    def put_all(self, dict_value: dict[K, V]) -> None:
        """Stores every entry of `dict_value`."""

    @abstractmethod
    def remove(self, key: K) -> None:
        """Forgets `key`; nothing happens where it is not there."""

    @abstractmethod
    def contains(self, key: K) -> bool:
        """Whether `key` is there."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """The entries, in the order in which their keys came."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """The keys."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """The values."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there are no entries."""

    def __getitem__(self, key: K) -> V:
        return self.get(key)

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


class ReadOnlyBroadcastState(State, Generic[K, V]):
    """Broadcast state as the other side sees it: to be read, its values not to be changed."""

    @abstractmethod
    def get(self, key: K) -> V:
        """The value at `key`, or None."""

    @abstractmethod
    def contains(self, key: K) -> bool:
        """Whether `key` is there."""

    @abstractmethod
    def items(self) -> Iterable[tuple[K, V]]:
        """The entries."""

    @abstractmethod
    def keys(self) -> Iterable[K]:
        """The keys."""

    @abstractmethod
    def values(self) -> Iterable[V]:
        """The values."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there are no entries."""

    def __getitem__(self, key: K) -> V:
        return self.get(key)

    def __contains__(self, key: K) -> bool:
        return self.contains(key)

    def __iter__(self) -> Iterator[K]:
        return iter(self.keys())


class BroadcastState(ReadOnlyBroadcastState[K, V]):
    """Broadcast state as its own side sees it. Every subtask gets the same elements and must store the same."""

    @abstractmethod
    def put(self, key: K, value: V) -> None:
        """Stores `value` at `key`."""

    @abstractmethod
    def put_all(self, dict_value: dict[K, V]) -> None:
        """Stores every entry of `dict_value`."""

    @abstractmethod
    def remove(self, key: K) -> None:
        """Forgets `key`."""

    def __setitem__(self, key: K, value: V) -> None:
        self.put(key, value)

    def __delitem__(self, key: K) -> None:
        self.remove(key)


class StateDescriptor(ABC):
    """Name and type of a state; the name is what a savepoint finds it by."""

    def __init__(self, name: str, type_info: TypeInformation) -> None:
        self.name = name
        self.type_info = type_info
        self._ttl_config: StateTtlConfig | None = None

    def get_name(self) -> str:
        """The state's name."""
        return self.name

    def enable_time_to_live(self, ttl_config: StateTtlConfig) -> None:
        """Lets values expire as `ttl_config` says."""
        self._ttl_config = ttl_config


class ValueStateDescriptor(StateDescriptor):
    """One value a key."""

    def __init__(self, name: str, value_type_info: TypeInformation) -> None:
        super().__init__(name, value_type_info)


class ListStateDescriptor(StateDescriptor):
    """A list a key."""

    def __init__(self, name: str, elem_type_info: TypeInformation) -> None:
        super().__init__(name, Types.LIST(elem_type_info))


class MapStateDescriptor(StateDescriptor):
    """A map a key."""

    def __init__(self, name: str, key_type_info: TypeInformation, value_type_info: TypeInformation) -> None:
        super().__init__(name, Types.MAP(key_type_info, value_type_info))


class ReducingStateDescriptor(StateDescriptor):
    """One reduced value a key. `reduce_function` is a ReduceFunction or a callable of two values.

    Raises TypeError for anything else.
    """

    def __init__(self, name: str, reduce_function: Any, type_info: TypeInformation) -> None:
        from thalweg.datastream.functions import ReduceFunction, ReduceFunctionWrapper

        super().__init__(name, type_info)
        if isinstance(reduce_function, type) and issubclass(reduce_function, ReduceFunction):
            reduce_function = reduce_function()  # Flink's own triggers pass the class
        if not isinstance(reduce_function, ReduceFunction):
            if not callable(reduce_function):
                raise TypeError("The input must be a ReduceFunction or a callable function!")
            reduce_function = ReduceFunctionWrapper(reduce_function)
        self._reduce_function: ReduceFunction = reduce_function

    def get_reduce_function(self) -> ReduceFunction:
        """The function that combines two values."""
        return self._reduce_function


class AggregatingStateDescriptor(StateDescriptor):
    """One accumulator a key; `state_type_info` is the accumulator's type.

    Raises TypeError where `agg_function` is no AggregateFunction.
    """

    def __init__(self, name: str, agg_function: Any, state_type_info: TypeInformation) -> None:
        from thalweg.datastream.functions import AggregateFunction

        super().__init__(name, state_type_info)
        if not isinstance(agg_function, AggregateFunction):
            raise TypeError("The input must be a pyflink.datastream.functions.AggregateFunction!")
        self._agg_function: AggregateFunction = agg_function

    def get_agg_function(self) -> AggregateFunction:
        """The function that adds, merges and gives the result."""
        return self._agg_function


use_flink_names(globals())
