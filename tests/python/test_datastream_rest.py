"""Corners of the DataStream API on the engine: broadcast state, timers that are taken back, sinks of keyed streams, results of jobs."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from pyflink.common import Row, Time, Types
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.kafka import KafkaTopicPartition
from pyflink.datastream.formats.avro import AvroInputFormat, AvroSchema
from pyflink.datastream.functions import BroadcastProcessFunction, KeyedProcessFunction
from pyflink.datastream.state import MapStateDescriptor
from pyflink.datastream.tests.test_util import DataStreamTestSinkFunction
from pyflink.datastream.window import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SessionWindowTimeGapExtractor,
    SlidingProcessingTimeWindows,
    TumblingProcessingTimeWindows,
)

RULES = MapStateDescriptor("rules", Types.STRING(), Types.INT())


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_parallelism(1)
    return environment


class Rules(BroadcastProcessFunction):  # type: ignore[type-arg]
    def process_element(self, value: Any, ctx: Any) -> Any:
        rules = ctx.get_broadcast_state(RULES)
        yield "read", rules.is_empty(), sorted(rules.keys()), sorted(rules.values()), rules.contains("a"), "a" in rules, sorted(rules)

    def process_broadcast_element(self, value: Any, ctx: Any) -> Any:
        rules = ctx.get_broadcast_state(RULES)
        empty = rules.is_empty()
        rules.put_all({"a": 1, "b": 2})
        rules["c"] = 3
        rules.remove("b")
        del rules["c"]
        yield "write", empty, rules["a"], rules.get("b"), sorted(rules.items()), rules.contains("a")


def test_broadcast_state_is_a_map(env: StreamExecutionEnvironment) -> None:
    rules = env.from_collection(["rule"]).broadcast(RULES)
    with env.from_collection(["x"]).connect(rules).process(Rules()).execute_and_collect() as records:
        found = sorted(records)
    assert found[1] == ("write", True, 1, None, [("a", 1)], True)
    assert found[0] in (("read", True, [], [], False, False, []), ("read", False, ["a"], [1], True, True, ["a"]))


class Taken(KeyedProcessFunction):
    """Sets timers and takes them back."""

    def process_element(self, value: Any, ctx: Any) -> Any:
        timers = ctx.timer_service()
        soon = timers.current_processing_time() + 1
        timers.register_processing_time_timer(soon)
        timers.delete_processing_time_timer(soon)
        timers.register_event_time_timer(5)
        timers.delete_event_time_timer(5)
        timers.register_event_time_timer(7)
        yield value, timers.current_watermark()

    def on_timer(self, timestamp: int, ctx: Any) -> Any:
        yield "timer", timestamp


def test_timers_are_taken_back(env: StreamExecutionEnvironment) -> None:
    with env.from_collection([1]).key_by(lambda value: value).process(Taken()).execute_and_collect() as records:
        assert list(records) == [(1, -(2**63)), ("timer", 7)]


def test_sinks_of_keyed_streams(env: StreamExecutionEnvironment, capfd: pytest.CaptureFixture[str]) -> None:
    sink = DataStreamTestSinkFunction()
    env.from_collection([1, 2], Types.INT()).key_by(lambda value: value).add_sink(sink)
    env.from_collection([3], Types.INT()).key_by(lambda value: value).print("keyed")
    result = env.execute("keyed")
    assert sorted(sink.get_results()) == ["1", "2"]
    assert "keyed> 3" in capfd.readouterr().out
    assert len(str(result.get_job_id())) == 32
    assert result.get_net_runtime() >= 0
    assert (result.get_all_accumulator_results(), result.get_accumulator_result("a")) == ({}, None)


def test_accumulators_of_running_jobs(env: StreamExecutionEnvironment) -> None:
    env.from_collection([1]).print()
    client = env.execute_async("short")
    assert client.get_accumulators().result() == {}
    client.get_job_execution_result().result()


def test_input_formats_are_refused_by_name(env: StreamExecutionEnvironment) -> None:
    schema = AvroSchema.parse_string('{"type": "record", "name": "r", "fields": []}')
    with pytest.raises(Exception, match="AvroInputFormat"):
        env.create_input(AvroInputFormat("/nowhere", schema)).print()
        env.execute()


class Gap(SessionWindowTimeGapExtractor):
    def extract(self, element: Any) -> int:
        return 5


def test_assigners_are_made_by_their_names() -> None:
    made = [
        SlidingProcessingTimeWindows.of(Time.seconds(2), Time.seconds(1)),
        TumblingProcessingTimeWindows.of(Time.seconds(2)),
        ProcessingTimeSessionWindows.with_dynamic_gap(Gap()),
        DynamicProcessingTimeSessionWindows.with_dynamic_gap(Gap()),
    ]
    assert [one.is_event_time() for one in made] == [False] * 4
    assert DynamicEventTimeSessionWindows.with_dynamic_gap(Gap()).is_event_time()
    assert DynamicProcessingTimeSessionWindows(Gap()).merge_windows([], None) is None  # type: ignore[func-returns-value, arg-type]


def test_partitions_and_rows_are_values() -> None:
    assert KafkaTopicPartition("t", 1) == KafkaTopicPartition("t", 1)
    assert len({KafkaTopicPartition("t", 1), KafkaTopicPartition("t", 2)}) == 2
    row = Row(a=1, b=2)
    assert (row["a"], row[1], list(row), pickle.loads(pickle.dumps(row))) == (1, 2, [1, 2], row)
