"""State of Python functions in checkpoints and savepoints: failures, another parallelism, changed programs."""

from __future__ import annotations

import threading
import time

import pytest
from pyflink.common import Configuration, Types, WatermarkStrategy
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.datastream.functions import BroadcastProcessFunction, KeyedProcessFunction, MapFunction
from pyflink.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor
from pyflink.datastream.tests.test_util import DataStreamTestSinkFunction

KEYS = 7


def environment(parallelism, options=None):
    configuration = Configuration()
    for key, value in (options or {}).items():
        configuration.set_string(key, value)
    env = StreamExecutionEnvironment.get_execution_environment(configuration)
    return env.set_parallelism(parallelism)


class Count(KeyedProcessFunction):
    """Counts and keeps the records of each key, and tells at the end by a timer that it set at the beginning."""

    def open(self, runtime_context):
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))
        self.some = runtime_context.get_list_state(ListStateDescriptor("some", Types.LONG()))
        self.sums = runtime_context.get_map_state(MapStateDescriptor("sums", Types.STRING(), Types.LONG()))

    def process_element(self, value, ctx):
        if self.count.value() is None:
            ctx.timer_service().register_event_time_timer(2**60)
        self.count.update((self.count.value() or 0) + 1)
        if value < 3 * KEYS:
            self.some.add(value)
        self.sums.put("sum", (self.sums.get("sum") or 0) + value)

    def on_timer(self, timestamp, ctx):
        yield ctx.get_current_key(), self.count.value(), sorted(self.some), self.sums.get("sum")


def expected(total):
    groups = [[n for n in range(total) if n % KEYS == key] for key in range(KEYS)]
    return [(key, len(group), [n for n in group if n < 3 * KEYS], sum(group)) for key, group in enumerate(groups)]


def program(env, total, throttle, sink):
    stream = env.from_source(NumberSequenceSource(0, total - 1), WatermarkStrategy.no_watermarks(), "numbers").uid("numbers")
    stream = stream.map(throttle).key_by(lambda n: n % KEYS, key_type=Types.LONG()).process(Count()).uid("count")
    stream.add_sink(sink)


@pytest.mark.parametrize(("before", "after"), [(1, 1), (1, 3), (3, 2)])
def test_a_savepoint_is_restored_at_another_parallelism(tmp_path, before, after):
    total = 60_000
    begun, free = threading.Event(), threading.Event()

    def throttle(n):
        begun.set()
        if not free.is_set():
            if n % 50 == 0:
                time.sleep(0.002)
            if n >= total - 100:
                # Nearer to the end than it ever is when the savepoint is asked for, unless the machine is very slow.
                free.wait()
        return n

    sink = DataStreamTestSinkFunction()
    env = environment(before)
    program(env, total, throttle, sink)
    client = env.execute_async()
    assert begun.wait(60)
    saving = client.stop_with_savepoint(False, str(tmp_path))
    late = threading.Timer(10, free.set)
    late.start()
    path = saving.result()
    client.get_job_execution_result().result()
    late.cancel()
    assert sink.get_results(True, False) == []
    free.set()
    env = environment(after, {"execution.state-recovery.path": path})
    program(env, total, throttle, sink)
    env.execute()
    assert sorted(sink.get_results(True, False)) == expected(total)


def test_a_failure_goes_on_from_the_last_checkpoint(tmp_path):
    total = 40_000
    failed = threading.Event()

    class FailOnce(MapFunction):
        def map(self, value):
            if value % 50 == 0:
                time.sleep(0.001)
            if value == 20_000 and not failed.is_set():
                failed.set()
                raise RuntimeError("once")
            return value

    sink = DataStreamTestSinkFunction()
    env = environment(
        2,
        {
            "execution.checkpointing.interval": "50 ms",
            "execution.checkpointing.dir": tmp_path.as_uri(),
            "restart-strategy.type": "fixed-delay",
            "restart-strategy.fixed-delay.attempts": "3",
            "restart-strategy.fixed-delay.delay": "10 ms",
        },
    )
    program(env, total, FailOnce(), sink)
    env.execute()
    assert failed.is_set()
    assert sorted(sink.get_results(True, False)) == expected(total)


RULES = MapStateDescriptor("rules", Types.STRING(), Types.LONG())


def test_broadcast_state_is_restored_in_every_subtask(tmp_path):
    ruled, released = threading.Event(), threading.Event()

    class Apply(BroadcastProcessFunction):
        def process_element(self, value, ctx):
            yield value, ctx.get_broadcast_state(RULES).get("factor")

        def process_broadcast_element(self, value, ctx):
            ctx.get_broadcast_state(RULES).put("factor", value)
            ruled.set()

    def wait(n):
        while not released.is_set() and n >= 10:
            time.sleep(0.005)
            if n < 20:
                break
        return n

    def build(env, sink):
        numbers = env.from_source(NumberSequenceSource(0, 3_999), WatermarkStrategy.no_watermarks(), "numbers").uid("numbers")
        rules = env.from_source(NumberSequenceSource(5, 5), WatermarkStrategy.no_watermarks(), "rules").uid("rules")
        numbers.map(wait).connect(rules.broadcast(RULES)).process(Apply()).uid("apply").add_sink(sink)

    sink = DataStreamTestSinkFunction()
    env = environment(1)
    build(env, sink)
    client = env.execute_async()
    assert ruled.wait(60)
    threading.Timer(0.2, released.set).start()
    path = client.stop_with_savepoint(False, str(tmp_path)).result()
    client.get_job_execution_result().result()
    seen = len(sink.get_results(True, False))
    env = environment(3, {"execution.state-recovery.path": path})
    build(env, sink)
    env.execute()
    rest = sink.get_results(True, False)
    assert seen + len(rest) == 4_000
    assert {factor for _, factor in rest} <= {5}


def test_state_that_does_not_pickle_fails_the_savepoint(tmp_path):
    kept = threading.Event()

    class Keep(KeyedProcessFunction):
        def open(self, runtime_context):
            self.state = runtime_context.get_state(ValueStateDescriptor("lock", Types.PICKLED_BYTE_ARRAY()))

        def process_element(self, value, ctx):
            self.state.update(threading.Lock())
            kept.set()
            yield value

    env = environment(1)
    env.from_source(NumberSequenceSource(0, 10**12), WatermarkStrategy.no_watermarks(), "numbers").key_by(lambda n: n % 2).process(Keep())
    client = env.execute_async()
    assert kept.wait(60)
    try:
        with pytest.raises(Exception, match="pickle"):
            client.trigger_savepoint(str(tmp_path)).result()
    finally:
        client.cancel()
