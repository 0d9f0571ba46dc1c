"""Windows, assigners and triggers by themselves."""

from __future__ import annotations

import io
import pickle
from typing import Any

import pytest
from pyflink.common import Duration, Time, Types
from pyflink.datastream.functions import RuntimeContext
from pyflink.datastream.state import ReducingStateDescriptor, ValueStateDescriptor
from pyflink.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountSlidingWindowAssigner,
    CountTrigger,
    CountTumblingWindowAssigner,
    CountWindow,
    CountWindowSerializer,
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindow,
    GlobalWindows,
    GlobalWindowSerializer,
    MergingWindowAssigner,
    NeverTrigger,
    ProcessingTimeSessionWindows,
    ProcessingTimeTrigger,
    PurgingTrigger,
    SessionWindowTimeGapExtractor,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TimeWindow,
    TimeWindowSerializer,
    Trigger,
    TriggerResult,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowAssigner,
)
from thalweg.datastream.runtime.keyed_state import StateStore
from thalweg.datastream.runtime.runtime_context import OperatorRuntimeContext

NOW = 1_234_567


class Assigning(WindowAssigner.WindowAssignerContext):
    def __init__(self) -> None:
        store = StateStore(lambda: NOW)
        store.current = {}
        self._runtime_context = OperatorRuntimeContext(None, store)

    def get_current_processing_time(self) -> int:
        return NOW

    def get_runtime_context(self) -> RuntimeContext:
        return self._runtime_context


class Gap(SessionWindowTimeGapExtractor):
    def extract(self, element: Any) -> int:
        return int(element)


def ms(milliseconds: int) -> Time:
    return Time.milliseconds(milliseconds)


TUMBLE, SLIDE = (TumblingEventTimeWindows.of, SlidingEventTimeWindows.of)
PTUMBLE, PSLIDE = (TumblingProcessingTimeWindows.of, SlidingProcessingTimeWindows.of)


@pytest.mark.parametrize(
    ("assigner", "windows", "trigger", "text"),
    [
        (TUMBLE(ms(10)), [(30, 40)], EventTimeTrigger, "TumblingEventTimeWindows(10, 0)"),
        (TUMBLE(ms(10), ms(-3)), [(27, 37)], EventTimeTrigger, "TumblingEventTimeWindows(10, -3)"),
        (TUMBLE(Duration.of_millis(10)), [(30, 40)], EventTimeTrigger, "TumblingEventTimeWindows(10, 0)"),
        (SLIDE(ms(10), ms(5)), [(35, 45), (30, 40)], EventTimeTrigger, "SlidingEventTimeWindows(10, 5, 0)"),
        (SLIDE(ms(5), ms(2), ms(1)), [(35, 40), (33, 38), (31, 36)], EventTimeTrigger, "SlidingEventTimeWindows(5, 2, 1)"),
        (EventTimeSessionWindows.with_gap(ms(7)), [(35, 42)], EventTimeTrigger, "EventTimeSessionWindows(7)"),
        (EventTimeSessionWindows.with_dynamic_gap(Gap()), [(35, 39)], EventTimeTrigger, "DynamicEventTimeSessionWindows()"),
        (DynamicEventTimeSessionWindows.with_dynamic_gap(Gap()), [(35, 39)], EventTimeTrigger, "DynamicEventTimeSessionWindows()"),
        (PTUMBLE(ms(10)), [(NOW - 7, NOW + 3)], ProcessingTimeTrigger, "TumblingProcessingTimeWindows(10, 0)"),
        (PTUMBLE(ms(10), ms(7)), [(NOW, NOW + 10)], ProcessingTimeTrigger, "TumblingProcessingTimeWindows(10, 7)"),
        (PSLIDE(ms(10), ms(5)), [(NOW - 2, NOW + 8), (NOW - 7, NOW + 3)], ProcessingTimeTrigger, "SlidingProcessingTimeWindows(10, 5, 0)"),
        (PSLIDE(ms(4), ms(4), ms(3)), [(NOW - 0, NOW + 4)], ProcessingTimeTrigger, "SlidingProcessingTimeWindows(4, 4, 3)"),
        (ProcessingTimeSessionWindows.with_gap(ms(7)), [(NOW, NOW + 7)], ProcessingTimeTrigger, "ProcessingTimeSessionWindows(7)"),
        (
            ProcessingTimeSessionWindows.with_dynamic_gap(Gap()), [(NOW, NOW + 4)], ProcessingTimeTrigger,
            "DynamicProcessingTimeSessionWindows()",
        ),
        (
            DynamicProcessingTimeSessionWindows.with_dynamic_gap(Gap()), [(NOW, NOW + 4)], ProcessingTimeTrigger,
            "DynamicProcessingTimeSessionWindows()",
        ),
    ],
)  # fmt: skip
def test_time_windows(assigner: Any, windows: list[tuple[int, int]], trigger: type, text: str) -> None:
    assert list(assigner.assign_windows(4, 35, Assigning())) == [TimeWindow(*bounds) for bounds in windows]
    assert type(assigner.get_default_trigger(None)) is trigger
    assert assigner.is_event_time() is (trigger is EventTimeTrigger)
    assert isinstance(assigner.get_window_serializer(), TimeWindowSerializer)
    assert repr(assigner) == text
    assert pickle.loads(pickle.dumps(assigner)).assign_windows(4, 35, Assigning()) == assigner.assign_windows(4, 35, Assigning())


