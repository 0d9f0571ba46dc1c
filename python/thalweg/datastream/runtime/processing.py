"""Hosts of process functions, over one input or two, with keys or without."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.datastream.process_functions import CoProcessFunction, KeyedCoProcessFunction, KeyedProcessFunction, ProcessFunction
from thalweg.datastream.runtime.collector import Collector, SideOutputs
from thalweg.datastream.runtime.host import FunctionHost
from thalweg.datastream.runtime.state_expiry import StateExpiry
from thalweg.datastream.time_domain import TimeDomain
from thalweg.datastream.timerservice import TimerService

if TYPE_CHECKING:
    from collections.abc import Callable

    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["KeyedProcessHost", "ProcessHost"]

# What Flink gives as the time of a record that has none.
_NO_TIME = -(2**63)


class _Timers(TimerService):
    """Timers of the key of row `row`."""

    def __init__(self, context: StreamContext) -> None:
        self._context = context
        self.row = 0

    def current_processing_time(self) -> int:
        return self._context.now()

    def current_watermark(self) -> int:
        return self._context.current_watermark

    def register_processing_time_timer(self, timestamp: int) -> None:
        self._context.add_processing_timer(self.row, timestamp)

    def register_event_time_timer(self, timestamp: int) -> None:
        self._context.add_event_timer(self.row, timestamp)

    def delete_processing_time_timer(self, timestamp: int) -> None:
        self._context.delete_timer("processing", self.row, timestamp)

    def delete_event_time_timer(self, timestamp: int) -> None:
        self._context.delete_timer("event", self.row, timestamp)


class _NoTimers(_Timers):
    """Time without timers."""

    @staticmethod
    def _refuse() -> Exception:
        return NotImplementedError("Setting timers is only supported on a keyed streams: call key_by() before this operation.")

    def register_processing_time_timer(self, timestamp: int) -> None:
        raise self._refuse()

    def register_event_time_timer(self, timestamp: int) -> None:
        raise self._refuse()

    def delete_processing_time_timer(self, timestamp: int) -> None:
        raise self._refuse()

    def delete_event_time_timer(self, timestamp: int) -> None:
        raise self._refuse()


class ElementContext(ProcessFunction.Context, CoProcessFunction.Context):
    """What is known beside the record of row `row`."""

    def __init__(self, context: StreamContext, timers: _Timers) -> None:
        self._context = context
        self._timers = timers
        self.times: list[int | None] | None = None

    def timer_service(self) -> TimerService:
        return self._timers

    def timestamp(self) -> int:
        if self.times is None:
            self.times = self._context.timestamps()
        time = self.times[self._timers.row]
        return _NO_TIME if time is None else time

    def current_processing_time(self) -> int:
        return self._context.now()

    def current_watermark(self) -> int:
        return self._context.current_watermark


class KeyedElementContext(ElementContext, KeyedProcessFunction.OnTimerContext, KeyedCoProcessFunction.OnTimerContext):
    """The same on a stream with keys, and of timers."""

    key: Any = None
    domain = TimeDomain.EVENT_TIME

    def get_current_key(self) -> Any:
        return self.key

    def time_domain(self) -> TimeDomain:
        return self.domain


class ProcessHost(FunctionHost):
    """process_element, or process_element1 and 2, of streams without keys."""

    def __init__(self, function: Any, output_type: TypeInformation | None, side_outputs: SideOutputs, inputs: int = 1) -> None:
        super().__init__(function, None)
        self.collector = Collector(output_type, side_outputs)
        if inputs == 1:
            self._methods: list[Callable[..., Any]] = [self.function.process_element]
        else:
            self._methods = [self.function.process_element1, self.function.process_element2]

    def open(self, context: StreamContext) -> None:
        self.collector.context = context
        self.timers: _Timers = self.make_timers(context)
        self.element: ElementContext = self.make_element_context(context)
        super().open(context)

    def make_timers(self, context: StreamContext) -> _Timers:
        """The function's timer service."""
        return _NoTimers(context)

    def make_element_context(self, context: StreamContext) -> ElementContext:
        """What the function gets beside a record."""
        return ElementContext(context, self.timers)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        element, timers, add = self.element, self.timers, self.collector.add
        element.times = None
        call = self._methods[input_number]
        try:
            for row, record in enumerate(records):
                timers.row = row
                results = call(record, element)
                if results is not None:
                    add(row, results)
        finally:
            self.collector.send()


class KeyedProcessHost(ProcessHost):
    """The same with keys, state and timers."""

    element: KeyedElementContext

    def __init__(self, function: Any, output_type: TypeInformation | None, side_outputs: SideOutputs, inputs: int = 1) -> None:
        super().__init__(function, output_type, side_outputs, inputs)
        self._on_timer = getattr(self.function, "on_timer", None)

    def open(self, context: StreamContext) -> None:
        self._expiry = StateExpiry(context, lambda: self.timers.row)
        self.store = self._expiry.store
        super().open(context)

    def make_timers(self, context: StreamContext) -> _Timers:
        return _Timers(context)

    def make_element_context(self, context: StreamContext) -> KeyedElementContext:
        return KeyedElementContext(context, self.timers)

    def runtime_context(self) -> Any:
        from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext

        return OperatorRuntimeContext(self.context, self.store)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        element, timers, store, add = self.element, self.timers, self.store, self.collector.add
        element.times = None
        call = self._methods[input_number]
        row = 0
        try:
            for record, element.key, store.current in zip(records, keys, states):
                timers.row = row
                results = call(record, element)
                if results is not None:
                    add(row, results)
                row += 1
        finally:
            self.collector.send()

    def on_timers(self, domain: str, time: int, keys: list[Any], states: list[dict[str, Any]]) -> None:
        """Timers of these keys have come."""
        element, timers, store = self.element, self.timers, self.store
        is_processing = domain == "processing"
        element.domain = TimeDomain.PROCESSING_TIME if is_processing else TimeDomain.EVENT_TIME
        element.times = [time] * len(keys)
        row = 0
        try:
            for element.key, store.current in zip(keys, states):
                timers.row = row
                if is_processing and self._expiry.is_due(time):
                    self._expiry.drop()
                elif self._on_timer is not None:
                    self.collector.add(row, self._on_timer(time, element))
                row += 1
        finally:
            self.collector.send()
