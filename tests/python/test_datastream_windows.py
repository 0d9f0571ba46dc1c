"""Windows of streams on the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from pyflink.common import Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import (
    BroadcastConnectedStream,
    BroadcastStream,
    ConnectedStreams,
    DataStream,
    DataStreamSink,
    KeyedStream,
    KeySelector,
    OutputTag,
    Partitioner,
    StreamExecutionEnvironment,
    WindowedStream,
)
from pyflink.datastream.functions import (
    AggregateFunction,
    AllWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    RuntimeContext,
    WindowFunction,
)
from pyflink.datastream.state import MapStateDescriptor, ValueStateDescriptor
from pyflink.datastream.window import (
    CountEvictor,
    CountTrigger,
    EventTimeSessionWindows,
    GlobalWindows,
    PurgingTrigger,
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)

RECORDS = [("a", 1, 1000), ("b", 2, 2000), ("a", 3, 4000), ("a", 4, 12000), ("b", 5, 3000), ("a", 6, 16000)]
TYPE = Types.TUPLE([Types.STRING(), Types.INT(), Types.LONG()])


class Third(TimestampAssigner):
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[2])


class First(KeySelector):
    def get_key(self, value: Any) -> Any:
        return value[0]


class Sum(AggregateFunction):
    def create_accumulator(self) -> Any:
        return 0

    def add(self, value: Any, accumulator: Any) -> Any:
        return accumulator + value[1]

    def get_result(self, accumulator: Any) -> Any:
        return accumulator

    def merge(self, acc_a: Any, acc_b: Any) -> Any:
        return acc_a + acc_b


class Bounds(ProcessWindowFunction):  # type: ignore[type-arg]
    def process(self, key: Any, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        yield key, context.window().start, context.window().end, [e if isinstance(e, int) else e[1] for e in elements]


class Starts(WindowFunction):  # type: ignore[type-arg]
    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return [(key, window.start, sum(one[1] for one in inputs))]


class All(AllWindowFunction):  # type: ignore[type-arg]
    def apply(self, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return [(window.start, sorted(one[1] for one in inputs))]


class ProcessAll(ProcessAllWindowFunction):  # type: ignore[type-arg]
    """Counts its windows, and forgets."""

    def process(self, context: Any, elements: Iterable[Any]) -> Iterable[Any]:
        state = context.global_state().get_state(ValueStateDescriptor("windows", Types.INT()))
        state.update((state.value() or 0) + 1)
        context.window_state().get_state(ValueStateDescriptor("here", Types.INT())).update(1)
        yield context.window().start, state.value(), len(list(elements))

    def clear(self, context: Any) -> None:
        context.window_state().get_state(ValueStateDescriptor("here", Types.INT())).clear()


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_parallelism(1)
    return environment


def timed(env: StreamExecutionEnvironment, records: list[Any] = RECORDS) -> DataStream:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Third())
    return env.from_collection(records, type_info=TYPE).assign_timestamps_and_watermarks(strategy)


def keyed(env: StreamExecutionEnvironment) -> KeyedStream:
    return timed(env).key_by(First(), key_type=Types.STRING())


def collect(stream: DataStream) -> list[Any]:
    with stream.execute_and_collect() as records:
        return sorted(records)


def seconds(number: int) -> Time:
    return Time.seconds(number)


def test_tumbling_windows_reduce_aggregate_apply_and_process(env: StreamExecutionEnvironment) -> None:
    windows = keyed(env).window(TumblingEventTimeWindows.of(seconds(10)))
    assert isinstance(windows, WindowedStream)
    assert windows.get_execution_environment() is env
    assert windows.get_input_type() is not None
    assert collect(windows.reduce(lambda a, b: (a[0], a[1] + b[1], max(a[2], b[2])))) == [("a", 4, 4000), ("a", 10, 16000), ("b", 7, 3000)]
    assert collect(keyed(env).window(TumblingEventTimeWindows.of(seconds(10))).aggregate(Sum())) == [4, 7, 10]
    assert collect(keyed(env).window(TumblingEventTimeWindows.of(seconds(10))).aggregate(Sum(), window_function=Bounds())) == [
        ("a", 0, 10000, [4]), ("a", 10000, 20000, [10]), ("b", 0, 10000, [7]),
    ]  # fmt: skip
    assert collect(keyed(env).window(TumblingEventTimeWindows.of(seconds(10))).apply(Starts())) == [
        ("a", 0, 4), ("a", 10000, 10), ("b", 0, 7),
    ]  # fmt: skip
    process = keyed(env).window(TumblingEventTimeWindows.of(seconds(10), seconds(3))).process(Bounds())
    assert collect(process) == [
        ("a", -7000, 3000, [1]), ("a", 3000, 13000, [3, 4]), ("a", 13000, 23000, [6]), ("b", -7000, 3000, [2]), ("b", 3000, 13000, [5]),
    ]  # fmt: skip


def test_sliding_and_session_windows(env: StreamExecutionEnvironment) -> None:
    sliding = keyed(env).window(SlidingEventTimeWindows.of(seconds(10), seconds(5))).apply(Starts())
    assert collect(sliding) == [
        ("a", -5000, 4), ("a", 0, 4), ("a", 5000, 4), ("a", 10000, 10), ("a", 15000, 6), ("b", -5000, 7), ("b", 0, 7),
    ]  # fmt: skip
    session = keyed(env).window(EventTimeSessionWindows.with_gap(seconds(5))).process(Bounds())
    assert collect(session) == [("a", 1000, 9000, [1, 3]), ("a", 12000, 21000, [4, 6]), ("b", 2000, 8000, [2, 5])]


def test_windows_over_all_records(env: StreamExecutionEnvironment) -> None:
    def windows() -> Any:
        return timed(env).window_all(TumblingEventTimeWindows.of(seconds(10)))

    assert collect(windows().apply(All())) == [(0, [1, 2, 3, 5]), (10000, [4, 6])]
    assert collect(windows().process(ProcessAll())) == [(0, 1, 4), (10000, 2, 2)]
    assert collect(windows().aggregate(Sum())) == [10, 11]
    assert collect(windows().reduce(lambda a, b: ("all", a[1] + b[1], 0))) == [("all", 10, 0), ("all", 11, 0)]


def test_count_windows_triggers_and_evictors(env: StreamExecutionEnvironment) -> None:
    assert collect(keyed(env).count_window(2).reduce(lambda a, b: (a[0], a[1] + b[1], 0))) == [("a", 4, 0), ("a", 10, 0), ("b", 7, 0)]
    assert collect(keyed(env).count_window(2, 1).aggregate(Sum())) == [4, 7, 7, 10]
    purging = keyed(env).window(GlobalWindows.create()).trigger(PurgingTrigger.of(CountTrigger.of(2))).aggregate(Sum())
    assert collect(purging) == [4, 7, 10]
    last = keyed(env).window(GlobalWindows.create()).trigger(CountTrigger.of(1)).evictor(CountEvictor.of(1)).aggregate(Sum())
    assert collect(last) == [1, 2, 3, 4, 5, 6]


def test_processing_time_windows_do_not_fire_at_the_end(env: StreamExecutionEnvironment) -> None:
    assert collect(keyed(env).window(TumblingProcessingTimeWindows.of(Time.hours(1))).aggregate(Sum())) == []


def test_late_records(env: StreamExecutionEnvironment) -> None:
    """Watermarks come by the clock: with a collection nothing is late, and every window fires once, at the end."""
    late = OutputTag("late", TYPE)
    windows = keyed(env).window(TumblingEventTimeWindows.of(seconds(10))).allowed_lateness(5000).side_output_late_data(late)
    main = windows.process(Bounds())
    main.get_side_output(late).print("late")
    assert len(collect(main)) == 3


def test_what_streams_are(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1, 2, 3])
    rules = env.from_collection([1]).broadcast(MapStateDescriptor("rules", Types.INT(), Types.INT()))
    assert isinstance(rules, BroadcastStream)
    assert isinstance(stream.connect(rules), BroadcastConnectedStream)
    assert isinstance(stream.connect(env.from_collection([4])), ConnectedStreams)
    assert isinstance(stream.print(), DataStreamSink)


class Even(Partitioner):
    def partition(self, key: Any, num_partitions: int) -> int:
        return int(key) % num_partitions


def test_names_ids_and_places_of_steps(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection([1, 2, 3]).map(lambda x: x).name("mine").uid("u").set_description("d").set_parallelism(1)
    assert stream.get_name() == "mine"
    stream = stream.set_uid_hash("a" * 32).set_max_parallelism(4).start_new_chain().disable_chaining().slot_sharing_group("g")
    assert stream.get_execution_config().get_parallelism() == 1
    for distributed in (stream.shuffle(), stream.rescale(), stream.rebalance(), stream.forward(), stream.partition_custom(Even(), int)):
        assert collect(distributed.map(lambda x: x + 1)) == [2, 3, 4]
    assert collect(stream.key_by(lambda x: x).map(lambda x: x)) == [1, 2, 3]


def test_sinks_have_names_too(env: StreamExecutionEnvironment) -> None:
    sink = env.from_collection([1]).print().name("out").uid("s").set_uid_hash("b" * 32).set_description("d").set_parallelism(1)
    assert isinstance(sink.disable_chaining().slot_sharing_group("g"), DataStreamSink)
    assert "out" in env.get_execution_plan()
    env.execute("named")


def test_keyed_streams_are_streams(env: StreamExecutionEnvironment) -> None:
    def stream() -> KeyedStream:
        return env.from_collection([1, 2, 3, 4]).key_by(lambda x: x % 2)

    assert collect(stream().flat_map(lambda x: [x, x])) == [1, 1, 2, 2, 3, 3, 4, 4]
    assert collect(stream().filter(lambda x: x > 2)) == [3, 4]
    for method in ("shuffle", "rescale", "rebalance", "forward", "broadcast"):
        with pytest.raises(Exception, match=r"(?i)keyed"):
            getattr(stream(), method)()
    with pytest.raises(Exception, match=r"(?i)keyed"):
        stream().partition_custom(Even(), lambda x: x)
    for method, arguments in (
        ("set_parallelism", (2,)), ("name", ("n",)), ("uid", ("u",)), ("set_uid_hash", ("c" * 32,)), ("set_max_parallelism", (4,)),
        ("force_non_parallel", ()), ("set_buffer_timeout", (5,)), ("start_new_chain", ()), ("disable_chaining", ()),
        ("slot_sharing_group", ("g",)), ("cache", ()), ("get_name", ()),
    ):  # fmt: skip
        with pytest.raises(Exception, match=r"(?i)keyed"):
            getattr(stream(), method)(*arguments)


class Where(WindowFunction):  # type: ignore[type-arg]
    """Says where it runs."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.place = runtime_context.get_index_of_this_subtask(), runtime_context.get_number_of_parallel_subtasks()

    def apply(self, key: Any, window: Any, inputs: Iterable[Any]) -> Iterable[Any]:
        return [self.place]


def test_window_functions_are_opened(env: StreamExecutionEnvironment) -> None:
    assert set(collect(keyed(env).window(TumblingEventTimeWindows.of(seconds(10))).apply(Where()))) == {(0, 1)}
