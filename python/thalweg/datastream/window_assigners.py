"""Which windows a record belongs to."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.common.serializer import TypeSerializer
from thalweg.common.time import Time
from thalweg.common.typeinfo import Types
from thalweg.datastream.state import ValueStateDescriptor
from thalweg.datastream.window_base import (
    MIN_LONG_VALUE,
    CountWindow,
    CountWindowSerializer,
    GlobalWindow,
    GlobalWindowSerializer,
    MergingWindowAssigner,
    SessionWindowTimeGapExtractor,
    TimeWindow,
    TimeWindowSerializer,
    Trigger,
    WindowAssigner,
)
from thalweg.datastream.window_triggers import CountTrigger, EventTimeTrigger, NeverTrigger, ProcessingTimeTrigger, milliseconds

__all__ = [
    "CountSlidingWindowAssigner", "CountTumblingWindowAssigner", "DynamicEventTimeSessionWindows",
    "DynamicProcessingTimeSessionWindows", "EventTimeSessionWindows", "GlobalWindows", "ProcessingTimeSessionWindows",
    "SlidingEventTimeWindows", "SlidingProcessingTimeWindows", "TumblingEventTimeWindows", "TumblingProcessingTimeWindows",
]  # fmt: skip

T = TypeVar("T")
_Context = WindowAssigner.WindowAssignerContext
_Callback = MergingWindowAssigner.MergeCallback[TimeWindow]


def _event_time(timestamp: int) -> int:
    if timestamp is None or timestamp <= MIN_LONG_VALUE:
        raise Exception(
            "Record has Java Long.MIN_VALUE timestamp (= no timestamp marker). Is the time characteristic set to 'ProcessingTime', or "
            "did you forget to call 'data_stream.assign_timestamps_and_watermarks(...)'?"
        )
    return timestamp


def _count_and_advance(context: _Context, descriptor: ValueStateDescriptor) -> int:
    """How many records of the key came before this one."""
    state = context.get_runtime_context().get_state(descriptor)
    count: int = state.value() or 0
    state.update(count + 1)
    return count


class CountTumblingWindowAssigner(WindowAssigner[T, CountWindow]):
    """Windows of `window_size` records of a key."""

    def __init__(self, window_size: int) -> None:
        self._window_size = window_size
        self._count_descriptor = ValueStateDescriptor("tumble-count-assigner", Types.LONG())

    @staticmethod
    def of(window_size: int) -> CountTumblingWindowAssigner[Any]:
        """Windows of so many records."""
        return CountTumblingWindowAssigner(window_size)

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[CountWindow]:
        return [CountWindow(_count_and_advance(context, self._count_descriptor) // self._window_size)]

    def get_default_trigger(self, env: Any) -> Trigger[T, CountWindow]:
        return CountTrigger(self._window_size)

    def get_window_serializer(self) -> TypeSerializer[CountWindow]:
        return CountWindowSerializer()

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"CountTumblingWindowAssigner({self._window_size})"


class CountSlidingWindowAssigner(WindowAssigner[T, CountWindow]):
    """Windows of `window_size` records of a key, a new one every `window_slide` records."""

    def __init__(self, window_size: int, window_slide: int) -> None:
        self._window_size = window_size
        self._window_slide = window_slide
        self._count_descriptor = ValueStateDescriptor("slide-count-assigner", Types.LONG())

    @staticmethod
    def of(window_size: int, window_slide: int) -> CountSlidingWindowAssigner[Any]:
        """Windows of so many records, one every `window_slide`."""
        return CountSlidingWindowAssigner(window_size, window_slide)

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[CountWindow]:
        position = _count_and_advance(context, self._count_descriptor)
        last = position // self._window_slide
        earliest = max(0, -((self._window_size - 1 - position) // self._window_slide))
        return [CountWindow(number) for number in range(last, earliest - 1, -1)]

    def get_default_trigger(self, env: Any) -> Trigger[T, CountWindow]:
        return CountTrigger(self._window_size)

    def get_window_serializer(self) -> TypeSerializer[CountWindow]:
        return CountWindowSerializer()

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"CountSlidingWindowAssigner({self._window_size}, {self._window_slide})"


class _TimeWindows(WindowAssigner[T, TimeWindow]):
    """Assigners of time windows, by the records' time or by the clock."""

    def get_default_trigger(self, env: Any) -> Trigger[T, TimeWindow]:
        return EventTimeTrigger() if self.is_event_time() else ProcessingTimeTrigger()

    def get_window_serializer(self) -> TypeSerializer[TimeWindow]:
        return TimeWindowSerializer()


