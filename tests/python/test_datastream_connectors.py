"""Connectors at both ends of DataStream programs: files, Kafka, sequences; async functions; plans; batch mode."""

from __future__ import annotations

import asyncio
import json
import re
import time

import pytest
from pyflink.common import Row, Time, Types, WatermarkStrategy
from pyflink.common.serialization import Encoder, SimpleStringSchema
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import AsyncDataStream, RuntimeExecutionMode, StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import BucketAssigner, FileSink, FileSource, OutputFileConfig, RollingPolicy, StreamFormat
from pyflink.datastream.connectors.hybrid_source import HybridSource
from pyflink.datastream.connectors.kafka import (
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
)
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pyflink.datastream.functions import AsyncFunction, AsyncRetryStrategy, KeyedProcessFunction


@pytest.fixture
def env():
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


def collect(stream):
    with stream.execute_and_collect() as records:
        return list(records)


def none():
    return WatermarkStrategy.no_watermarks()


@pytest.mark.parametrize("parallelism", [1, 3])
def test_a_sequence(env, parallelism):
    env.set_parallelism(parallelism)
    stream = env.from_source(NumberSequenceSource(5, 5_004), none(), "numbers", Types.LONG())
    found = collect(stream.map(lambda n: n * 2))
    assert sorted(found) == [n * 2 for n in range(5, 5_005)]
    assert parallelism > 1 or found == sorted(found)


def test_text_files_both_ways(env, tmp_path):
    config = OutputFileConfig.builder().with_part_prefix("my").with_part_suffix(".txt").build()
    sink = (
        FileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder())
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .with_rolling_policy(RollingPolicy.default_rolling_policy())
        .with_output_file_config(config)
        .build()
    )
    env.from_collection(["é", "b"], Types.STRING()).map(lambda x: x + "!", Types.STRING()).sink_to(sink)
    env.execute()
    (file,) = [path for path in tmp_path.iterdir() if not path.name.startswith(".")]
    assert re.fullmatch(r"my-.*\.txt", file.name) and file.read_text() == "é!\nb!\n"
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path)).build()
    assert collect(env.from_source(source, none(), "lines").map(lambda line: line.upper())) == ["É!", "B!"]


def test_buckets_by_the_clock(env, tmp_path):
    sink = FileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder()).build()
    env.from_collection(["a"], Types.STRING()).sink_to(sink)
    env.execute()
    (folder,) = tmp_path.iterdir()
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}--\d{2}", folder.name)
    assert [path.read_text() for path in folder.iterdir()] == ["a\n"]


ROW = Types.ROW_NAMED(["id", "name"], [Types.INT(), Types.STRING()])


def test_kafka_both_ways(env, broker):
    topic = f"ds-{time.time_ns()}"
    sink = (
        KafkaSink.builder()
        .set_bootstrap_servers(broker.address)
        .set_record_serializer(
            KafkaRecordSerializationSchema.builder()
            .set_topic(topic)
            .set_value_serialization_schema(JsonRowSerializationSchema.builder().with_type_info(ROW).build())
            .build()
        )
        .build()
    )
    env.from_collection([(1, "a"), (2, None)]).map(lambda x: Row(*x), ROW).sink_to(sink)
    env.execute()

    def source(schema):
        builder = KafkaSource.builder().set_bootstrap_servers(broker.address).set_topics(topic).set_group_id("g")
        offsets = KafkaOffsetsInitializer.latest()
        return (
            builder.set_starting_offsets(KafkaOffsetsInitializer.earliest())
            .set_bounded(offsets)
            .set_value_only_deserializer(schema)
            .build()
        )

    rows = JsonRowDeserializationSchema.builder().type_info(ROW).build()
    assert collect(env.from_source(source(rows), none(), "rows")) == [Row(id=1, name="a"), Row(id=2, name=None)]
    texts = collect(env.from_source(source(SimpleStringSchema()), none(), "texts").map(json.loads))
    assert texts == [{"id": 1, "name": "a"}, {"id": 2, "name": None}]


