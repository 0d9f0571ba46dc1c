"""The window operator, by Flink's rules: what fires when, what is late, what merges, what is forgotten."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from operator_host import MAX_LONG, OperatorHost
from pyflink.common import Time, Types
from pyflink.datastream import OutputTag, StreamExecutionEnvironment
from pyflink.datastream.functions import (
    AggregateFunction,
    InternalIterableAllWindowFunction,
    InternalIterableProcessWindowFunction,
    InternalIterableWindowFunction,
    InternalSingleValueProcessWindowFunction,
    InternalSingleValueWindowFunction,
    PassThroughWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from pyflink.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    ReducingStateDescriptor,
    ValueStateDescriptor,
)
from pyflink.datastream.window import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountEvictor,
    CountSlidingWindowAssigner,
    CountTrigger,
    CountTumblingWindowAssigner,
    DeltaEvictor,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindows,
    ProcessingTimeSessionWindows,
    PurgingTrigger,
    SessionWindowTimeGapExtractor,
    SlidingEventTimeWindows,
    TimeEvictor,
    TimeWindow,
    Trigger,
    TriggerResult,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
    WindowOperationDescriptor,
)
from thalweg.datastream.runtime.window_operator import WindowOperator

ANY = Types.PICKLED_BYTE_ARRAY()
LATE = OutputTag("late", ANY)


class Sum(AggregateFunction):
    def create_accumulator(self) -> Any:
        return 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator + value

    def get_result(self, accumulator: Any) -> Any:
        return accumulator

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return acc_a + acc_b


class Describe(WindowFunction[Any, Any, Any, Any]):
    """(key, start, end, records)."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        yield key, window.start, window.end, list(inputs)


class Records(WindowFunction[Any, Any, Any, Any]):
    """(key, records)."""

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return [(key, list(inputs))]


def host(
    assigner: Any, trigger: Any = None, function: Any = None, state: Any = None, lateness: int = 0, evictor: Any = None, now: int = 0
) -> OperatorHost:
    descriptor = WindowOperationDescriptor(
        assigner,
        trigger or assigner.get_default_trigger(None),
        lateness,
        LATE,
        state or ListStateDescriptor("window-contents", ANY),
        assigner.get_window_serializer(),
        function or InternalIterableWindowFunction(Describe()),
        evictor,
    )
    return OperatorHost(WindowOperator(descriptor, {"late": 1, "other": 2}), now)


def summing(assigner: Any, **options: Any) -> OperatorHost:
    return host(
        assigner,
        function=InternalSingleValueWindowFunction(PassThroughWindowFunction()),
        state=ReducingStateDescriptor("window-contents", lambda a, b: a + b, ANY),
        **options,
    )


TUMBLE = TumblingEventTimeWindows.of(Time.milliseconds(10))


def test_a_window_fires_when_the_watermark_is_at_its_last_millisecond() -> None:
    run = summing(TUMBLE)
    run.feed(("a", 1, 0), ("b", 10, 3), ("a", 2, 9), ("a", 4, 10))
    run.watermark(8)
    assert run.sent == []
    run.watermark(9)
    assert sorted(run.sent_with_time) == [(3, 9), (10, 9)]
    run.end()
    assert run.sent_with_time[-1] == (4, 19)
    assert run.states == {}
    assert run.timers == set()


def test_late_records_go_to_the_late_output() -> None:
    run = summing(TUMBLE)
    run.feed(("a", 1, 5))
    run.watermark(15)
    run.feed(("a", 7, 9), ("a", 2, 14), ("a", 8, 15))
    run.end()
    assert run.sent == [1, 10]
    assert run.aside == {1: [7]}


def test_late_records_are_counted_where_nobody_asks_for_them() -> None:
    run = summing(TUMBLE)
    run.operator._late_tag = None
    run.watermark(15)
    run.feed(("a", 7, 9))
    assert run.metric_group.snapshot() == {"numLateRecordsDropped": 1}
    assert run.states == {}


@pytest.mark.parametrize("trigger", [EventTimeTrigger(), type("Own", (EventTimeTrigger,), {})()])
def test_allowed_lateness_fires_again_and_ends(trigger: Any) -> None:
    run = summing(TUMBLE, lateness=5, trigger=trigger)
    run.feed(("a", 1, 5))
    run.watermark(9)
    assert run.sent == [1]
    run.watermark(13)
    run.feed(("a", 2, 6), ("a", 4, 7))
    assert run.sent == [1, 3, 7]
    assert run.states != {}
    run.watermark(14)
    assert run.states == {}
    run.feed(("a", 8, 8))
    assert (run.sent, run.aside) == ([1, 3, 7], {1: [8]})
    # A window that nobody knew of before may start late too.
    run.watermark(21)
    run.feed(("b", 3, 17))
    assert run.sent == [1, 3, 7, 3]
    run.end()
    assert run.states == {}


