"""Keys, state, timers, side outputs, connected streams, broadcast state."""

from __future__ import annotations

import datetime
from decimal import Decimal

import pytest
from pyflink.common import Duration, Row, Time, Types, WatermarkStrategy
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import OutputTag, StreamExecutionEnvironment
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.datastream.functions import (
    AggregateFunction,
    BroadcastProcessFunction,
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedProcessFunction,
    MapFunction,
    ProcessFunction,
    ReduceFunction,
)
from pyflink.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pyflink.datastream.window import EventTimeSessionWindows, EventTimeTrigger, GlobalWindows, TumblingEventTimeWindows

PAIR = Types.TUPLE([Types.STRING(), Types.INT()])


@pytest.fixture
def env():
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_parallelism(1)
    return environment


def collect(stream):
    with stream.execute_and_collect() as records:
        return list(records)


class Second(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[1] * 1000


def timed(stream):
    return stream.assign_timestamps_and_watermarks(WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Second()))


def test_reduce_gives_the_value_so_far(env):
    stream = env.from_collection([("a", 1), ("b", 5), ("a", 2), ("a", 4)])
    assert collect(stream.key_by(lambda x: x[0]).reduce(lambda p, q: (p[0], p[1] + q[1]))) == [("a", 1), ("b", 5), ("a", 3), ("a", 7)]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("sum", [("a", 3, 0), ("a", 4, 0), ("a", 9, 0)]),
        ("min", [("a", 3, 0), ("a", 1, 0), ("a", 1, 0)]),
        ("max", [("a", 3, 0), ("a", 3, 0), ("a", 5, 0)]),
        ("min_by", [("a", 3, 0), ("a", 1, 1), ("a", 1, 1)]),
        ("max_by", [("a", 3, 0), ("a", 3, 0), ("a", 5, 2)]),
    ],
)
def test_rolling_aggregates(env, kind, expected):
    records = [("a", 3, 0), ("a", 1, 1), ("a", 5, 2)]
    assert collect(getattr(env.from_collection(records).key_by(lambda x: x[0]), kind)(1)) == expected
    rows = [Row(k=k, v=v, n=n) for k, v, n in records]
    kinds = Types.ROW_NAMED(["k", "v", "n"], [Types.STRING(), Types.INT(), Types.INT()])
    result = collect(getattr(env.from_collection(rows, kinds).key_by(lambda x: x.k), kind)("v"))
    assert [tuple(row) for row in result] == expected


def test_reduced_objects_are_not_changed_behind_the_results(env):
    def merge(old, new):
        old["n"] += new["n"]
        return old

    stream = env.from_collection([{"n": 1}, {"n": 2}, {"n": 3}]).key_by(lambda x: 0).reduce(merge)
    assert collect(stream) == [{"n": 1}, {"n": 3}, {"n": 6}]


def test_a_reduce_function_may_have_state_of_its_own(env):
    class Numbered(ReduceFunction):
        def open(self, runtime_context):
            self.calls = runtime_context.get_state(ValueStateDescriptor("calls", Types.INT()))

        def reduce(self, value1, value2):
            self.calls.update((self.calls.value() or 0) + 1)
            return value1[0], value1[1] + value2[1], self.calls.value()

    stream = env.from_collection([("a", 1), ("b", 5), ("a", 2), ("a", 4)])
    assert collect(stream.key_by(lambda x: x[0]).reduce(Numbered())) == [("a", 1), ("b", 5), ("a", 3, 1), ("a", 7, 2)]


def test_a_keyed_stream_gives_keys_and_values(env):
    stream = env.from_collection([("a", 1), ("b", 2)], PAIR).key_by(lambda x: x[0], Types.STRING())
    assert collect(stream) == [Row(f0="a", f1=("a", 1)), Row(f0="b", f1=("b", 2))]
    assert sorted(collect(stream.union(stream).map(lambda x: x[1]))) == [1, 1, 2, 2]
    assert collect(stream.key_by(lambda x: x[1]).project(1)) == [(1,), (2,)]