def test_records_of_kafka_have_its_timestamps(env, broker):
    topic = f"ds-{time.time_ns()}"
    serializer = KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(SimpleStringSchema()).build()
    sink = KafkaSink.builder().set_bootstrap_servers(broker.address).set_record_serializer(serializer).build()
    before = time.time_ns() // 1_000_000
    env.from_collection(["a"], Types.STRING()).sink_to(sink)
    env.execute()

    class Time_(KeyedProcessFunction):
        def process_element(self, value, ctx):
            yield value, ctx.timestamp()

    source = (
        KafkaSource.builder()
        .set_bootstrap_servers(broker.address)
        .set_topics(topic)
        .set_starting_offsets(KafkaOffsetsInitializer.earliest())
        .set_bounded(KafkaOffsetsInitializer.latest())
        .set_value_only_deserializer(SimpleStringSchema())
        .build()
    )
    stream = env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "s").key_by(lambda x: x).process(Time_())
    ((value, stamp),) = collect(stream)
    assert value == "a" and before - 1000 <= stamp <= time.time_ns() // 1_000_000 + 1000


class Slowly(AsyncFunction):
    async def async_invoke(self, value):
        await asyncio.sleep(0.02 if value % 2 else 0.001)
        return [value, value * 10]


def test_async_results_in_order_and_as_they_come(env):
    numbers = env.from_collection([1, 2, 3, 4])
    assert collect(AsyncDataStream.ordered_wait(numbers, Slowly(), Time.seconds(60))) == [1, 10, 2, 20, 3, 30, 4, 40]
    assert sorted(collect(AsyncDataStream.unordered_wait(numbers, Slowly(), Time.seconds(60), 2))) == [1, 2, 3, 4, 10, 20, 30, 40]


def test_async_retries_and_time_outs(env):
    class Twice(AsyncFunction):
        def open(self, runtime_context):
            self.tries = {}

        async def async_invoke(self, value):
            self.tries[value] = self.tries.get(value, 0) + 1
            if self.tries[value] < 3:
                raise ValueError("not yet")
            return [(value, self.tries[value])]

    strategy = AsyncRetryStrategy.fixed_delay(5, 1, None, lambda error: isinstance(error, ValueError))
    numbers = env.from_collection([1, 2])
    stream = AsyncDataStream.ordered_wait_with_retry(numbers, Twice(), Time.seconds(60), strategy)
    assert collect(stream) == [(1, 3), (2, 3)]
    with pytest.raises(Exception, match="not yet"):
        collect(AsyncDataStream.ordered_wait(numbers, Twice(), Time.seconds(60)))

    class Never(AsyncFunction):
        async def async_invoke(self, value):
            await asyncio.sleep(60)
            return [value]

        def timeout(self, value):
            return [-value]

    assert collect(AsyncDataStream.unordered_wait(numbers, Never(), Time.milliseconds(20))) in ([-1, -2], [-2, -1])


def test_batch_mode_reduces_once_a_key(env):
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    stream = env.from_collection([("a", 1), ("b", 2), ("a", 3)])
    assert sorted(collect(stream.key_by(lambda x: x[0]).reduce(lambda p, q: (p[0], p[1] + q[1])))) == [("a", 4), ("b", 2)]


def test_the_plan_as_json(env):
    env.set_parallelism(2)
    stream = env.from_collection([1]).map(lambda x: x).name("first").set_parallelism(3)
    stream.key_by(lambda x: x).reduce(lambda a, b: a).rebalance().print()
    nodes = json.loads(env.get_execution_plan())["nodes"]
    assert [(node["type"], node["pact"], node["parallelism"]) for node in nodes] == [
        ("Source: Collection Source", "Data Source", 1),
        ("first", "Operator", 3),
        ("_stream_key_by_map_operator", "Operator", 3),
        ("Reduce", "Operator", 2),
        ("Sink: Print to Std. Out", "Data Sink", 2),
    ]
    strategies = [node["predecessors"][0]["ship_strategy"] for node in nodes[1:]]
    assert strategies == ["REBALANCE", "FORWARD", "HASH", "REBALANCE"]


def test_a_job_can_be_cancelled(env):
    env.from_source(NumberSequenceSource(0, 10**9), none(), "numbers").map(lambda n: time.sleep(0.001)).print()
    client = env.execute_async("endless")
    client.cancel().result()
    with pytest.raises(Exception, match="cancel"):
        client.get_job_execution_result().result()


