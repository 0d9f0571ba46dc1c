"""When the result of a window is sent."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from thalweg._flink_names import use_flink_names
from thalweg.common.time import Time
from thalweg.common.typeinfo import Types
from thalweg.datastream.state import ReducingState, ReducingStateDescriptor
from thalweg.datastream.window_base import CountWindow, GlobalWindow, TimeWindow, Trigger, TriggerResult, Window

__all__ = [
    "ContinuousEventTimeTrigger", "ContinuousProcessingTimeTrigger", "CountTrigger", "EventTimeTrigger", "NeverTrigger",
    "ProcessingTimeTrigger", "PurgingTrigger",
]  # fmt: skip

T = TypeVar("T")
_Fire = ReducingState[int]


def milliseconds(time: Any) -> int:
    """A Time or a Duration in milliseconds."""
    return int(time.to_milliseconds() if hasattr(time, "to_milliseconds") else time.to_millis())


class EventTimeTrigger(Trigger[T, TimeWindow]):
    """Fires once, when the watermark passes the end of the window; and at once for each late record that is still allowed."""

    def on_element(self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        if window.max_timestamp() <= ctx.get_current_watermark():
            return TriggerResult.FIRE
        ctx.register_event_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE if time == window.max_timestamp() else TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        # A merged window that is complete already fires in on_element, which comes next.
        if window.max_timestamp() > ctx.get_current_watermark():
            ctx.register_event_time_timer(window.max_timestamp())

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        ctx.delete_event_time_timer(window.max_timestamp())

    @staticmethod
    def create() -> EventTimeTrigger[Any]:
        """The trigger."""
        return EventTimeTrigger()


class ProcessingTimeTrigger(Trigger[T, TimeWindow]):
    """Fires once, when the clock passes the end of the window."""

    def on_element(self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        ctx.register_processing_time_timer(window.max_timestamp())
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.FIRE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        if window.max_timestamp() > ctx.get_current_processing_time():
            ctx.register_processing_time_timer(window.max_timestamp())

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        ctx.delete_processing_time_timer(window.max_timestamp())

    @staticmethod
    def create() -> ProcessingTimeTrigger[Any]:
        """The trigger."""
        return ProcessingTimeTrigger()


def _fire_time() -> ReducingStateDescriptor:
    """The next time of a continuous trigger; merged windows keep the earliest."""
    return ReducingStateDescriptor("fire-time", min, Types.LONG())


class ContinuousEventTimeTrigger(Trigger[T, TimeWindow]):
    """Fires each time the watermark has moved by `interval` milliseconds, and at the end of the window."""

    def __init__(self, interval: int) -> None:
        self.interval = interval
        self.state_desc = _fire_time()

    @staticmethod
    def of(interval: Time) -> ContinuousEventTimeTrigger[Any]:
        """The trigger of that interval."""
        return ContinuousEventTimeTrigger(milliseconds(interval))

    def _state(self, ctx: Trigger.TriggerContext) -> _Fire:
        return cast(_Fire, ctx.get_partitioned_state(self.state_desc))

    def on_element(self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        if window.max_timestamp() <= ctx.get_current_watermark():
            return TriggerResult.FIRE
        ctx.register_event_time_timer(window.max_timestamp())
        state = self._state(ctx)
        if state.get() is None:
            self.register_next_fire_timestamp(timestamp - timestamp % self.interval, window, ctx, state)
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        if time == window.max_timestamp():
            return TriggerResult.FIRE
        state = self._state(ctx)
        if state.get() != time:
            return TriggerResult.CONTINUE
        state.clear()
        self.register_next_fire_timestamp(time, window, ctx, state)
        return TriggerResult.FIRE

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        ctx.merge_partitioned_state(self.state_desc)
        next_fire_timestamp = self._state(ctx).get()
        if next_fire_timestamp is not None:
            ctx.register_event_time_timer(next_fire_timestamp)

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        state = self._state(ctx)
        timestamp = state.get()
        if timestamp is not None:
            ctx.delete_event_time_timer(timestamp)
            state.clear()

    def can_merge(self) -> bool:
        return True

    def register_next_fire_timestamp(
        self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext, fire_timestamp_state: ReducingState[int]
    ) -> None:
        """Sets the timer after `time`, no later than the window's end."""
        next_fire_timestamp = min(time + self.interval, window.max_timestamp())
        fire_timestamp_state.add(next_fire_timestamp)
        ctx.register_event_time_timer(next_fire_timestamp)


