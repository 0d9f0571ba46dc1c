"""Corners of the DataStream API on the engine: broadcast state, timers that are taken back, sinks of keyed streams, results of jobs."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import pytest
from pyflink.common import Duration, Row, Time, Types, WatermarkStrategy
from pyflink.common.serialization import SimpleStringSchema
from pyflink.common.watermark_strategy import TimestampAssigner
from pyflink.datastream import StreamExecutionEnvironment
from pyflink.datastream.connectors.file_system import FileSink, FileSource
from pyflink.datastream.connectors.kafka import FlinkKafkaConsumer, FlinkKafkaProducer, KafkaTopicPartition, Semantic
from pyflink.datastream.formats.avro import AvroInputFormat, AvroSchema
from pyflink.datastream.formats.csv import CsvBulkWriters, CsvReaderFormat, CsvSchema, CsvSchemaBuilder
from pyflink.datastream.functions import BaseBroadcastProcessFunction, BroadcastProcessFunction, KeyedProcessFunction, MapFunction
from pyflink.datastream.state import MapStateDescriptor, OperatorStateStore, StateTtlConfig, ValueStateDescriptor
from pyflink.datastream.tests.test_util import DataStreamTestSinkFunction
from pyflink.datastream.window import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SessionWindowTimeGapExtractor,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pyflink.table import DataTypes
from thalweg.cli.embedded_broker import EmbeddedBroker

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


def _csv_rows(env: StreamExecutionEnvironment, schema: CsvSchema, path: Path, strategy: WatermarkStrategy | None = None) -> list[Any]:
    source = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(schema), str(path)).build()
    with env.from_source(source, strategy or WatermarkStrategy.no_watermarks(), "csv").execute_and_collect() as records:
        return list(records)


def _named() -> CsvSchemaBuilder:
    return CsvSchema.builder().add_string_column("word").add_number_column("count", DataTypes.INT())


def test_headers_of_csv_files(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text('word,count\nx,1\n"y,z",2\n')
    (tmp_path / "b.csv").write_text("word,count\nw,\nword,3\n")
    rows = _csv_rows(env, _named().set_use_header().set_strict_headers().build(), tmp_path)
    assert {tuple(row) for row in rows} == {("x", 1), ("y,z", 2), ("word", 3), ("w", None)}
    assert rows[0].as_dict().keys() == {"word", "count"}
    skipped = _csv_rows(env, _named().set_use_header().set_skip_first_data_row().build(), tmp_path / "a.csv")
    assert [tuple(row) for row in skipped] == [("y,z", 2)]
    first = _csv_rows(env, _named().set_skip_first_data_row().build(), tmp_path / "b.csv")
    assert len(first) == 2


def test_a_header_of_other_columns(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("other,count\nx,1\n")
    (row,) = _csv_rows(env, _named().set_use_header().build(), tmp_path)
    assert tuple(row) == ("x", 1)
    with pytest.raises(Exception, match=r"the header is \['other', 'count'\], and the schema's columns are \['word', 'count'\]"):
        _csv_rows(env, _named().set_use_header().set_strict_headers().build(), tmp_path)


def test_headers_are_not_written(tmp_path: Path) -> None:
    sink = FileSink.for_bulk_format(str(tmp_path), CsvBulkWriters.for_schema(_named().set_use_header().build())).build()
    with pytest.raises(NotImplementedError, match="CsvBulkWriters with set_use_header"):
        sink._description()


def test_headers_are_of_files_that_end(tmp_path: Path) -> None:
    reader = CsvReaderFormat.for_schema(_named().set_use_header().build())
    watched = FileSource.for_record_stream_format(reader, str(tmp_path)).monitor_continuously(Duration.of_millis(10)).build()
    with pytest.raises(NotImplementedError, match="with a header"):
        watched._description()
    with pytest.raises(FileNotFoundError, match="no files"):
        FileSource.for_record_stream_format(reader, str(tmp_path)).build()._description()


class Count(TimestampAssigner):
    """The second field is the time."""

    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        return int(value[1])


def test_times_of_rows_behind_a_header(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("word,count\nx,1\nx,2\nx,11\n")
    source = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(_named().set_use_header().build()), str(tmp_path)).build()
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(Count())
    rows = env.from_source(source, strategy, "csv").key_by(lambda row: row[0])
    windows = rows.window(TumblingEventTimeWindows.of(Time.milliseconds(10)))
    sums = windows.reduce(lambda a, b: Row(a[0], a[1] + b[1]), output_type=Types.ROW([Types.STRING(), Types.INT()]))
    with sums.execute_and_collect() as records:
        assert [tuple(record) for record in records] == [("x", 3), ("x", 11)]


def test_arrays_with_separators_of_their_own(env: StreamExecutionEnvironment, tmp_path: Path) -> None:
    builder = CsvSchema.builder().add_array_column("n", ";", DataTypes.INT()).add_array_column("b", ":", DataTypes.BOOLEAN())
    schema = builder.add_array_column("t", ",", DataTypes.STRING()).set_column_separator("|").disable_quote_char().build()
    line = "1;2;3|true:false|a,b,c\n"
    (tmp_path / "a.csv").write_text(line)
    (row,) = _csv_rows(env, schema, tmp_path / "a.csv")
    assert tuple(row) == ([1, 2, 3], [True, False], ["a", "b", "c"])
    source = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(schema), str(tmp_path / "a.csv")).build()
    rows = env.from_source(source, WatermarkStrategy.no_watermarks(), "csv")
    rows.sink_to(FileSink.for_bulk_format(str(tmp_path / "out"), CsvBulkWriters.for_schema(schema)).build())
    env.execute()
    assert [file.read_text() for file in (tmp_path / "out").rglob("*") if file.is_file()] == [line]


def test_the_older_classes_of_kafka(env: StreamExecutionEnvironment, broker: EmbeddedBroker) -> None:
    properties = {"bootstrap.servers": broker.address, "group.id": "older"}
    producer = FlinkKafkaProducer("rest-older", SimpleStringSchema(), properties, semantic=Semantic.AT_LEAST_ONCE)
    env.from_collection(["a", "b"], Types.STRING()).add_sink(producer)
    env.execute()
    consumer = FlinkKafkaConsumer("rest-older", SimpleStringSchema(), properties).set_start_from_earliest()
    with env.add_source(consumer, "older", Types.STRING()).map(str.upper).execute_and_collect() as records:
        assert [next(records), next(records)] == ["A", "B"]


def test_what_is_only_there_to_derive_from() -> None:
    assert issubclass(BroadcastProcessFunction, BaseBroadcastProcessFunction)
    assert OperatorStateStore.__abstractmethods__ == {"get_broadcast_state"}
    with pytest.raises(TypeError, match="abstract"):
        OperatorStateStore()  # type: ignore[abstract]


class Remembered(MapFunction):
    """What the key's state has before it is written; what has expired is shown until it is dropped."""

    def open(self, runtime_context: Any) -> None:
        descriptor = ValueStateDescriptor("last", Types.INT())
        builder = StateTtlConfig.new_builder(Time.milliseconds(50)).return_expired_if_not_cleaned_up()
        descriptor.enable_time_to_live(builder.build())
        self.last = runtime_context.get_state(descriptor)

    def map(self, value: int) -> Any:
        found = self.last.value()
        self.last.update(value)
        return value, found