def test_watermarks_wait_for_the_slowest_split(env, tmp_path):
    """Two files are read one after the other, with time between them for a watermark: the second's records are not late."""
    for name in ("a", "b"):
        (tmp_path / name).write_text("".join(f"{n}\n" for n in range(300)))

    class Slow(TimestampAssigner):
        def extract_timestamp(self, value, record_timestamp):
            time.sleep(0.001)
            return int(value)

    class Late(KeyedProcessFunction):
        def process_element(self, value, ctx):
            yield ctx.timestamp() <= ctx.timer_service().current_watermark()

    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Slow())
    source = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path)).build()
    assert collect(env.from_source(source, strategy, "lines").key_by(lambda x: 0).process(Late())) == [False] * 600


def lines_of(folder):
    return FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(folder)).build()


@pytest.mark.parametrize("parallelism", [1, 3])
def test_sources_one_after_the_other(env, tmp_path, parallelism):
    env.set_parallelism(parallelism)
    for folder, names in (("old", "abcd"), ("new", "xy")):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).write_text("".join(f"{name}{n}\n" for n in range(100)))
    source = HybridSource.builder(lines_of(tmp_path / "old")).add_source(lines_of(tmp_path / "new")).build()
    stream = env.from_source(source, none(), "both")
    found = collect(stream if parallelism == 1 else stream.map(lambda line: line).set_parallelism(1))
    assert sorted(found[:400]) == sorted(f"{name}{n}" for name in "abcd" for n in range(100))
    assert sorted(found[400:]) == sorted(f"{name}{n}" for name in "xy" for n in range(100))


def test_files_and_then_the_topic_that_goes_on(env, tmp_path, broker):
    topic = f"ds-{time.time_ns()}"
    serializer = KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(SimpleStringSchema()).build()
    env.from_collection(["k1", "k2"], Types.STRING()).sink_to(
        KafkaSink.builder().set_bootstrap_servers(broker.address).set_record_serializer(serializer).build()
    )
    env.execute()
    (tmp_path / "f").write_text("f1\nf2\n")
    kafka = (
        KafkaSource.builder()
        .set_bootstrap_servers(broker.address)
        .set_topics(topic)
        .set_starting_offsets(KafkaOffsetsInitializer.earliest())
        .set_value_only_deserializer(SimpleStringSchema())
    )

    class Stamped(KeyedProcessFunction):
        def process_element(self, value, ctx):
            yield value, ctx.timestamp() is not None and ctx.timestamp() > 0

    def read(last):
        source = HybridSource.builder(lines_of(tmp_path)).add_source(last).build()
        stream = env.from_source(source, WatermarkStrategy.for_monotonous_timestamps(), "both")
        return stream.key_by(lambda x: 0).process(Stamped())

    expected = [("f1", False), ("f2", False), ("k1", True), ("k2", True)]
    assert collect(read(kafka.set_bounded(KafkaOffsetsInitializer.latest()).build())) == expected
    endless = KafkaSource.builder().set_bootstrap_servers(broker.address).set_topics(topic)
    endless.set_starting_offsets(KafkaOffsetsInitializer.earliest()).set_value_only_deserializer(SimpleStringSchema())
    with read(endless.build()).execute_and_collect() as records:
        assert [next(records) for _ in range(4)] == expected


def test_sequences_one_after_the_other(env):
    source = HybridSource.builder(NumberSequenceSource(1, 3)).add_source(NumberSequenceSource(1, 2)).build()
    assert collect(env.from_source(source, none(), "numbers", Types.LONG())) == [1, 2, 3, 1, 2]


def test_sources_that_do_not_follow_each_other(env, tmp_path):
    mixed = HybridSource.builder(NumberSequenceSource(1, 3)).add_source(lines_of(tmp_path)).build()
    with pytest.raises(ValueError, match="records of different types"):
        env.from_source(mixed, none(), "mixed")
    inner = HybridSource.builder(lines_of(tmp_path)).add_source(lines_of(tmp_path)).build()
    nested = HybridSource.builder(lines_of(tmp_path)).add_source(inner).build()
    with pytest.raises(NotImplementedError, match="source 'nested': nested sources inside a HybridSource"):
        env.from_source(nested, none(), "nested")
