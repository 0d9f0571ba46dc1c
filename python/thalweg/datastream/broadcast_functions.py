"""User functions over a stream and a broadcast one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.datastream.function_base import Function
from thalweg.datastream.state import BroadcastState, MapStateDescriptor, ReadOnlyBroadcastState
from thalweg.datastream.time_domain import TimeDomain
from thalweg.datastream.timerservice import TimerService

__all__ = ["BaseBroadcastProcessFunction", "BroadcastProcessFunction", "KeyedBroadcastProcessFunction"]

IN1 = TypeVar("IN1")
IN2 = TypeVar("IN2")
OUT = TypeVar("OUT")
KEY = TypeVar("KEY")


class BaseBroadcastProcessFunction(Function):
    """Base of both."""

    class BaseContext(ABC):
        """What is known beside the record; valid during the call only."""

        @abstractmethod
        def timestamp(self) -> int | None:
            """The record's time in milliseconds, or None."""

        @abstractmethod
        def current_processing_time(self) -> int:
            """The clock, in milliseconds."""

        @abstractmethod
        def current_watermark(self) -> int:
            """The watermark, in milliseconds; -2**63 before the first."""

    class Context(BaseContext):
        """The broadcast side: it writes the broadcast state."""

        @abstractmethod
        def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> BroadcastState[Any, Any]:
            """The state of this name, one of those given to `broadcast`."""

    class ReadOnlyContext(BaseContext):
        """The other side: it reads the broadcast state."""

        @abstractmethod
        def get_broadcast_state(self, state_descriptor: MapStateDescriptor) -> ReadOnlyBroadcastState[Any, Any]:
            """The state of this name, one of those given to `broadcast`."""


class BroadcastProcessFunction(BaseBroadcastProcessFunction, Generic[IN1, IN2, OUT]):
    """Records of a stream without keys, seen with what was broadcast."""

    class Context(BaseBroadcastProcessFunction.Context, ABC):
        """The broadcast side."""

    class ReadOnlyContext(BaseBroadcastProcessFunction.ReadOnlyContext, ABC):
        """The other side."""

    @abstractmethod
    def process_element(self, value: IN1, ctx: ReadOnlyContext) -> Any:
        """Yields or returns the records to send for one of the stream."""

    @abstractmethod
    def process_broadcast_element(self, value: IN2, ctx: Context) -> Any:
        """Yields or returns the records to send for one of the broadcast stream."""


class KeyedBroadcastProcessFunction(BaseBroadcastProcessFunction, Generic[KEY, IN1, IN2, OUT]):
    """Records of a keyed stream, seen with what was broadcast; the stream's side has keyed state and timers."""

    class Context(BaseBroadcastProcessFunction.Context, ABC):
        """The broadcast side, which has no key."""

    class ReadOnlyContext(BaseBroadcastProcessFunction.ReadOnlyContext, ABC):
        """The keyed side."""

        @abstractmethod
        def timer_service(self) -> TimerService:
            """Reads time, sets timers."""

        @abstractmethod
        def get_current_key(self) -> Any:
            """The key of the record or of the timer."""

    class OnTimerContext(ReadOnlyContext, ABC):
        """A timer."""

        @abstractmethod
        def time_domain(self) -> TimeDomain:
            """Whose time the timer ran on."""

    @abstractmethod
    def process_element(self, value: IN1, ctx: ReadOnlyContext) -> Any:
        """Yields or returns the records to send for one of the stream."""

    @abstractmethod
    def process_broadcast_element(self, value: IN2, ctx: Context) -> Any:
        """Yields or returns the records to send for one of the broadcast stream."""

    def on_timer(self, timestamp: int, ctx: OnTimerContext) -> Any:
        """A timer of the key has come; yields or returns the records to send."""


use_flink_names(globals(), "pyflink.datastream.functions")
