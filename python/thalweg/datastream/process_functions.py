"""User functions that see each record's time and set timers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.function_base import Function
from thalweg.datastream.time_domain import TimeDomain
from thalweg.datastream.timerservice import TimerService

__all__ = ["CoProcessFunction", "KeyedCoProcessFunction", "KeyedProcessFunction", "ProcessFunction"]


class _Context(ABC):
    """What is known beside the record; valid during the call only."""

    @abstractmethod
    def timer_service(self) -> TimerService:
        """Reads time; sets timers where the stream has keys."""

    @abstractmethod
    def timestamp(self) -> int | None:
        """The time of the record or of the timer, in milliseconds; None for records without one."""


class _KeyedContext(_Context):
    """A context of a stream with keys."""

    @abstractmethod
    def get_current_key(self) -> Any:
        """The key of the record or of the timer."""


class _OnTimer(ABC):
    """What is known beside a timer."""

    @abstractmethod
    def time_domain(self) -> TimeDomain:
        """Whose time the timer ran on."""


class ProcessFunction(Function):
    """Any number of records out for each record in, with a look at the time.

    A yielded `(OutputTag, value)` goes to the side output. ::

        class Late(ProcessFunction):
            def process_element(self, value, ctx):
                if ctx.timestamp() < ctx.timer_service().current_watermark():
                    yield late_tag, value
                else:
                    yield value
    """

    class Context(_Context):
        """What is known beside the record."""

    @abstractmethod
    def process_element(self, value: Any, ctx: ProcessFunction.Context) -> Any:
        """Yields or returns the records to send."""


class KeyedProcessFunction(Function):
    """A ProcessFunction of a keyed stream: it has state and timers."""

    class Context(_KeyedContext):
        """What is known beside the record."""

    class OnTimerContext(Context, _OnTimer):
        """What is known beside the timer."""

    @abstractmethod
    def process_element(self, value: Any, ctx: KeyedProcessFunction.Context) -> Any:
        """Yields or returns the records to send."""

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Any:
        """A timer of the key has come; yields or returns the records to send."""


class CoProcessFunction(Function):
    """A ProcessFunction over two connected streams."""

    class Context(_Context):
        """What is known beside the record."""

    @abstractmethod
    def process_element1(self, value: Any, ctx: CoProcessFunction.Context) -> Any:
        """Yields or returns the records to send for one of the first stream."""

    @abstractmethod
    def process_element2(self, value: Any, ctx: CoProcessFunction.Context) -> Any:
        """Yields or returns the records to send for one of the second stream."""


class KeyedCoProcessFunction(Function):
    """A KeyedProcessFunction over two connected streams; both share state and timers of a key."""

    class Context(_KeyedContext):
        """What is known beside the record."""

    class OnTimerContext(Context, _OnTimer):
        """What is known beside the timer."""

    @abstractmethod
    def process_element1(self, value: Any, ctx: KeyedCoProcessFunction.Context) -> Any:
        """Yields or returns the records to send for one of the first stream."""

    @abstractmethod
    def process_element2(self, value: Any, ctx: KeyedCoProcessFunction.Context) -> Any:
        """Yields or returns the records to send for one of the second stream."""

    def on_timer(self, timestamp: int, ctx: KeyedCoProcessFunction.OnTimerContext) -> Any:
        """A timer of the key has come; yields or returns the records to send."""


use_flink_names(globals(), "pyflink.datastream.functions")