class RememberedByProcess(KeyedProcessFunction):
    """The same, as a process function."""

    def open(self, runtime_context: Any) -> None:
        self.map = Remembered()
        self.map.open(runtime_context)

    def process_element(self, value: int, ctx: Any) -> Any:
        yield self.map.map(value)


@pytest.mark.parametrize("use", [lambda keyed: keyed.map(Remembered()), lambda keyed: keyed.process(RememberedByProcess())])
def test_expired_state_is_dropped_though_nothing_reads_it(env: StreamExecutionEnvironment, broker: EmbeddedBroker, use: Any) -> None:
    topic = f"rest-expiry-{time.time_ns()}"
    properties = {"bootstrap.servers": broker.address, "group.id": topic}
    producer = FlinkKafkaProducer(topic, SimpleStringSchema(), properties, semantic=Semantic.AT_LEAST_ONCE)

    def send(text: str) -> None:
        sending = StreamExecutionEnvironment.get_execution_environment()
        sending.from_collection([text], Types.STRING()).add_sink(producer)
        sending.execute()

    send("1")
    consumer = FlinkKafkaConsumer(topic, SimpleStringSchema(), properties).set_start_from_earliest()
    numbers = env.add_source(consumer, "numbers", Types.STRING()).map(int)
    with use(numbers.key_by(lambda number: 0)).execute_and_collect() as records:
        assert next(records) == (1, None)
        time.sleep(2.2)
        send("2")
        assert next(records) == (2, None)