class _Tumbling(_TimeWindows[T]):
    """Windows of one length, end to end."""

    def __init__(self, size: int, offset: int) -> None:
        if abs(offset) >= size:
            raise Exception(f"{type(self).__name__} parameters must satisfy abs(offset) < size")
        self._size = size
        self._offset = offset

    def _window(self, time: int) -> list[TimeWindow]:
        start = time - (time - self._offset) % self._size
        return [TimeWindow(start, start + self._size)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._size}, {self._offset})"


class TumblingProcessingTimeWindows(_Tumbling[T]):
    """Windows of `size` milliseconds of the clock, starting at multiples of `size` after `offset`.

    Raises where the offset is not shorter than the size.
    """

    @staticmethod
    def of(size: Time, offset: Time | None = None) -> TumblingProcessingTimeWindows[Any]:
        """Windows of `size`; `Time.hours(-8)` as offset starts days where clocks are eight hours ahead."""
        return TumblingProcessingTimeWindows(milliseconds(size), 0 if offset is None else milliseconds(offset))

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        return self._window(context.get_current_processing_time())

    def is_event_time(self) -> bool:
        return False


class TumblingEventTimeWindows(_Tumbling[T]):
    """Windows of `size` milliseconds of the records' time, starting at multiples of `size` after `offset`.

    Raises where the offset is not shorter than the size, and for records without a time.
    """

    @staticmethod
    def of(size: Time, offset: Time | None = None) -> TumblingEventTimeWindows[Any]:
        """Windows of `size`; `Time.hours(-8)` as offset starts days where clocks are eight hours ahead."""
        return TumblingEventTimeWindows(milliseconds(size), 0 if offset is None else milliseconds(offset))

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        return self._window(_event_time(timestamp))

    def is_event_time(self) -> bool:
        return True


class _Sliding(_TimeWindows[T]):
    """Windows of one length that start every `slide`."""

    def __init__(self, size: int, slide: int, offset: int) -> None:
        if abs(offset) >= slide or size <= 0:
            raise Exception(f"{type(self).__name__} parameters must satisfy abs(offset) < slide and size > 0")
        self._size = size
        self._slide = slide
        self._offset = offset

    def _windows(self, time: int) -> list[TimeWindow]:
        last_start = time - (time - self._offset) % self._slide
        return [TimeWindow(start, start + self._size) for start in range(last_start, time - self._size, -self._slide)]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._size}, {self._slide}, {self._offset})"


class SlidingProcessingTimeWindows(_Sliding[T]):
    """Windows of `size` milliseconds of the clock, a new one every `slide` milliseconds.

    Raises where the offset is not shorter than the slide, or the size not above 0.
    """

    @staticmethod
    def of(size: Time, slide: Time, offset: Time | None = None) -> SlidingProcessingTimeWindows[Any]:
        """Windows of `size`, one every `slide`."""
        return SlidingProcessingTimeWindows(milliseconds(size), milliseconds(slide), 0 if offset is None else milliseconds(offset))

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        return self._windows(context.get_current_processing_time())

    def is_event_time(self) -> bool:
        return False


class SlidingEventTimeWindows(_Sliding[T]):
    """Windows of `size` milliseconds of the records' time, a new one every `slide` milliseconds.

    Raises where the offset is not shorter than the slide or the size not above 0, and for records without a time.
    """

    @staticmethod
    def of(size: Time, slide: Time, offset: Time | None = None) -> SlidingEventTimeWindows[Any]:
        """Windows of `size`, one every `slide`."""
        return SlidingEventTimeWindows(milliseconds(size), milliseconds(slide), 0 if offset is None else milliseconds(offset))

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        return self._windows(_event_time(timestamp))

    def is_event_time(self) -> bool:
        return True


class _Sessions(MergingWindowAssigner[T, TimeWindow]):
    """Windows that end when no record came for a while. Two that only touch are one, as in Flink."""

    def merge_windows(self, windows: Iterable[TimeWindow], callback: _Callback) -> None:
        TimeWindow.merge_windows(windows, callback)

    def get_default_trigger(self, env: Any) -> Trigger[T, TimeWindow]:
        return EventTimeTrigger() if self.is_event_time() else ProcessingTimeTrigger()

    def get_window_serializer(self) -> TypeSerializer[TimeWindow]:
        return TimeWindowSerializer()


def _positive_gap(owner: object, session_gap: int) -> int:
    if session_gap <= 0:
        raise Exception(f"{type(owner).__name__} parameters must satisfy 0 < size")
    return session_gap