def test_sliding_windows_drop_a_late_record_window_by_window() -> None:
    run = host(SlidingEventTimeWindows.of(Time.milliseconds(10), Time.milliseconds(5)))
    run.feed(("a", "x", 7))
    run.watermark(9)
    run.feed(("a", "y", 8))
    run.end()
    assert run.sent == [("a", 0, 10, ["x"]), ("a", 5, 15, ["x", "y"])]
    assert run.aside == {}


def test_offsets_and_negative_times() -> None:
    run = host(TumblingEventTimeWindows.of(Time.milliseconds(10), Time.milliseconds(3)))
    run.feed(("a", 1, 2), ("a", 2, -8), ("a", 3, 3))
    run.end()
    assert run.sent == [("a", -17, -7, [2]), ("a", -7, 3, [1]), ("a", 3, 13, [3])]


def test_records_without_a_time_are_refused_by_event_time_windows() -> None:
    with pytest.raises(Exception, match=r"no timestamp marker.*assign_timestamps_and_watermarks"):
        host(TUMBLE).feed(("a", 1, None))


def test_aggregates_and_process_functions_see_time() -> None:
    class Seen(ProcessWindowFunction[Any, Any, Any, Any]):
        def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
            yield key, context.window(), list(elements), context.current_watermark(), context.current_processing_time()

    run = host(
        TUMBLE,
        function=InternalSingleValueProcessWindowFunction(Seen()),
        state=AggregatingStateDescriptor("window-contents", Sum(), ANY),
        now=77,
    )
    run.feed(("a", 1, 1), ("a", 2, 2))
    run.end()
    assert run.sent == [("a", TimeWindow(0, 10), [3], MAX_LONG, 77)]