@pytest.mark.parametrize(
    "key",
    [
        None, True, 7, -(2**80), 2.5, "é\0x", b"\0\1", (1, "a"), (1, (None, "b")), datetime.date(2024, 2, 3),
        datetime.datetime(2024, 2, 3, 4, 5, 6, 7), datetime.time(1, 2), Decimal("1.50"), Row(1, "x"), Row(a=1), -1, 0, 255, -256, [1, 2],
    ],
)  # fmt: skip
def test_keys_come_back_as_they_were(env, key):
    class Keys(KeyedProcessFunction):
        def process_element(self, value, ctx):
            yield ctx.get_current_key()

    (found,) = collect(env.from_collection([1]).key_by(lambda x: key).process(Keys()))
    assert found == key and type(found) is type(key)


def test_a_key_of_another_kind_is_refused(env):
    with pytest.raises(Exception, match="A key must be"):
        collect(env.from_collection([1]).key_by(lambda x: {"a": 1}).reduce(lambda a, b: a))


class Everything(KeyedProcessFunction):
    """Uses every kind of state."""

    def open(self, runtime_context):
        class Sum(ReduceFunction):
            def reduce(self, value1, value2):
                return value1 + value2

        class Average(AggregateFunction):
            def create_accumulator(self):
                return 0, 0

            def add(self, value, accumulator):
                return accumulator[0] + value, accumulator[1] + 1

            def get_result(self, accumulator):
                return accumulator[0] / accumulator[1]

            def merge(self, acc_a, acc_b):
                return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]

        self.last = runtime_context.get_state(ValueStateDescriptor("last", Types.INT()))
        self.all = runtime_context.get_list_state(ListStateDescriptor("all", Types.INT()))
        self.seen = runtime_context.get_map_state(MapStateDescriptor("seen", Types.INT(), Types.BOOLEAN()))
        self.sum = runtime_context.get_reducing_state(ReducingStateDescriptor("sum", Sum(), Types.INT()))
        self.average = runtime_context.get_aggregating_state(AggregatingStateDescriptor("avg", Average(), Types.PICKLED_BYTE_ARRAY()))

    def process_element(self, value, ctx):
        before = self.last.value()
        self.last.update(value[1])
        self.all.add(value[1])
        self.seen.put(value[1], True)
        self.sum.add(value[1])
        self.average.add(value[1])
        yield value[0], before, list(self.all), sorted(self.seen.keys()), self.sum.get(), self.average.get()


def test_every_kind_of_keyed_state(env):
    stream = env.from_collection([("a", 1), ("b", 9), ("a", 3)], PAIR)
    assert collect(stream.key_by(lambda x: x[0]).process(Everything())) == [
        ("a", None, [1], [1], 1, 1.0),
        ("b", None, [9], [9], 9, 9.0),
        ("a", 1, [1, 3], [1, 3], 4, 2.0),
    ]


def test_state_in_a_keyed_map(env):
    class Number(MapFunction):
        def open(self, runtime_context):
            self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

        def map(self, value):
            self.count.update((self.count.value() or 0) + 1)
            return value, self.count.value()

    assert collect(env.from_collection(["a", "b", "a"]).key_by(lambda x: x).map(Number())) == [("a", 1), ("b", 1), ("a", 2)]


def test_state_that_lives_on_expires(env):
    class Count(KeyedProcessFunction):
        def open(self, runtime_context):
            descriptor = ValueStateDescriptor("count", Types.INT())
            descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)).build())
            self.count = runtime_context.get_state(descriptor)

        def process_element(self, value, ctx):
            self.count.update((self.count.value() or 0) + 1)
            yield self.count.value()

    assert collect(env.from_collection([1, 1, 1]).key_by(lambda x: x).process(Count())) == [1, 2, 3]