def test_count_windows() -> None:
    context = Assigning()
    tumble, slide = CountTumblingWindowAssigner.of(2), CountSlidingWindowAssigner.of(4, 2)
    assert [[w.id for w in tumble.assign_windows("x", 0, context)] for _ in range(5)] == [[0], [0], [1], [1], [2]]
    assert [[w.id for w in slide.assign_windows("x", 0, context)] for _ in range(6)] == [[0], [0], [1, 0], [1, 0], [2, 1], [2, 1]]
    sparse = CountSlidingWindowAssigner(1, 3)
    context = Assigning()
    assert [[w.id for w in sparse.assign_windows("x", 0, context)] for _ in range(4)] == [[0], [], [], [1]]
    for assigner, text in ((tumble, "CountTumblingWindowAssigner(2)"), (slide, "CountSlidingWindowAssigner(4, 2)")):
        assert isinstance(assigner.get_default_trigger(None), CountTrigger)
        assert isinstance(assigner.get_window_serializer(), CountWindowSerializer)
        assert (assigner.is_event_time(), repr(assigner)) == (False, text)


def test_global_windows() -> None:
    assigner = GlobalWindows.create()
    assert assigner.assign_windows("x", 0, Assigning()) == [GlobalWindow.get()]
    assert isinstance(assigner.get_default_trigger(None), NeverTrigger)
    assert isinstance(assigner.get_window_serializer(), GlobalWindowSerializer)
    assert (assigner.is_event_time(), repr(assigner)) == (False, "GlobalWindows()")


@pytest.mark.parametrize(
    "make",
    [
        lambda: TumblingEventTimeWindows(10, 10),
        lambda: TumblingProcessingTimeWindows(10, -10),
        lambda: SlidingEventTimeWindows(10, 5, 5),
        lambda: SlidingProcessingTimeWindows(0, 5, 0),
        lambda: EventTimeSessionWindows(0),
        lambda: ProcessingTimeSessionWindows(-1),
    ],
)
def test_sizes_must_fit(make: Any) -> None:
    with pytest.raises(Exception, match="parameters must satisfy"):
        make()


def test_windows_as_values() -> None:
    window = TimeWindow(0, 10)
    assert (window.max_timestamp(), repr(window)) == (9, "TimeWindow(start=0, end=10)")
    assert window == TimeWindow(0, 10)
    assert window != CountWindow(0)
    assert len({window, TimeWindow(0, 10), TimeWindow(0, 11)}) == 2
    assert window < TimeWindow(0, 11) < TimeWindow(1, 2)
    assert window <= TimeWindow(0, 10)
    assert window.intersects(TimeWindow(10, 20))
    assert not window.intersects(TimeWindow(11, 20))
    assert window.cover(TimeWindow(-5, 3)) == TimeWindow(-5, 10)
    assert TimeWindow.get_window_start_with_offset(-1, 0, 10) == -10
    assert (CountWindow(7), CountWindow(7).max_timestamp()) == (CountWindow(7), 2**63 - 1)
    assert (repr(CountWindow(7)), hash(CountWindow(7))) == ("CountWindow(id=7)", hash(7))
    assert GlobalWindow() == GlobalWindow.get()
    assert GlobalWindow().max_timestamp() == 2**63 - 1
    with pytest.raises(Exception, match="non-TimeWindow"):
        assert window < 5  # type: ignore[operator]


