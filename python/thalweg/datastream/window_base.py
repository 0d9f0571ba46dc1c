"""Windows, and the interfaces of what assigns them, fires them and thins them out."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.serializer import TypeSerializer
from thalweg.datastream.function_base import RuntimeContext
from thalweg.datastream.output_tag import OutputTag
from thalweg.datastream.state import State, StateDescriptor
from thalweg.metrics import MetricGroup

if TYPE_CHECKING:
    from thalweg.datastream.window_functions import InternalWindowFunction

__all__ = [
    "CountWindow", "CountWindowSerializer", "Evictor", "GlobalWindow", "GlobalWindowSerializer", "MergingWindowAssigner",
    "SessionWindowTimeGapExtractor", "TimeWindow", "TimeWindowSerializer", "TimestampedValue", "Trigger", "TriggerResult", "Window",
    "WindowAssigner", "WindowOperationDescriptor",
]  # fmt: skip

MIN_LONG_VALUE = -(2**63)
MAX_LONG_VALUE = 2**63 - 1

T = TypeVar("T")
W = TypeVar("W")
W2 = TypeVar("W2")


class Window(ABC):
    """A bucket of records."""

    @abstractmethod
    def max_timestamp(self) -> int:
        """The last millisecond that belongs to the window: once time is there, it is complete."""


class TimeWindow(Window):
    """The milliseconds from `start` up to, not including, `end`."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end

    def max_timestamp(self) -> int:
        return self.end - 1

    def intersects(self, other: TimeWindow) -> bool:
        """Whether the two overlap or touch."""
        return self.start <= other.end and self.end >= other.start

    def cover(self, other: TimeWindow) -> TimeWindow:
        """The smallest window that holds both."""
        return TimeWindow(min(self.start, other.start), max(self.end, other.end))

    @staticmethod
    def get_window_start_with_offset(timestamp: int, offset: int, window_size: int) -> int:
        """The start of the window of `timestamp` among windows of `window_size` that start at `offset`; all in milliseconds."""
        return timestamp - (timestamp - offset) % window_size

    @staticmethod
    def merge_windows(windows: Iterable[TimeWindow], callback: MergingWindowAssigner.MergeCallback[TimeWindow]) -> None:
        """Calls `callback.merge` for each group of windows that overlap or touch."""
        groups: list[tuple[TimeWindow, set[TimeWindow]]] = []
        for window in sorted(windows):
            if groups and groups[-1][0].intersects(window):
                groups[-1] = (groups[-1][0].cover(window), groups[-1][1] | {window})
            else:
                groups.append((window, {window}))
        for merged, parts in groups:
            if len(parts) > 1:
                callback.merge(parts, merged)

    def __hash__(self) -> int:
        return hash((self.start, self.end))

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__ and self.start == other.start and self.end == other.end  # type: ignore[attr-defined]

    def __lt__(self, other: TimeWindow) -> bool:
        if not isinstance(other, TimeWindow):
            raise Exception(f"Does not support comparison with non-TimeWindow {other}")
        return (self.start, self.end) < (other.start, other.end)

    def __le__(self, other: TimeWindow) -> bool:
        return self == other or self < other

    def __repr__(self) -> str:
        return f"TimeWindow(start={self.start}, end={self.end})"


class CountWindow(Window):
    """A number of records; `id` tells one such window of a key from another."""

    __slots__ = ("id",)

    def __init__(self, id: int) -> None:  # noqa: A002 - Flink's name
        self.id = id

    def max_timestamp(self) -> int:
        return MAX_LONG_VALUE

    def __hash__(self) -> int:
        return hash(self.id)

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__ and self.id == other.id  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"CountWindow(id={self.id})"


class GlobalWindow(Window):
    """The one window of all records of a key."""

    __slots__ = ()

    def __init__(self) -> None:
        pass

    @staticmethod
    def get() -> GlobalWindow:
        """The window; all are equal."""
        return GlobalWindow()

    def max_timestamp(self) -> int:
        return MAX_LONG_VALUE

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "GlobalWindow"


