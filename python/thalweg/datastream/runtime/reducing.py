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
_MISSING = object()


class ReduceHost(FunctionHost):
    """The reduction so far, for each record; in batch mode once a key, at the end."""

    def __init__(self, function: Any, output_type: TypeInformation | None) -> None:
        super().__init__(function, output_type)
        self._reduce = method_of(self.function, "reduce")

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if self.context.is_batch:
            self._gather(records, states)
            return
        results: list[Any] = []
        append = results.append
        reduce = self._reduce
        name = _STATE
        missing = _MISSING
        try:
            for record, state in zip(records, states):
                old = state.get(name, missing)
                value = record if old is missing else reduce(old, record)
                state[name] = value
                kind = type(value)
                # What the next reduction may change is not what was sent.
                append(value if kind in IMMUTABLE or kind is tuple else deepcopy(value))
        finally:
            self.context.emit(self.convert(results))

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