class ContinuousProcessingTimeTrigger(Trigger[T, TimeWindow]):
    """Fires every `interval` milliseconds of the clock, no later than the end of the window."""

    def __init__(self, interval: int) -> None:
        self.interval = interval
        self.state_desc = _fire_time()

    @staticmethod
    def of(interval: Time) -> ContinuousProcessingTimeTrigger[Any]:
        """The trigger of that interval."""
        return ContinuousProcessingTimeTrigger(milliseconds(interval))

    def _state(self, ctx: Trigger.TriggerContext) -> _Fire:
        return cast(_Fire, ctx.get_partitioned_state(self.state_desc))

    def on_element(self, element: T, timestamp: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        state = self._state(ctx)
        now = ctx.get_current_processing_time()
        if state.get() is None:
            self.register_next_fire_timestamp(now - now % self.interval, window, ctx, state)
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        state = self._state(ctx)
        if state.get() != time:
            return TriggerResult.CONTINUE
        state.clear()
        self.register_next_fire_timestamp(time, window, ctx, state)
        return TriggerResult.FIRE

    def on_event_time(self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: TimeWindow, ctx: Trigger.OnMergeContext) -> None:
        ctx.merge_partitioned_state(self.state_desc)
        next_fire_timestamp = self._state(ctx).get()
        if next_fire_timestamp is not None:
            ctx.register_processing_time_timer(next_fire_timestamp)

    def clear(self, window: TimeWindow, ctx: Trigger.TriggerContext) -> None:
        state = self._state(ctx)
        timestamp = state.get()
        if timestamp is not None:
            ctx.delete_processing_time_timer(timestamp)
            state.clear()

    def can_merge(self) -> bool:
        return True

    def register_next_fire_timestamp(
        self, time: int, window: TimeWindow, ctx: Trigger.TriggerContext, fire_timestamp_state: ReducingState[int]
    ) -> None:
        """Sets the timer after `time`, no later than the window's end."""
        next_fire_timestamp = min(time + self.interval, window.max_timestamp())
        fire_timestamp_state.add(next_fire_timestamp)
        ctx.register_processing_time_timer(next_fire_timestamp)


def _purging(result: TriggerResult) -> TriggerResult:
    return TriggerResult.FIRE_AND_PURGE if result.is_fire() else result


class PurgingTrigger(Trigger[T, Window]):
    """Another trigger whose windows drop their records when they fire."""

    def __init__(self, nested_trigger: Trigger[T, Window]) -> None:
        self.nested_trigger = nested_trigger

    @staticmethod
    def of(nested_trigger: Trigger[Any, Any]) -> PurgingTrigger[Any]:
        """`nested_trigger`, purging."""
        return PurgingTrigger(nested_trigger)

    def on_element(self, element: T, timestamp: int, window: Window, ctx: Trigger.TriggerContext) -> TriggerResult:
        return _purging(self.nested_trigger.on_element(element, timestamp, window, ctx))

    def on_event_time(self, time: int, window: Window, ctx: Trigger.TriggerContext) -> TriggerResult:
        return _purging(self.nested_trigger.on_event_time(time, window, ctx))

    def on_processing_time(self, time: int, window: Window, ctx: Trigger.TriggerContext) -> TriggerResult:
        return _purging(self.nested_trigger.on_processing_time(time, window, ctx))

    def clear(self, window: Window, ctx: Trigger.TriggerContext) -> None:
        self.nested_trigger.clear(window, ctx)

    def can_merge(self) -> bool:
        return self.nested_trigger.can_merge()

    def on_merge(self, window: Window, ctx: Trigger.OnMergeContext) -> None:
        self.nested_trigger.on_merge(window, ctx)


class CountTrigger(Trigger[T, CountWindow]):
    """Fires each time so many records went into a window."""

    def __init__(self, window_size: int) -> None:
        self._window_size = window_size
        self._count_state_descriptor = ReducingStateDescriptor("count", lambda a, b: a + b, Types.LONG())

    @staticmethod
    def of(window_size: int) -> CountTrigger[Any]:
        """The trigger of so many records."""
        return CountTrigger(window_size)

    def on_element(self, element: T, timestamp: int, window: CountWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        count_state = cast(_Fire, ctx.get_partitioned_state(self._count_state_descriptor))
        count_state.add(1)
        if count_state.get() < self._window_size:
            return TriggerResult.CONTINUE
        count_state.clear()
        return TriggerResult.FIRE

    def on_processing_time(self, time: int, window: CountWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: CountWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def can_merge(self) -> bool:
        return True

    def on_merge(self, window: CountWindow, ctx: Trigger.OnMergeContext) -> None:
        ctx.merge_partitioned_state(self._count_state_descriptor)

    def clear(self, window: CountWindow, ctx: Trigger.TriggerContext) -> None:
        ctx.get_partitioned_state(self._count_state_descriptor).clear()


class NeverTrigger(Trigger[T, GlobalWindow]):
    """Never fires: the trigger of global windows where the program names none."""

    def on_element(self, element: T, timestamp: int, window: GlobalWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_processing_time(self, time: int, window: GlobalWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: GlobalWindow, ctx: Trigger.TriggerContext) -> TriggerResult:
        return TriggerResult.CONTINUE

    def on_merge(self, window: GlobalWindow, ctx: Trigger.OnMergeContext) -> None:
        """There is only one window."""

    def clear(self, window: GlobalWindow, ctx: Trigger.TriggerContext) -> None:
        """There is no state."""


use_flink_names(globals(), "pyflink.datastream.window")