_TIME_WINDOW = struct.Struct(">qq")
_COUNT_WINDOW = struct.Struct(">q")


class TimeWindowSerializer(TypeSerializer[TimeWindow]):
    """16 bytes: start and end, big endian."""

    def __init__(self) -> None:
        pass

    def serialize(self, element: TimeWindow, stream: BinaryIO) -> None:
        stream.write(_TIME_WINDOW.pack(element.start, element.end))

    def deserialize(self, stream: BinaryIO) -> TimeWindow:
        return TimeWindow(*_TIME_WINDOW.unpack(stream.read(16)))


class CountWindowSerializer(TypeSerializer[CountWindow]):
    """8 bytes: the id, big endian."""

    def __init__(self) -> None:
        pass

    def serialize(self, element: CountWindow, stream: BinaryIO) -> None:
        stream.write(_COUNT_WINDOW.pack(element.id))

    def deserialize(self, stream: BinaryIO) -> CountWindow:
        return CountWindow(*_COUNT_WINDOW.unpack(stream.read(8)))


class GlobalWindowSerializer(TypeSerializer[GlobalWindow]):
    """One byte, always 0."""

    def __init__(self) -> None:
        pass

    def serialize(self, element: GlobalWindow, stream: BinaryIO) -> None:
        stream.write(b"\0")

    def deserialize(self, stream: BinaryIO) -> GlobalWindow:
        stream.read(1)
        return GlobalWindow()


class TriggerResult(Enum):
    """What a trigger wants: (fire, purge).

    FIRE sends the window's result and keeps its records; PURGE drops the records without a result; FIRE_AND_PURGE does both;
    CONTINUE does nothing. A window without records sends nothing.
    """

    CONTINUE = (False, False)
    FIRE_AND_PURGE = (True, True)
    FIRE = (True, False)
    PURGE = (False, True)

    def is_fire(self) -> bool:
        """Whether to send the result."""
        return self.value[0]

    def is_purge(self) -> bool:
        """Whether to drop the records."""
        return self.value[1]