class Alarms(KeyedProcessFunction):
    def process_element(self, value, ctx):
        timers = ctx.timer_service()
        timers.register_event_time_timer(ctx.timestamp() + 5000)
        timers.register_event_time_timer(ctx.timestamp() + 5000)
        timers.register_event_time_timer(ctx.timestamp() + 1)
        timers.delete_event_time_timer(ctx.timestamp() + 1)
        yield "record", value, ctx.timestamp(), timers.current_watermark()

    def on_timer(self, timestamp, ctx):
        yield "timer", ctx.get_current_key(), timestamp, ctx.timestamp(), ctx.timer_service().current_watermark(), ctx.time_domain().name
        if timestamp == 7000:
            ctx.timer_service().register_event_time_timer(7001)


def test_event_time_timers_fire_once_in_the_order_of_time(env):
    low, high = -(2**63), 2**63 - 1
    stream = timed(env.from_collection([("b", 2), ("a", 1), ("a", 2)])).key_by(lambda x: x[0]).process(Alarms())
    assert collect(stream) == [
        ("record", ("b", 2), 2000, low),
        ("record", ("a", 1), 1000, low),
        ("record", ("a", 2), 2000, low),
        ("timer", "a", 6000, 6000, high, "EVENT_TIME"),
        ("timer", "a", 7000, 7000, high, "EVENT_TIME"),
        ("timer", "b", 7000, 7000, high, "EVENT_TIME"),
        ("timer", "a", 7001, 7001, high, "EVENT_TIME"),
        ("timer", "b", 7001, 7001, high, "EVENT_TIME"),
    ]


def test_timers_of_the_last_time_fire_at_the_end_of_input(env):
    last = 2**63 - 1

    class Ends(KeyedProcessFunction):
        def process_element(self, value, ctx):
            ctx.timer_service().register_event_time_timer(last)

        def on_timer(self, timestamp, ctx):
            yield ctx.get_current_key(), timestamp == last

    stream = env.from_collection([("a", 1), ("b", 2), ("a", 3)])
    assert sorted(collect(stream.key_by(lambda x: x[0]).process(Ends()))) == [("a", True), ("b", True)]
    whole = stream.key_by(lambda x: x[0]).window(GlobalWindows.create()).trigger(EventTimeTrigger())
    assert sorted(collect(whole.reduce(lambda a, b: (a[0], a[1] + b[1])))) == [("a", 4), ("b", 2)]


def test_records_without_a_timestamp_have_the_lowest(env):
    class Times(ProcessFunction):
        def process_element(self, value, ctx):
            yield value, ctx.timestamp(), ctx.timer_service().current_watermark()

    assert collect(env.from_collection([1], Types.INT()).process(Times())) == [(1, -(2**63), -(2**63))]


def test_processing_time_timers_fire(env):
    class Soon(KeyedProcessFunction):
        def process_element(self, value, ctx):
            if value == 0:
                ctx.timer_service().register_processing_time_timer(ctx.timer_service().current_processing_time() + 1)

        def on_timer(self, timestamp, ctx):
            yield "fired", ctx.get_current_key(), ctx.timer_service().current_processing_time() >= timestamp

    numbers = env.from_source(NumberSequenceSource(0, 10**12), WatermarkStrategy.no_watermarks(), "numbers")
    with numbers.key_by(lambda x: "all").process(Soon()).execute_and_collect() as found:
        assert next(found) == ("fired", "all", True)


def test_timers_need_keys(env):
    class Bad(ProcessFunction):
        def process_element(self, value, ctx):
            ctx.timer_service().register_event_time_timer(1)
            yield value

    with pytest.raises(Exception, match="Setting timers is only supported on a keyed streams"):
        collect(env.from_collection([1]).process(Bad()))