def _dynamic_gap(extractor: SessionWindowTimeGapExtractor, element: Any) -> int:
    gap = extractor.extract(element)
    if gap <= 0:
        raise Exception("Dynamic session time gap must satisfy 0 < gap")
    return gap


class ProcessingTimeSessionWindows(_Sessions[T]):
    """Sessions by the clock that end after `session_gap` milliseconds without a record."""

    def __init__(self, session_gap: int) -> None:
        self._session_gap = _positive_gap(self, session_gap)

    @staticmethod
    def with_gap(size: Time) -> ProcessingTimeSessionWindows[Any]:
        """Sessions of that gap."""
        return ProcessingTimeSessionWindows(milliseconds(size))

    @staticmethod
    def with_dynamic_gap(extractor: SessionWindowTimeGapExtractor) -> DynamicProcessingTimeSessionWindows[Any]:
        """Sessions whose gap depends on the record."""
        return DynamicProcessingTimeSessionWindows(extractor)

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        now = context.get_current_processing_time()
        return [TimeWindow(now, now + self._session_gap)]

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"ProcessingTimeSessionWindows({self._session_gap})"


class EventTimeSessionWindows(_Sessions[T]):
    """Sessions by the records' time that end after `session_gap` milliseconds without a record."""

    def __init__(self, session_gap: int) -> None:
        self._session_gap = _positive_gap(self, session_gap)

    @staticmethod
    def with_gap(size: Time) -> EventTimeSessionWindows[Any]:
        """Sessions of that gap."""
        return EventTimeSessionWindows(milliseconds(size))

    @staticmethod
    def with_dynamic_gap(extractor: SessionWindowTimeGapExtractor) -> DynamicEventTimeSessionWindows[Any]:
        """Sessions whose gap depends on the record."""
        return DynamicEventTimeSessionWindows(extractor)

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        return [TimeWindow(_event_time(timestamp), timestamp + self._session_gap)]

    def is_event_time(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"EventTimeSessionWindows({self._session_gap})"


class DynamicProcessingTimeSessionWindows(_Sessions[T]):
    """Sessions by the clock whose gap depends on the record."""

    def __init__(self, session_window_time_gap_extractor: SessionWindowTimeGapExtractor) -> None:
        self._session_window_time_gap_extractor = session_window_time_gap_extractor

    @staticmethod
    def with_dynamic_gap(extractor: SessionWindowTimeGapExtractor) -> DynamicProcessingTimeSessionWindows[Any]:
        """Sessions whose gap is what `extractor` says."""
        return DynamicProcessingTimeSessionWindows(extractor)

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        now = context.get_current_processing_time()
        return [TimeWindow(now, now + _dynamic_gap(self._session_window_time_gap_extractor, element))]

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "DynamicProcessingTimeSessionWindows()"


class DynamicEventTimeSessionWindows(_Sessions[T]):
    """Sessions by the records' time whose gap depends on the record."""

    def __init__(self, session_window_time_gap_extractor: SessionWindowTimeGapExtractor) -> None:
        self._session_window_time_gap_extractor = session_window_time_gap_extractor

    @staticmethod
    def with_dynamic_gap(extractor: SessionWindowTimeGapExtractor) -> DynamicEventTimeSessionWindows[Any]:
        """Sessions whose gap is what `extractor` says."""
        return DynamicEventTimeSessionWindows(extractor)

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[TimeWindow]:
        return [TimeWindow(_event_time(timestamp), timestamp + _dynamic_gap(self._session_window_time_gap_extractor, element))]

    def is_event_time(self) -> bool:
        return True

    def __repr__(self) -> str:
        return "DynamicEventTimeSessionWindows()"


class GlobalWindows(WindowAssigner[T, GlobalWindow]):
    """One window of all records of a key; it needs a trigger to ever fire."""

    def __init__(self) -> None:
        super().__init__()

    def assign_windows(self, element: T, timestamp: int, context: _Context) -> Collection[GlobalWindow]:
        return [GlobalWindow()]

    @staticmethod
    def create() -> GlobalWindows[Any]:
        """The assigner."""
        return GlobalWindows()

    def get_default_trigger(self, env: Any) -> Trigger[T, GlobalWindow]:
        return NeverTrigger()

    def get_window_serializer(self) -> TypeSerializer[GlobalWindow]:
        return GlobalWindowSerializer()

    def is_event_time(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "GlobalWindows()"


use_flink_names(globals(), "pyflink.datastream.window")