class Trigger(ABC, Generic[T, W]):
    """Says when a window's result is sent.

    A trigger keeps nothing itself, since one object serves all keys and windows: what it has to remember goes into
    `ctx.get_partitioned_state(...)`.
    """

    class TriggerContext(ABC):
        """Time, timers and state of the key and window at hand. All times are milliseconds."""

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """The clock."""

        @abstractmethod
        def get_metric_group(self) -> MetricGroup:
            """Where the trigger's metrics go."""

        @abstractmethod
        def get_current_watermark(self) -> int:
            """The watermark; -2**63 before the first."""

        @abstractmethod
        def register_processing_time_timer(self, time: int) -> None:
            """Calls `on_processing_time` when the clock reaches `time`."""

        @abstractmethod
        def register_event_time_timer(self, time: int) -> None:
            """Calls `on_event_time` when the watermark reaches `time`."""

        @abstractmethod
        def delete_processing_time_timer(self, time: int) -> None:
            """Takes a timer back."""

        @abstractmethod
        def delete_event_time_timer(self, time: int) -> None:
            """Takes a timer back."""

        @abstractmethod
        def get_partitioned_state(self, state_descriptor: StateDescriptor) -> State:
            """State of the key and window."""

    class OnMergeContext(TriggerContext):
        """The context of `on_merge`."""

        @abstractmethod
        def merge_partitioned_state(self, state_descriptor: StateDescriptor) -> None:
            """Merges the state of the windows that became one; the state must be a list, reducing or aggregating one."""

    @abstractmethod
    def on_element(self, element: T, timestamp: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """A record went into `window`."""

    @abstractmethod
    def on_processing_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """A timer of the clock has come."""

    @abstractmethod
    def on_event_time(self, time: int, window: W, ctx: Trigger.TriggerContext) -> TriggerResult:
        """A timer of the watermark has come."""

    def can_merge(self) -> bool:
        """Whether `on_merge` works, which session windows need."""
        return False

    @abstractmethod
    def on_merge(self, window: W, ctx: Trigger.OnMergeContext) -> None:
        """Several windows became `window`."""

    @abstractmethod
    def clear(self, window: W, ctx: Trigger.TriggerContext) -> None:
        """The window is over: deletes its timers and state."""


class WindowAssigner(ABC, Generic[T, W]):
    """Says which windows a record belongs to."""

    class WindowAssignerContext(ABC):
        """Time and state."""

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """The clock, in milliseconds."""

        @abstractmethod
        def get_runtime_context(self) -> RuntimeContext:
            """State of the key."""

    @abstractmethod
    def assign_windows(self, element: T, timestamp: int, context: WindowAssigner.WindowAssignerContext) -> Collection[W]:
        """The record's windows; `timestamp` is -2**63 where the record has no time."""

    @abstractmethod
    def get_default_trigger(self, env: Any) -> Trigger[T, W]:
        """The trigger where the program names none."""

    @abstractmethod
    def get_window_serializer(self) -> TypeSerializer[W]:
        """Writes windows, for timers and snapshots."""

    @abstractmethod
    def is_event_time(self) -> bool:
        """Whether the windows go by the watermark; if not, they go by the clock."""


class MergingWindowAssigner(WindowAssigner[T, W]):
    """A WindowAssigner whose windows merge, as sessions do."""

    class MergeCallback(ABC, Generic[W2]):
        """Where `merge_windows` tells what it found."""

        @abstractmethod
        def merge(self, to_be_merged: Iterable[W2], merge_result: W2) -> None:
            """The windows `to_be_merged` become `merge_result`."""

    @abstractmethod
    def merge_windows(self, windows: Iterable[W], callback: MergingWindowAssigner.MergeCallback[W]) -> None:
        """Calls `callback.merge` for each group of windows that are to be one."""


class SessionWindowTimeGapExtractor(ABC):
    """How long a session waits after a record."""

    @abstractmethod
    def extract(self, element: Any) -> int:
        """The gap in milliseconds, more than 0."""


class TimestampedValue(Generic[T]):
    """A record and its time in milliseconds, or None, as evictors see it."""

    __slots__ = ("timestamp", "value")

    def __init__(self, value: T, timestamp: int | None) -> None:
        self.value = value
        self.timestamp = timestamp


class Evictor(ABC, Generic[T, W]):
    """Removes records from a window before or after its function is called. Thalweg's: Flink has it for Java only."""

    class EvictorContext(ABC):
        """Time."""

        @abstractmethod
        def get_current_processing_time(self) -> int:
            """The clock, in milliseconds."""

        @abstractmethod
        def get_current_watermark(self) -> int:
            """The watermark, in milliseconds."""

        @abstractmethod
        def get_metric_group(self) -> MetricGroup:
            """Where the evictor's metrics go."""

    @abstractmethod
    def evict_before(self, elements: list[TimestampedValue[T]], size: int, window: W, ctx: Evictor.EvictorContext) -> None:
        """Removes from `elements`, in place, what the function shall not see."""

    @abstractmethod
    def evict_after(self, elements: list[TimestampedValue[T]], size: int, window: W, ctx: Evictor.EvictorContext) -> None:
        """Removes from `elements`, in place, what the window shall not keep."""


class WindowOperationDescriptor:
    """Everything the window operator has to know."""

    def __init__(
        self,
        assigner: WindowAssigner[Any, Any],
        trigger: Trigger[Any, Any],
        allowed_lateness: int,
        late_data_output_tag: OutputTag | None,
        window_state_descriptor: StateDescriptor,
        window_serializer: TypeSerializer[Any],
        internal_window_function: InternalWindowFunction[Any, Any, Any, Any],
        evictor: Evictor[Any, Any] | None = None,
    ) -> None:
        self.assigner = assigner
        self.trigger = trigger
        self.allowed_lateness = allowed_lateness
        self.late_data_output_tag = late_data_output_tag
        self.window_state_descriptor = window_state_descriptor
        self.window_serializer = window_serializer
        self.internal_window_function = internal_window_function
        self.evictor = evictor


use_flink_names(globals(), "pyflink.datastream.window")