def test_side_outputs(env, capsys):
    odd, other = OutputTag("odd", Types.INT()), OutputTag("other")

    class Split(ProcessFunction):
        def process_element(self, value, ctx):
            if value % 2:
                yield odd, value
            else:
                yield value
                yield other, str(value)
            yield OutputTag("nobody"), value

    stream = env.from_collection([1, 2, 3, 4], Types.INT()).process(Split(), Types.INT())
    stream.print("main")
    stream.get_side_output(odd).map(lambda x: x * 10).print("odd")
    stream.get_side_output(other).print("other")
    env.execute()
    assert sorted(capsys.readouterr().out.splitlines()) == ["main> 2", "main> 4", "odd> 10", "odd> 30", "other> 2", "other> 4"]


def test_a_union_of_side_outputs(env):
    tag = OutputTag("t")

    class Copy(ProcessFunction):
        def process_element(self, value, ctx):
            yield value
            yield tag, -value

    stream = env.from_collection([1, 2]).process(Copy())
    assert sorted(collect(stream.union(stream.get_side_output(tag)).map(lambda x: x))) == [-2, -1, 1, 2]


def test_connected_streams(env):
    class Map(CoMapFunction):
        def map1(self, value):
            return "L", value

        def map2(self, value):
            return None if value == "y" else ("R", value)

    class FlatMap(CoFlatMapFunction):
        def flat_map1(self, value):
            yield value
            yield value

        def flat_map2(self, value):
            return [value]

    class Process(CoProcessFunction):
        def process_element1(self, value, ctx):
            yield value * 10

        def process_element2(self, value, ctx):
            yield value

    left, right = env.from_collection([1, 2]), env.from_collection(["x", "y"])
    assert sorted(collect(left.connect(right).map(Map()))) == [("L", 1), ("L", 2), ("R", "x")]
    assert sorted(map(str, collect(left.connect(right).flat_map(FlatMap())))) == ["1", "1", "2", "2", "x", "y"]
    assert sorted(map(str, collect(left.connect(right).process(Process())))) == ["10", "20", "x", "y"]


def test_keyed_connected_streams_share_state(env):
    class Join(KeyedCoProcessFunction):
        def open(self, runtime_context):
            self.left = runtime_context.get_list_state(ListStateDescriptor("left", Types.INT()))
            self.right = runtime_context.get_list_state(ListStateDescriptor("right", Types.INT()))

        def process_element1(self, value, ctx):
            self.left.add(value[1])
            ctx.timer_service().register_event_time_timer(2**62)

        def process_element2(self, value, ctx):
            self.right.add(value[1])
            ctx.timer_service().register_event_time_timer(2**62)

        def on_timer(self, timestamp, ctx):
            yield ctx.get_current_key(), list(self.left), list(self.right)

    left = timed(env.from_collection([("a", 1), ("b", 2), ("a", 3)]))
    right = timed(env.from_collection([("a", 10), ("c", 20)]))
    stream = left.connect(right).key_by(lambda x: x[0], lambda x: x[0]).process(Join())
    assert collect(stream) == [("a", [1, 3], [10]), ("b", [2], []), ("c", [], [20])]


RULES = MapStateDescriptor("rules", Types.STRING(), Types.INT())


def test_broadcast_state(env):
    class Scale(BroadcastProcessFunction):
        def process_element(self, value, ctx):
            factor = ctx.get_broadcast_state(RULES).get("factor")
            yield value if factor is None else value * factor

        def process_broadcast_element(self, value, ctx):
            ctx.get_broadcast_state(RULES).put("factor", value)
            yield "rule", value

    stream = env.from_collection([1, 2]).connect(env.from_collection([10]).broadcast(RULES)).process(Scale())
    results = collect(stream)
    assert ("rule", 10) in results and len(results) == 3


