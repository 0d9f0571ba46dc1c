"""Hosts of map, flat_map, filter and their two-input kin on keyed streams, where they may use state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from thalweg.common.types import Row
from thalweg.datastream.runtime.function_copy import method_of
from thalweg.datastream.runtime.host import FunctionHost, Host
from thalweg.datastream.runtime.state_expiry import StateExpiry
from thalweg.datastream.runtime.stateless import Emitter

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["KeyedCoFlatMapHost", "KeyedCoMapHost", "KeyedFilterHost", "KeyedFlatMapHost", "KeyedMapHost", "PairHost"]


class PairHost(Host):
    """Rows of key and record."""

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        self.context.emit([Row(f0=key, f1=record) for key, record in zip(keys, records)])


class _KeyedFunctionHost(FunctionHost):
    """Points the state at each record's key and gathers what `results` says of the function's answer."""

    methods: tuple[str, ...] = ()

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._methods: list[Callable[..., Any]] = [method_of(self.function, name) for name in self.methods]

    def open(self, context: StreamContext) -> None:
        self._expiry = StateExpiry(context, lambda: self._row)
        self.store = self._expiry.store
        super().open(context)

    def runtime_context(self) -> Any:
        from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext

        return OperatorRuntimeContext(self.context, self.store)

    def results(self, record: Any, answer: Any) -> Any:
        """The records to send, or None."""
        return answer

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        emitter = Emitter(self)
        store = self.store
        call = self._methods[input_number]
        self._row = row = 0
        try:
            for record, store.current in zip(records, states):
                results = self.results(record, call(record))
                if results is not None:
                    emitter.extend(row, results)
                self._row = row = row + 1
        finally:
            emitter.send()

    def on_timers(self, domain: str, time: int, keys: list[Any], states: list[dict[str, Any]]) -> None:
        """State of these keys has expired: such functions have no other timers."""
        for self._row, self.store.current in enumerate(states):
            if self._expiry.is_due(time):
                self._expiry.drop()


class KeyedMapHost(_KeyedFunctionHost):
    """map"""

    methods = ("map",)

    def results(self, record: Any, answer: Any) -> Any:
        return [answer]


class KeyedFlatMapHost(_KeyedFunctionHost):
    """flat_map"""

    methods = ("flat_map",)


class KeyedFilterHost(_KeyedFunctionHost):
    """filter"""

    methods = ("filter",)

    def results(self, record: Any, answer: Any) -> Any:
        return [record] if answer else None


class KeyedCoMapHost(_KeyedFunctionHost):
    """map1 and map2; None sends nothing."""

    methods = ("map1", "map2")

    def results(self, record: Any, answer: Any) -> Any:
        return None if answer is None else [answer]


class KeyedCoFlatMapHost(_KeyedFunctionHost):
    """flat_map1 and flat_map2"""

    methods = ("flat_map1", "flat_map2")
