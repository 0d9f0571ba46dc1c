"""Hosts of running reductions by key."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.function_copy import method_of
from thalweg.datastream.runtime.host import FunctionHost
from thalweg.datastream.runtime.sharing import IMMUTABLE

if TYPE_CHECKING:
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["ReduceHost"]

_STATE = "_reduce_state"
_PLAIN = IMMUTABLE | {tuple}


class ReduceHost(FunctionHost):
    """The reduction so far, for each record; in batch mode once a key, at the end."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._reduce = method_of(self.function, "reduce")
        # The types of a batch's results tell for the next one.
        self._shares = False

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if self.context.is_batch:
            self._gather(records, states)
            return
        results: list[Any] = []
        try:
            (self._run if self._shares else self._run_copying)(records, states, results)
        finally:
            self.context.emit(self.convert(results))
        self._shares = _PLAIN.issuperset(map(type, results))

    def _run(self, records: list[Any], states: list[dict[str, Any]], results: list[Any]) -> None:
        """For results that nobody can change."""
        reduce, append, name = self._reduce, results.append, _STATE
        for record, state in zip(records, states):
            value = reduce(state[name], record) if state else record
            state[name] = value
            append(value)

    def _run_copying(self, records: list[Any], states: list[dict[str, Any]], results: list[Any]) -> None:
        """For results that the next reduction may change: what was sent is a copy."""
        reduce, name = self._reduce, _STATE
        for record, state in zip(records, states):
            value = reduce(state[name], record) if state else record
            state[name] = value
            results.append(value if type(value) in _PLAIN else deepcopy(value))

    def _gather(self, records: list[Any], states: list[dict[str, Any]]) -> None:
        last = 2**63 - 2
        reduce = self._reduce
        for row, (record, state) in enumerate(zip(records, states)):
            if _STATE in state:
                state[_STATE] = reduce(state[_STATE], record)
            else:
                state[_STATE] = record
                self.context.add_timer("event", row, last)

    def on_timers(self, domain: str, time: int, keys: list[Any], states: list[dict[str, Any]]) -> None:
        """The end of bounded input."""
        results = [state.pop(_STATE) for state in states]
        self.context.emit_at(self.convert(results), None)