def test_keyed_broadcast_state(env):
    class Check(KeyedBroadcastProcessFunction):
        def open(self, runtime_context):
            self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

        def process_element(self, value, ctx):
            self.count.update((self.count.value() or 0) + 1)
            ctx.timer_service().register_event_time_timer(2**62)
            yield from ()

        def process_broadcast_element(self, value, ctx):
            ctx.get_broadcast_state(RULES)["limit"] = value

        def on_timer(self, timestamp, ctx):
            yield ctx.get_current_key(), self.count.value(), dict(ctx.get_broadcast_state(RULES).items())

    env.set_parallelism(2)
    left = timed(env.from_collection([("a", 1), ("b", 2), ("a", 3)]))
    right = timed(env.from_collection([("x", 5)])).map(lambda x: x[1])
    stream = left.key_by(lambda x: x[0]).connect(right.broadcast(RULES)).process(Check())
    assert sorted(collect(stream)) == [("a", 2, {"limit": 5}), ("b", 1, {"limit": 5})]


@pytest.mark.parametrize("parallelism", [1, 3])
def test_windows(env, parallelism):
    env.set_parallelism(parallelism)
    messages = [("c", 0), ("a", 1), ("c", 2), ("a", 4), ("c", 6), ("a", 8), ("c", 9)]
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(5)).with_timestamp_assigner(Second())
    counts = (
        env.from_collection(messages)
        .assign_timestamps_and_watermarks(strategy)
        .map(lambda m: (m[0], 1))
        .key_by(lambda m: m[0])
        .window(TumblingEventTimeWindows.of(Time.seconds(5)))
        .reduce(lambda a, b: (a[0], a[1] + b[1]))
    )
    assert sorted(collect(counts)) == [("a", 1), ("a", 2), ("c", 2), ("c", 2)]


def test_session_windows_and_window_all(env):
    stream = timed(env.from_collection([("a", 1), ("a", 2), ("a", 9), ("b", 3)]))
    sessions = stream.key_by(lambda x: x[0]).window(EventTimeSessionWindows.with_gap(Time.seconds(3)))
    assert sorted(collect(sessions.reduce(lambda a, b: (a[0], a[1] + b[1])))) == [("a", 3), ("a", 9), ("b", 3)]
    everything = stream.window_all(TumblingEventTimeWindows.of(Time.seconds(100)))
    assert collect(everything.reduce(lambda a, b: ("all", a[1] + b[1]))) == [("all", 15)]


@pytest.mark.parametrize("how", ["shuffle", "rebalance", "rescale", "global_"])
def test_partitionings_lose_nothing(env, how):
    env.set_parallelism(3)
    stream = getattr(env.from_collection(list(range(50))).map(lambda x: x), how)().map(lambda x: x)
    assert sorted(collect(stream)) == list(range(50))


def test_broadcast_gives_each_subtask_all_records(env):
    env.set_parallelism(3)
    assert sorted(collect(env.from_collection([1, 2]).broadcast().map(lambda x: x))) == [1, 1, 1, 2, 2, 2]


class Subtask(MapFunction):
    def open(self, runtime_context):
        self.index = runtime_context.get_index_of_this_subtask()
        self.parallelism = runtime_context.get_number_of_parallel_subtasks()

    def map(self, value):
        return value, self.index, self.parallelism


def test_a_custom_partitioner_chooses_the_subtask(env):
    stream = env.from_collection([("a", 0), ("b", 1), ("c", 2), ("d", 3)])
    parted = stream.partition_custom(lambda key, n: (key + 1) % n, lambda x: x[1]).map(Subtask()).set_parallelism(3)
    assert sorted(collect(parted)) == [(("a", 0), 1, 3), (("b", 1), 2, 3), (("c", 2), 0, 3), (("d", 3), 1, 3)]


def test_a_partitioner_out_of_range_fails_the_job(env):
    with pytest.raises(Exception, match="chose partition 7 of 2"):
        collect(env.from_collection([1]).partition_custom(lambda key, n: 7, lambda x: x).map(lambda x: x).set_parallelism(2))


def test_forward_does_not_change_the_parallelism(env):
    with pytest.raises(Exception, match="Forward partitioning does not allow change of parallelism"):
        collect(env.from_collection([1]).forward().map(lambda x: x).set_parallelism(2))