@pytest.mark.parametrize(
    ("serializer", "window", "size"),
    [
        (TimeWindowSerializer(), TimeWindow(-5, 2**40), 16),
        (CountWindowSerializer(), CountWindow(2**33), 8),
        (GlobalWindowSerializer(), GlobalWindow(), 1),
    ],
)
def test_windows_as_bytes(serializer: Any, window: Any, size: int) -> None:
    stream = io.BytesIO()
    serializer.serialize(window, stream)
    assert len(stream.getvalue()) == size
    stream.seek(0)
    assert serializer.deserialize(stream) == window
    assert serializer == type(serializer)()
    assert pickle.loads(pickle.dumps(window)) == window


class Merges(MergingWindowAssigner.MergeCallback[TimeWindow]):
    def __init__(self) -> None:
        self.found: list[tuple[list[TimeWindow], TimeWindow]] = []

    def merge(self, to_be_merged: Any, merge_result: TimeWindow) -> None:
        self.found.append((sorted(to_be_merged), merge_result))


@pytest.mark.parametrize(
    "assigner",
    [
        EventTimeSessionWindows(5),
        ProcessingTimeSessionWindows(5),
        DynamicEventTimeSessionWindows(Gap()),
        DynamicProcessingTimeSessionWindows(Gap()),
    ],
)
def test_sessions_say_what_merges(assigner: Any) -> None:
    callback = Merges()
    windows = [TimeWindow(20, 25), TimeWindow(0, 5), TimeWindow(5, 10), TimeWindow(3, 8), TimeWindow(40, 45)]
    assigner.merge_windows(windows, callback)
    assert callback.found == [([TimeWindow(0, 5), TimeWindow(3, 8), TimeWindow(5, 10)], TimeWindow(0, 10))]
    direct = Merges()
    TimeWindow.merge_windows(windows, direct)
    assert direct.found == callback.found


class Triggering(Trigger.OnMergeContext):
    """Notes timers."""

    def __init__(self, watermark: int = 0) -> None:
        self.watermark = watermark
        self.timers: set[tuple[str, int]] = set()
        self.store = StateStore(lambda: 0)
        self.store.current = {}
        self.merged: list[str] = []

    def get_current_processing_time(self) -> int:
        return self.watermark

    def get_metric_group(self) -> Any:
        return None

    def get_current_watermark(self) -> int:
        return self.watermark

    def register_processing_time_timer(self, time: int) -> None:
        self.timers.add(("clock", time))

    def register_event_time_timer(self, time: int) -> None:
        self.timers.add(("watermark", time))

    def delete_processing_time_timer(self, time: int) -> None:
        self.timers.discard(("clock", time))

    def delete_event_time_timer(self, time: int) -> None:
        self.timers.discard(("watermark", time))

    def get_partitioned_state(self, state_descriptor: Any) -> Any:
        return self.store.get_any(state_descriptor)

    def merge_partitioned_state(self, state_descriptor: Any) -> None:
        self.merged.append(state_descriptor.name)


FIRE, GO_ON = TriggerResult.FIRE, TriggerResult.CONTINUE
WINDOW: Any = TimeWindow(0, 20)


def test_event_time_trigger() -> None:
    trigger, ctx = EventTimeTrigger.create(), Triggering()
    assert trigger.on_element("x", 1, WINDOW, ctx) is GO_ON
    assert ctx.timers == {("watermark", 19)}
    assert (trigger.on_event_time(19, WINDOW, ctx), trigger.on_event_time(18, WINDOW, ctx)) == (FIRE, GO_ON)
    assert trigger.on_processing_time(19, WINDOW, ctx) is GO_ON
    trigger.clear(WINDOW, ctx)
    assert ctx.timers == set()
    trigger.on_merge(WINDOW, ctx)
    assert (trigger.can_merge(), ctx.timers) == (True, {("watermark", 19)})
    late = Triggering(19)
    assert trigger.on_element("x", 1, WINDOW, late) is FIRE
    trigger.on_merge(WINDOW, late)
    assert late.timers == set()


