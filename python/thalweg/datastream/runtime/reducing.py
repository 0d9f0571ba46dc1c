"""Hosts of running reductions by key."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.function_copy import method_of
from thalweg.datastream.runtime.host import FunctionHost
from thalweg.datastream.runtime.keyed_state import StateStore
from thalweg.datastream.runtime.sharing import IMMUTABLE

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["ReduceHost"]

_STATE = "_reduce_state"
_PLAIN = IMMUTABLE | {tuple}


class ReduceHost(FunctionHost):
    """The reduction so far, for each record; in batch mode once a key, at the end."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._reduce = method_of(self.function, "reduce")
        # Functions that are objects may have state of their own beside the reduction.
        self._is_object = hasattr(self.function, "open")
        # The types of a batch's results tell for the next one.
        self._shares = False

    def open(self, context: StreamContext) -> None:
        self._store = StateStore(context.now)
        super().open(context)

    def runtime_context(self) -> Any:
        from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext

        return OperatorRuntimeContext(self.context, self._store)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if self.context.is_batch:
            self._gather(records, states)
            return
        results: list[Any] = []
        try:
            (self._run if self._shares and not self._is_object else self._run_with_care)(records, states, results)
        finally:
            self.context.emit(self.convert(results))
        self._shares = _PLAIN.issuperset(map(type, results))

    def _run(self, records: list[Any], states: list[dict[str, Any]], results: list[Any]) -> None:
        """For plain functions whose results nobody can change."""
        reduce, append, name = self._reduce, results.append, _STATE
        for record, state in zip(records, states):
            value = reduce(state[name], record) if state else record
            state[name] = value
            append(value)

    def _run_with_care(self, records: list[Any], states: list[dict[str, Any]], results: list[Any]) -> None:
        """For functions with state, and results that the next reduction may change: what is sent is a copy."""
        reduce, name, store = self._reduce, _STATE, self._store
        for record, store.current in zip(records, states):
            state = store.current
            value = reduce(state[name], record) if name in state else record
            state[name] = value
            results.append(value if type(value) in _PLAIN else deepcopy(value))

    def _gather(self, records: list[Any], states: list[dict[str, Any]]) -> None:
        last = 2**63 - 2
        reduce, store = self._reduce, self._store
        for row, (record, store.current) in enumerate(zip(records, states)):
            state = store.current
            if _STATE in state:
                state[_STATE] = reduce(state[_STATE], record)
            else:
                state[_STATE] = record
                self.context.add_timer("event", row, last)

    def on_timers(self, domain: str, time: int, keys: list[Any], states: list[dict[str, Any]]) -> None:
        """The end of bounded input."""
        results = [state.pop(_STATE) for state in states]
        self.context.emit_at(self.convert(results), None)