def test_windows_without_keys() -> None:
    class All:
        def open(self, context: Any) -> None: ...
        def close(self) -> None: ...
        def apply(self, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
            return [(window.start, sum(inputs))]

    run = host(TUMBLE, function=InternalIterableAllWindowFunction(All()))  # type: ignore[arg-type]
    run.feed((0, 1, 1), (0, 2, 12), (0, 3, 2))
    run.end()
    assert run.sent == [(0, 4), (10, 2)]


# --- sessions
SESSION = EventTimeSessionWindows.with_gap(Time.milliseconds(10))


def test_sessions_merge_and_touching_ones_too() -> None:
    run = host(SESSION)
    run.feed(("a", 1, 0), ("a", 2, 30), ("a", 3, 10), ("a", 4, 20), ("b", 5, 0))
    run.end()
    assert sorted(run.sent) == [("a", 0, 40, [1, 3, 2, 4]), ("b", 0, 10, [5])]
    assert (run.states, run.timers) == ({}, set())


def test_sessions_survive_a_restart() -> None:
    run = summing(SESSION)
    run.feed(("a", 1, 0), ("a", 2, 15))
    run.snapshot_and_restore()
    run.feed(("a", 4, 8))
    run.watermark(24)
    assert run.sent_with_time == [(7, 24)]


def test_a_late_record_that_merges_into_a_live_session_is_not_late() -> None:
    run = host(SESSION)
    run.feed(("a", 1, 20))
    run.watermark(22)
    run.feed(("a", 2, 12), ("b", 3, 5))
    run.end()
    assert run.sent == [("a", 12, 30, [1, 2])]
    assert run.aside == {1: [3]}


def test_a_session_in_its_lateness_fires_with_each_record() -> None:
    run = host(SESSION, lateness=20)
    run.feed(("a", 1, 0))
    run.watermark(12)
    run.feed(("a", 2, 1))
    assert run.sent == [("a", 0, 10, [1]), ("a", 0, 11, [1, 2])]
    run.watermark(29)
    assert run.states != {}
    run.watermark(30)
    assert (run.states, run.timers) == ({}, set())


def test_gaps_that_depend_on_the_record() -> None:
    class Gap(SessionWindowTimeGapExtractor):
        def extract(self, element: Any) -> int:
            return int(element)

    run = host(EventTimeSessionWindows.with_dynamic_gap(Gap()))
    run.feed(("a", 1, 1), ("a", 2, 2), ("a", 3, 3), ("a", 4, 4), ("a", 9, 9), ("a", 9, 9), ("a", 15, 15))
    run.feed(("b", 5, 0), ("b", 5, 2), ("b", 7, 0))
    run.end()
    assert sorted(run.sent) == [("a", 1, 8, [1, 2, 3, 4]), ("a", 9, 30, [9, 9, 15]), ("b", 0, 7, [5, 5, 7])]
    with pytest.raises(Exception, match="Dynamic session time gap must satisfy 0 < gap"):
        run.feed(("a", 0, 1))


def test_process_functions_of_sessions_have_no_window_state() -> None:
    class Stateful(ProcessWindowFunction[Any, Any, Any, Any]):
        def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
            context.global_state().get_state(ValueStateDescriptor("seen", ANY)).update(1)
            return [context.window_state().get_state(ValueStateDescriptor("x", ANY)).value()]

    run = host(SESSION, function=InternalIterableProcessWindowFunction(Stateful()))
    run.feed(("a", 1, 1))
    with pytest.raises(Exception, match="Per-window state is not allowed when using merging windows"):
        run.end()


def test_triggers_of_sessions_must_merge() -> None:
    class Plain(EventTimeTrigger):
        def can_merge(self) -> bool:
            return False

    stream = StreamExecutionEnvironment.get_execution_environment().from_collection([("a", 1)])
    with pytest.raises(TypeError, match="trigger that does not support merging"):
        stream.key_by(lambda record: record[0]).window(SESSION).trigger(Plain())
    # The assigner's own trigger is trusted, whatever it says.
    run = host(SESSION, Plain())
    run.feed(("a", 1, 1))
    run.end()
    assert [values for *_, values in run.sent] == [[1]]


def test_count_triggers_of_merged_windows_add_up() -> None:
    run = host(SESSION, CountTrigger.of(3))
    run.feed(("a", 1, 0), ("a", 2, 15))
    assert run.sent == []
    run.feed(("a", 3, 7))
    assert run.sent == [("a", 0, 25, [1, 2, 3])]


def test_processing_time_sessions() -> None:
    run = host(ProcessingTimeSessionWindows.with_gap(Time.milliseconds(10)), now=100)
    run.feed(("a", 1, None))
    run.clock(105)
    run.feed(("a", 2, None))
    run.clock(113)
    assert run.sent == []
    run.clock(114)
    assert run.sent == [("a", 100, 115, [1, 2])]
    assert run.states == {}


# --- windows that count
def test_count_windows_fire_when_full_and_keep_nothing() -> None:
    run = host(CountTumblingWindowAssigner.of(3), function=InternalIterableWindowFunction(Records()))
    run.feed(*[("a", i, None) for i in range(7)], ("b", 9, None))
    run.end()
    assert run.sent == [("a", [0, 1, 2]), ("a", [3, 4, 5])]
    assert len(run.states["a"]["window-contents"]) == 1


def test_sliding_count_windows() -> None:
    run = host(CountSlidingWindowAssigner(2, 1), function=InternalIterableWindowFunction(Records()))
    run.feed(*[("a", i, None) for i in (1, 3, 5)], *[("b", i, None) for i in (2, 4, 6)])
    assert run.sent == [("a", [1, 3]), ("a", [3, 5]), ("b", [2, 4]), ("b", [4, 6])]
    assert len(run.states["a"]["window-contents"]) == 1


def test_global_windows_need_a_trigger() -> None:
    silent = host(GlobalWindows.create(), function=InternalIterableWindowFunction(Records()))
    silent.feed(("a", 1, 1))
    silent.end()
    assert silent.sent == []
    keeping = host(GlobalWindows.create(), CountTrigger.of(2), InternalIterableWindowFunction(Records()))
    purging = host(GlobalWindows.create(), PurgingTrigger.of(CountTrigger.of(2)), InternalIterableWindowFunction(Records()))
    for run in (keeping, purging):
        run.feed(*[("a", i, None) for i in range(5)])
    assert keeping.sent == [("a", [0, 1]), ("a", [0, 1, 2, 3])]
    assert purging.sent == [("a", [0, 1]), ("a", [2, 3])]


# --- other triggers
def test_continuous_triggers_by_event_time() -> None:
    run = summing(TumblingEventTimeWindows.of(Time.milliseconds(20)), trigger=ContinuousEventTimeTrigger.of(Time.milliseconds(5)))
    run.feed(("a", 1, 2))
    run.watermark(5)
    run.feed(("a", 2, 6))
    run.watermark(12)
    run.end()
    # At 5, at 10, and with the end of the stream at 15 and at the window's last millisecond.
    assert run.sent == [1, 3, 3, 3]
    assert (run.states, run.timers) == ({}, set())


def test_continuous_triggers_by_the_clock() -> None:
    trigger = ContinuousProcessingTimeTrigger.of(Time.milliseconds(5))
    run = summing(TumblingProcessingTimeWindows.of(Time.milliseconds(20)), trigger=trigger)
    run.feed(("a", 1, None))
    run.clock(5)
    run.feed(("a", 2, None))
    run.clock(9)
    assert run.sent == [1]
    run.clock(10)
    assert run.sent == [1, 3]
    run.clock(19)
    assert run.states == {}


def test_processing_time_windows_pending_at_the_end_do_not_fire() -> None:
    run = summing(TumblingProcessingTimeWindows.of(Time.milliseconds(20)), now=45)
    run.feed(("a", 1, None))
    run.end()
    assert run.sent == []


class OnTen(Trigger[Any, Any]):
    """Fires when the values of a window reach 10, and by timers that it sets itself."""

    total = ReducingStateDescriptor("total", lambda a, b: a + b, ANY)

    def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> Any:
        state = ctx.get_partitioned_state(self.total)
        state.add(element)
        ctx.register_event_time_timer(timestamp + 2)
        return TriggerResult.FIRE_AND_PURGE if state.get() >= 10 else TriggerResult.CONTINUE

    def on_event_time(self, time: int, window: Any, ctx: Any) -> Any:
        return TriggerResult.PURGE if time % 2 else TriggerResult.FIRE

    def on_processing_time(self, time: int, window: Any, ctx: Any) -> Any:
        return TriggerResult.CONTINUE

    def on_merge(self, window: Any, ctx: Any) -> None:
        ctx.merge_partitioned_state(self.total)

    def clear(self, window: Any, ctx: Any) -> None:
        ctx.get_partitioned_state(self.total).clear()


def test_own_triggers_have_state_and_timers() -> None:
    run = summing(TumblingEventTimeWindows.of(Time.milliseconds(100)), trigger=OnTen())
    run.feed(("a", 4, 2), ("b", 1, 7))
    run.feed(("a", 5, 30), ("a", 1, 40))
    assert run.sent == [10]
    run.feed(("a", 2, 50))
    assert run.sent == [10, 2]
    run.feed(("b", 1, 20))
    run.watermark(8)
    assert run.sent == [10, 2]
    run.watermark(9)  # odd: b's window loses its record
    run.feed(("b", 3, 20))
    run.watermark(22)
    assert run.sent == [10, 2, 3]
    run.watermark(99)
    assert run.states == {}


def test_a_trigger_that_returns_nothing_is_named() -> None:
    class Forgetful(OnTen):
        def on_element(self, element: Any, timestamp: int, window: Any, ctx: Any) -> Any:
            return None

    with pytest.raises(TypeError, match=r"Forgetful.on_element\(\) returned None"):
        summing(TUMBLE, trigger=Forgetful()).feed(("a", 1, 1))


# --- state of process functions
class Counting(ProcessWindowFunction[Any, Any, Any, Any]):
    """Counts its own firings by window and by key."""

    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        counts = []
        for store in (context.window_state(), context.global_state()):
            state = store.get_state(ValueStateDescriptor("fired", ANY))
            state.update((state.value() or 0) + 1)
            counts.append(state.value())
        yield (key, context.window().start, *counts)

    def clear(self, context: Any) -> None:
        context.window_state().get_state(ValueStateDescriptor("fired", ANY)).clear()


def test_window_state_ends_with_the_window_and_global_state_does_not() -> None:
    run = host(TUMBLE, function=InternalIterableProcessWindowFunction(Counting()), lateness=5)
    run.feed(("a", 1, 1), ("a", 1, 11), ("b", 1, 1))
    run.watermark(9)
    run.feed(("a", 1, 2))
    run.end()
    assert sorted(run.sent) == [("a", 0, 1, 1), ("a", 0, 2, 2), ("a", 10, 1, 3), ("b", 0, 1, 1)]
    assert run.states == {"a": {"fired": 3}, "b": {"fired": 1}}


# --- evictors
def test_evictors_thin_out_windows() -> None:
    last_two = host(GlobalWindows(), CountTrigger.of(2), InternalIterableWindowFunction(Records()), evictor=CountEvictor.of(3))
    last_two.feed(*[("a", i, None) for i in range(6)])
    assert last_two.sent == [("a", [0, 1]), ("a", [1, 2, 3]), ("a", [3, 4, 5])]
    recent = host(TUMBLE, function=InternalIterableWindowFunction(Records()), evictor=TimeEvictor.of(Time.milliseconds(3)))
    recent.feed(("a", "x", 1), ("a", "y", 5), ("a", "z", 7))
    recent.end()
    assert recent.sent == [("a", ["y", "z"])]
    near = host(
        GlobalWindows(), CountTrigger.of(1), InternalIterableWindowFunction(Records()), evictor=DeltaEvictor.of(5, lambda a, b: b - a)
    )
    near.feed(("a", 1, None), ("a", 4, None), ("a", 8, None))
    assert near.sent == [("a", [1]), ("a", [1, 4]), ("a", [4, 8])]


def test_evictors_before_a_reduction_and_after_it() -> None:
    run = summing(GlobalWindows(), trigger=CountTrigger.of(1), evictor=CountEvictor.of(2, True))
    run.feed(*[("a", i, None) for i in (1, 2, 4, 8)])
    assert run.sent == [1, 3, 7, 14]


# --- the rest
def test_side_outputs_and_results_of_nothing() -> None:
    class Odd(WindowFunction[Any, Any, Any, Any]):
        def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Any:
            for value in inputs:
                yield (OutputTag("other", ANY), value) if value % 2 else value
            yield OutputTag("unread", ANY), 0

    run = host(TUMBLE, function=InternalIterableWindowFunction(Odd()))
    run.feed(*[("a", i, i) for i in range(5)])
    run.end()
    assert (run.sent, run.aside) == ([0, 2, 4], {2: [1, 3]})


def test_what_was_sent_before_a_failure_leaves_first() -> None:
    class Failing(WindowFunction[Any, Any, Any, Any]):
        def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Any:
            yield key
            if key == "b":
                raise ValueError("bad window")

    run = host(TUMBLE, function=InternalIterableWindowFunction(Failing()))
    run.feed(("a", 1, 1), ("b", 1, 1), ("c", 1, 1))
    with pytest.raises(ValueError, match="bad window"):
        run.end()
    assert run.sent == ["a", "b"]


@pytest.mark.parametrize("seed", range(20))
def test_the_short_way_and_the_general_one_agree(seed: int) -> None:
    """Aligned event-time windows have a loop of their own; a trigger of another class takes the general one."""
    chance = random.Random(seed)
    size = chance.choice([5, 10, 12])
    slide = chance.choice([size, 2, 5, 20])
    lateness = chance.choice([0, 0, 3, 20])
    assigner = SlidingEventTimeWindows.of(Time.milliseconds(size), Time.milliseconds(slide), Time.milliseconds(chance.choice([0, 1])))
    general = type("General", (EventTimeTrigger,), {})()
    runs = [host(assigner, lateness=lateness), host(assigner, general, lateness=lateness)]
    watermark = -100
    for _ in range(30):
        batch = [(chance.choice("abc"), chance.randrange(100), watermark + chance.randrange(-30, 60)) for _ in range(8)]
        watermark += chance.randrange(0, 15)
        for run in runs:
            run.feed(*batch)
            run.watermark(watermark)
    for run in runs:
        run.end()
    assert runs[0].sent_with_time == runs[1].sent_with_time
    assert runs[0].aside == runs[1].aside
    assert [run.states for run in runs] == [{}, {}]
    assert [run.timers for run in runs] == [set(), set()]


@pytest.mark.parametrize("seed", range(40))
def test_the_short_way_of_sessions_and_the_general_one_agree(seed: int) -> None:
    chance = random.Random(seed)
    lateness = chance.choice([0, 0, 4, 25])
    assigner = EventTimeSessionWindows.with_gap(Time.milliseconds(chance.choice([3, 8, 20])))
    general = type("General", (EventTimeTrigger,), {})()
    runs = [host(assigner, lateness=lateness), host(assigner, general, lateness=lateness)]
    watermark = -100
    for _ in range(30):
        batch = [(chance.choice("ab"), chance.randrange(100), watermark + chance.randrange(-25, 60)) for _ in range(6)]
        watermark += chance.randrange(0, 20)
        failures = []
        for run in runs:
            try:
                run.feed(*batch)
            except Exception as error:  # noqa: BLE001 - merging may be refused, and then by both
                failures.append(str(error))
            run.watermark(watermark)
            run.snapshot_and_restore()
        assert len(failures) in (0, 2)
        assert len(set(failures)) <= 1
        if failures:
            break
    else:
        for run in runs:
            run.end()
        assert [run.states for run in runs] == [{}, {}]
        assert [run.timers for run in runs] == [set(), set()]
    assert runs[0].sent_with_time == runs[1].sent_with_time
    assert runs[0].aside == runs[1].aside