def test_processing_time_trigger() -> None:
    trigger, ctx = ProcessingTimeTrigger.create(), Triggering()
    assert trigger.on_element("x", 1, WINDOW, ctx) is GO_ON
    assert ctx.timers == {("clock", 19)}
    assert (trigger.on_processing_time(19, WINDOW, ctx), trigger.on_event_time(19, WINDOW, ctx)) == (FIRE, GO_ON)
    trigger.clear(WINDOW, ctx)
    assert ctx.timers == set()
    trigger.on_merge(WINDOW, ctx)
    assert (trigger.can_merge(), ctx.timers) == (True, {("clock", 19)})


@pytest.mark.parametrize(
    ("trigger", "domain"),
    [(ContinuousEventTimeTrigger.of(ms(5)), "watermark"), (ContinuousProcessingTimeTrigger.of(ms(5)), "clock")],
)
def test_continuous_triggers(trigger: Any, domain: str) -> None:
    ctx = Triggering(7)
    called, other = trigger.on_event_time, trigger.on_processing_time
    if domain == "clock":
        called, other = other, called
    assert trigger.on_element("x", 7, WINDOW, ctx) is GO_ON
    assert (domain, 10) in ctx.timers
    assert (called(10, WINDOW, ctx), called(11, WINDOW, ctx), other(10, WINDOW, ctx)) == (FIRE, GO_ON, GO_ON)
    assert (domain, 15) in ctx.timers
    called(15, WINDOW, ctx)
    assert (domain, 19) in ctx.timers  # no later than the window's end
    trigger.on_merge(WINDOW, ctx)
    assert (trigger.can_merge(), ctx.merged) == (True, ["fire-time"])
    trigger.clear(WINDOW, ctx)
    assert ctx.store.current == {}
    state = ctx.get_partitioned_state(ReducingStateDescriptor("fire-time", min, Types.LONG()))
    trigger.register_next_fire_timestamp(0, WINDOW, ctx, state)
    assert state.get() == 5


def test_count_trigger() -> None:
    trigger, ctx = CountTrigger.of(2), Triggering()
    window: Any = CountWindow(1)
    assert [trigger.on_element("x", 0, window, ctx) for _ in range(3)] == [GO_ON, FIRE, GO_ON]
    assert (trigger.on_event_time(0, window, ctx), trigger.on_processing_time(0, window, ctx)) == (GO_ON, GO_ON)
    trigger.on_merge(window, ctx)
    trigger.clear(window, ctx)
    assert (trigger.can_merge(), ctx.merged, ctx.store.current) == (True, ["count"], {})


def test_never_trigger() -> None:
    trigger, ctx = NeverTrigger(), Triggering()
    window = GlobalWindow()
    assert trigger.on_element("x", 0, window, ctx) is GO_ON
    assert (trigger.on_event_time(0, window, ctx), trigger.on_processing_time(0, window, ctx)) == (GO_ON, GO_ON)
    trigger.on_merge(window, ctx)
    trigger.clear(window, ctx)
    assert not trigger.can_merge()


def test_purging_trigger() -> None:
    trigger, ctx = PurgingTrigger.of(EventTimeTrigger()), Triggering()
    assert trigger.on_element("x", 1, WINDOW, ctx) is GO_ON
    assert trigger.on_event_time(19, WINDOW, ctx) is TriggerResult.FIRE_AND_PURGE
    assert trigger.on_processing_time(19, WINDOW, ctx) is GO_ON
    trigger.clear(WINDOW, ctx)
    trigger.on_merge(WINDOW, ctx)
    assert (trigger.can_merge(), ctx.timers) == (True, {("watermark", 19)})
    assert (TriggerResult.FIRE.is_fire(), TriggerResult.FIRE.is_purge(), TriggerResult.PURGE.is_purge()) == (True, False, True)


def test_state_of_a_kind_that_is_not_known() -> None:
    class Odd(ValueStateDescriptor):
        pass

    ctx = Triggering()
    ctx.get_partitioned_state(Odd("v", Types.INT())).update(1)
    with pytest.raises(TypeError, match="'x' has a descriptor of no known kind"):
        ctx.get_partitioned_state(type("Strange", (), {"name": "x"})())
