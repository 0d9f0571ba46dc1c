"""Connectors and formats of the DataStream API: what they tell the engine, and that the engine takes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyflink.common import Duration, Types
from pyflink.common.serialization import ByteArraySchema, Encoder, RowFieldExtractorSchema, SimpleStringSchema
from pyflink.datastream.connectors import DeliveryGuarantee
from pyflink.datastream.connectors.base import StreamTransformer, SupportsPreprocessing
from pyflink.datastream.connectors.cassandra import CassandraSink
from pyflink.datastream.connectors.dynamic_kafka import (
    DynamicKafkaSource,
    KafkaRecordDeserializationSchema,
    SingleClusterTopicMetadataService,
    StreamPatternSubscriber,
)
from pyflink.datastream.connectors.elasticsearch import Elasticsearch7SinkBuilder, ElasticsearchEmitter
from pyflink.datastream.connectors.file_system import (
    BucketAssigner,
    FileCompactor,
    FileCompactStrategy,
    FileEnumeratorProvider,
    FileSink,
    FileSource,
    FileSplitAssignerProvider,
    OutputFileConfig,
    RollingPolicy,
    StreamFormat,
    StreamingFileSink,
)
from pyflink.datastream.connectors.hybrid_source import HybridSource
from pyflink.datastream.connectors.jdbc import JdbcConnectionOptions, JdbcExecutionOptions, JdbcSink
from pyflink.datastream.connectors.kafka import (
    FlinkKafkaConsumer,
    FlinkKafkaProducer,
    KafkaOffsetResetStrategy,
    KafkaOffsetsInitializer,
    KafkaRecordSerializationSchema,
    KafkaSink,
    KafkaSource,
    KafkaTopicPartition,
    KafkaTopicSelector,
    Semantic,
)
from pyflink.datastream.connectors.kinesis import FlinkKinesisConsumer, KinesisStreamsSink, PartitionKeyGenerator
from pyflink.datastream.connectors.number_seq import NumberSequenceSource
from pyflink.datastream.connectors.pulsar import PulsarSink, PulsarSource
from pyflink.datastream.connectors.rabbitmq import RMQConnectionConfig, RMQSink, RMQSource
from pyflink.datastream.formats.avro import (
    AvroBulkWriters,
    AvroRowDeserializationSchema,
    AvroRowSerializationSchema,
    AvroSchema,
    GenericRecordAvroTypeInfo,
)
from pyflink.datastream.formats.csv import (
    CsvBulkWriters,
    CsvReaderFormat,
    CsvRowDeserializationSchema,
    CsvRowSerializationSchema,
    CsvSchema,
)
from pyflink.datastream.formats.json import JsonRowDeserializationSchema, JsonRowSerializationSchema
from pyflink.datastream.formats.orc import OrcBulkWriters
from pyflink.datastream.formats.parquet import ParquetBulkWriters, ParquetColumnarRowInputFormat
from pyflink.table import DataTypes, TableEnvironment
from thalweg.cli.embedded_broker import EmbeddedBroker

ROW = Types.ROW_NAMED(["id", "name"], [Types.INT(), Types.STRING()])


def create(environment: TableEnvironment, name: str, description: Any) -> None:
    """The table that a description stands for."""
    columns = [
        f"`{column.name}` {column.sql_type}" + (f" METADATA FROM '{column.metadata}'" if column.metadata else "")
        for column in description.columns
    ]
    options = {"connector": description.connector, **description.options}
    settings = ", ".join("'{}' = '{}'".format(key, value.replace("'", "''")) for key, value in options.items())
    environment.execute_sql(f"CREATE TABLE {name} ({', '.join(columns)}) WITH ({settings})")


def write(environment: TableEnvironment, name: str, description: Any, records: list[Any]) -> None:
    """Writes records as the sink would: each column takes its value from the record."""
    create(environment, name, description)
    rows = [tuple(record if column.of is None else column.of(record) for column in description.columns) for record in records]
    values = ", ".join("(" + ", ".join(literal(value) for value in row) + ")" for row in rows)
    environment.execute_sql(f"INSERT INTO {name} VALUES {values}").wait()


def literal(value: Any) -> str:
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def read(environment: TableEnvironment, name: str, description: Any, count: int) -> list[tuple[Any, ...]]:
    """The first rows, without what metadata says."""
    create(environment, name, description)
    columns = ", ".join(f"`{column.name}`" for column in description.columns if column.metadata is None)
    with environment.execute_sql(f"SELECT {columns} FROM {name}").collect() as rows:
        return [tuple(row) for _, row in zip(range(count), rows)]


# --- Kafka
def kafka_source(broker: EmbeddedBroker, topic: str, schema: Any) -> KafkaSource:
    return (
        KafkaSource.builder()
        .set_bootstrap_servers(broker.address)
        .set_topics(topic)
        .set_group_id("readers")
        .set_bounded(KafkaOffsetsInitializer.latest())
        .set_value_only_deserializer(schema)
        .build()
    )


def kafka_sink(broker: EmbeddedBroker, topic: str, schema: Any, **more: Any) -> KafkaSink:
    serializer = KafkaRecordSerializationSchema.builder().set_topic(topic).set_value_serialization_schema(schema)
    if "key" in more:
        serializer = serializer.set_key_serialization_schema(more["key"])
    return KafkaSink.builder().set_bootstrap_servers(broker.address).set_record_serializer(serializer.build()).build()


@pytest.mark.parametrize(
    ("name", "writer", "reader", "records", "rows"),
    [
        ("texts", SimpleStringSchema(), SimpleStringSchema(), ["a", "it's"], [("a",), ("it's",)]),
        ("blobs", ByteArraySchema(), ByteArraySchema(), [b"\x00\x01"], [(b"\x00\x01",)]),
        (
            "json",
            JsonRowSerializationSchema.builder().with_type_info(ROW).build(),
            JsonRowDeserializationSchema.builder().type_info(ROW).ignore_parse_errors().build(),
            [(1, "x"), (2, "y")],
            [(1, "x"), (2, "y")],
        ),
        (
            "csv",
            CsvRowSerializationSchema.Builder(ROW).set_field_delimiter(";").set_quote_character("'").build(),
            CsvRowDeserializationSchema.Builder(ROW).set_field_delimiter(";").set_quote_character("'").build(),
            [(1, "x;y")],
            [(1, "x;y")],
        ),
    ],
)
def test_kafka_both_ways(
    streaming: TableEnvironment, broker: EmbeddedBroker, name: str, writer: Any, reader: Any, records: list[Any], rows: list[Any]
) -> None:
    topic = f"connectors-{name}"
    write(streaming, "target", kafka_sink(broker, topic, writer)._description(), records)
    assert read(streaming, "origin", kafka_source(broker, topic, reader)._description(), len(rows)) == rows


def test_kafka_with_avro(streaming: TableEnvironment, broker: EmbeddedBroker) -> None:
    schema = json.dumps({
        "type": "record", "name": "r",
        "fields": [{"name": "id", "type": "int"}, {"name": "note", "type": ["null", "string"]}],
    })  # fmt: skip
    sink = kafka_sink(broker, "connectors-avro", AvroRowSerializationSchema(avro_schema_string=schema))._description()
    assert [(column.name, column.sql_type) for column in sink.columns] == [("id", "INT NOT NULL"), ("note", "STRING")]
    write(streaming, "target", sink, [(7, "seven")])
    source = kafka_source(broker, "connectors-avro", AvroRowDeserializationSchema(avro_schema_string=schema))._description()
    assert read(streaming, "origin", source, 1) == [(7, "seven")]


def test_kafka_keys_and_topics_by_record(streaming: TableEnvironment, broker: EmbeddedBroker) -> None:
    class ByName(KafkaTopicSelector):
        def apply(self, data: Any) -> str:
            return "connectors-topic-" + data[1].decode()

    serializer = (
        KafkaRecordSerializationSchema.builder()
        .set_topic_selector(ByName())
        .set_key_serialization_schema(RowFieldExtractorSchema(1))
        .set_value_serialization_schema(RowFieldExtractorSchema(0))
        .build()
    )
    sink = KafkaSink.builder().set_bootstrap_servers(broker.address).set_record_serializer(serializer).build()
    description = sink._description()
    write(streaming, "target", description, [(b"one", b"a"), (b"two", b"b")])
    for topic, value in (("a", b"one"), ("b", b"two")):
        source = kafka_source(broker, f"connectors-topic-{topic}", ByteArraySchema())._description()
        assert read(streaming, f"origin_{topic}", source, 1) == [(value,)]


def test_offsets_of_kafka() -> None:
    def options(start: KafkaOffsetsInitializer) -> dict[str, str]:
        builder = KafkaSource.builder().set_bootstrap_servers("b:1").set_topics("a", "b").set_starting_offsets(start)
        made = builder.set_value_only_deserializer(SimpleStringSchema()).build()._description().options
        return {key: value for key, value in made.items() if key.startswith(("scan.", "topic", "properties.auto"))}

    both = {"topic": "a;b"}
    assert options(KafkaOffsetsInitializer.earliest()) == {**both, "scan.startup.mode": "earliest-offset"}
    assert options(KafkaOffsetsInitializer.latest()) == {**both, "scan.startup.mode": "latest-offset"}
    assert options(KafkaOffsetsInitializer.timestamp(7)) == {
        **both, "scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "7",
    }  # fmt: skip
    committed = KafkaOffsetsInitializer.committed_offsets(KafkaOffsetResetStrategy.LATEST)
    assert options(committed) == {**both, "scan.startup.mode": "group-offsets", "properties.auto.offset.reset": "latest"}
    one = {KafkaTopicPartition("a", 1): 5, KafkaTopicPartition("a", 0): 3}
    assert options(KafkaOffsetsInitializer.offsets(one))["scan.startup.specific-offsets"] == "partition:0,offset:3;partition:1,offset:5"
    two = {KafkaTopicPartition("a", 1): 5, KafkaTopicPartition("b", 0): 3}
    with pytest.raises(NotImplementedError, match=r"KafkaSource: offsets of several topics.*union"):
        options(KafkaOffsetsInitializer.offsets(two))


def test_builders_of_kafka_say_what_is_missing() -> None:
    with pytest.raises(ValueError, match=r"bootstrap\.servers"):
        KafkaSource.builder().set_topics("a").build()
    with pytest.raises(ValueError, match="No subscribe mode"):
        KafkaSource.builder().set_bootstrap_servers("b:1").build()
    with pytest.raises(ValueError, match="Deserialization schema"):
        KafkaSource.builder().set_bootstrap_servers("b:1").set_topics("a").build()
    with pytest.raises(ValueError, match="set already"):
        KafkaSource.builder().set_topics("a").set_topic_pattern("b")
    with pytest.raises(ValueError, match="value serializer"):
        KafkaRecordSerializationSchema.builder().set_topic("a").build()
    exactly = KafkaSink.builder().set_bootstrap_servers("b:1").set_delivery_guarantee(DeliveryGuarantee.EXACTLY_ONCE)
    schema = KafkaRecordSerializationSchema.builder().set_topic("a").set_value_serialization_schema(SimpleStringSchema()).build()
    with pytest.raises(ValueError, match="transactionalIdPrefix"):
        exactly.set_record_serializer(schema).build()
    made = exactly.set_transactional_id_prefix("app").build()._description().options
    assert (made["sink.delivery-guarantee"], made["sink.transactional-id-prefix"]) == ("exactly-once", "app")


def test_partitions_of_kafka_are_kept_apart() -> None:
    wanted = {KafkaTopicPartition("t", 1), KafkaTopicPartition("t", 2)}
    builder = KafkaSource.builder().set_bootstrap_servers("b:1").set_partitions(wanted)
    made = builder.set_value_only_deserializer(SimpleStringSchema()).build()._description()
    assert made.partitions == {("t", 1), ("t", 2)}
    assert made.options["topic"] == "t"
    assert {"topic", "partition"} <= {column.metadata for column in made.columns}


def test_older_classes_of_kafka(streaming: TableEnvironment, broker: EmbeddedBroker) -> None:
    properties = {"bootstrap.servers": broker.address, "group.id": "old"}
    producer = FlinkKafkaProducer("connectors-old", SimpleStringSchema(), properties, semantic=Semantic.AT_LEAST_ONCE)
    write(streaming, "target", producer._description(), ["old"])
    consumer = FlinkKafkaConsumer("connectors-old", SimpleStringSchema(), properties).set_start_from_earliest()
    assert consumer.get_produced_type() == Types.STRING()
    assert read(streaming, "origin", consumer._description(), 1) == [("old",)]


def test_streams_of_one_cluster(streaming: TableEnvironment, broker: EmbeddedBroker) -> None:
    write(streaming, "target", kafka_sink(broker, "connectors-dynamic", SimpleStringSchema())._description(), ["d"])
    source = (
        DynamicKafkaSource.builder()
        .set_stream_ids({"connectors-dynamic"})
        .set_kafka_metadata_service(SingleClusterTopicMetadataService("c", {"bootstrap.servers": broker.address}))
        .set_value_only_deserializer(SimpleStringSchema())
        .set_bounded(KafkaOffsetsInitializer.latest())
        .set_group_id("dynamic")
        .build()
    )
    assert read(streaming, "origin", source._description(), 1) == [("d",)]


# --- files
def test_text_files(streaming: TableEnvironment, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(f"{name} 1\n{name} 2\n")
    builder = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path / "a"), f"file://{tmp_path}/b")
    source = builder.set_file_enumerator(FileEnumeratorProvider.default_splittable_file_enumerator()).build()._description()
    assert source.bounded
    assert not source.in_turn
    rows = [row for number, part in enumerate(source.parts) for row in read(streaming, f"origin{number}", part, 2)]
    assert rows == [("a 1",), ("a 2",), ("b 1",), ("b 2",)]
    watching = builder.monitor_continuously(Duration.of_seconds(3)).build()._description()
    assert not watching.bounded
    assert watching.parts[0].options["source.monitor-interval"] == "3000 ms"
    with pytest.raises(ValueError, match="at least one path"):
        FileSource.for_record_stream_format(StreamFormat.text_line_format())


def test_sinks_of_texts(streaming: TableEnvironment, tmp_path: Path) -> None:
    builder = (
        FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder())
        .with_bucket_check_interval(1000)
        .with_bucket_assigner(BucketAssigner.base_path_bucket_assigner())
        .with_rolling_policy(RollingPolicy.default_rolling_policy(1024, 2000, 3000))
        .with_output_file_config(OutputFileConfig.builder().with_part_prefix("pre").with_part_suffix(".txt").build())
    )
    description = builder.build()._description()
    assert (description.files.prefix, description.files.suffix, description.files.bucket) == ("pre", ".txt", None)
    write(streaming, "target", description, ["x", "5"])
    assert "".join(file.read_text() for file in (tmp_path / "out").iterdir()) == "x\n5\n"
    old = StreamingFileSink.for_row_format(str(tmp_path), Encoder.simple_string_encoder()).build()
    assert old._description().files.bucket == "yyyy-MM-dd--HH"
    strategy = FileCompactStrategy.builder().set_size_threshold(1024).build()
    with pytest.raises(NotImplementedError, match=r"FileSink.enable_compact.*merging of small files"):
        builder.enable_compact(strategy, FileCompactor.concat_file_compactor(b"\n")).build()._description()


def test_csv_files(streaming: TableEnvironment, tmp_path: Path) -> None:
    schema = (
        CsvSchema.builder()
        .add_number_column("id", DataTypes.INT())
        .add_string_column("name")
        .add_array_column("list", ":", DataTypes.INT())
        .set_column_separator("|")
        .build()
    )
    assert len(schema) == 3
    sink = FileSink.for_bulk_format(str(tmp_path / "out"), CsvBulkWriters.for_schema(schema))
    description = sink.with_bucket_assigner(BucketAssigner.base_path_bucket_assigner()).build()._description()
    create(streaming, "target", description)
    streaming.execute_sql("INSERT INTO target VALUES (1, 'a|b', ARRAY[1, 2])").wait()
    assert "".join(file.read_text() for file in (tmp_path / "out").iterdir()) == '1|"a|b"|"1:2"\n'
    source = FileSource.for_record_stream_format(CsvReaderFormat.for_schema(schema), str(tmp_path / "out")).build()._description()
    assert read(streaming, "origin", source, 1) == [(1, "a|b", [1, 2])]
    assert source.produced_type == Types.ROW_NAMED(["id", "name", "list"], [Types.INT(), Types.STRING(), Types.OBJECT_ARRAY(Types.INT())])


def test_sources_in_turn(tmp_path: Path) -> None:
    files = FileSource.for_record_stream_format(StreamFormat.text_line_format(), str(tmp_path)).build()
    kafka = KafkaSource.builder().set_bootstrap_servers("b:1").set_topics("a").set_value_only_deserializer(SimpleStringSchema())
    made = HybridSource.builder(files).add_source(kafka.build()).build()._description()
    assert made.in_turn
    assert [part.connector for part in made.parts] == ["filesystem", "kafka"]
    assert not made.bounded
    with pytest.raises(ValueError, match="source 1 never ends"):
        HybridSource.builder(kafka.build()).add_source(files).build()._description()


def test_number_sequences() -> None:
    made = NumberSequenceSource(3, 9)._description()
    assert (made.connector, dict(made.options), made.produced_type) == ("sequence", {"start": "3", "end": "9"}, Types.LONG())
    with pytest.raises(ValueError, match="must be <="):
        NumberSequenceSource(2, 1)


# --- what there is no connector for
def _elasticsearch() -> Any:
    return Elasticsearch7SinkBuilder().set_emitter(ElasticsearchEmitter.static_index("i")).set_hosts(["localhost:9200"]).build()


def _jdbc() -> Any:
    connection = JdbcConnectionOptions.JdbcConnectionOptionsBuilder().with_url("jdbc:x").with_user_name("me").build()
    assert (connection.get_db_url(), connection.get_user_name()) == ("jdbc:x", "me")
    execution = JdbcExecutionOptions.builder().with_batch_size(7).build()
    assert (execution.get_batch_size(), execution.get_max_retries()) == (7, 3)
    return JdbcSink.sink("INSERT", ROW, connection, execution)


def _rabbit() -> RMQConnectionConfig:
    config = RMQConnectionConfig.Builder().set_host("h").set_port(5672).set_virtual_host("/").set_user_name("u").build()
    assert (config.get_host(), config.get_port(), config.get_uri()) == ("h", 5672, None)
    return config


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("PulsarSource", lambda: PulsarSource.builder().set_service_url("pulsar://x").set_topics("t").build()),
        ("PulsarSink", lambda: PulsarSink.builder().set_topics("t").set_delivery_guarantee(DeliveryGuarantee.NONE).build()),
        ("FlinkKinesisConsumer", lambda: FlinkKinesisConsumer("s", SimpleStringSchema(), {})),
        (
            "KinesisStreamsSink",
            lambda: KinesisStreamsSink.builder().set_partition_key_generator(PartitionKeyGenerator.fixed()).set_stream_name("s").build(),
        ),
        ("ElasticsearchSink", _elasticsearch),
        ("JdbcSink", _jdbc),
        ("RMQSource", lambda: RMQSource(_rabbit(), "q", False, SimpleStringSchema())),
        ("RMQSink", lambda: RMQSink(_rabbit(), "q", SimpleStringSchema())),
    ],
)
def test_other_services_are_refused_by_name(name: str, make: Any) -> None:
    with pytest.raises(NotImplementedError, match=rf"{name}: this version of Thalweg has no .*Kafka"):
        make()._description()


def test_other_formats_are_refused_by_name() -> None:
    schema = AvroSchema.parse_string('{"type": "record", "name": "r", "fields": []}')
    row = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())])
    for name, made in (
        ("AvroBulkWriters", AvroBulkWriters.for_generic_record(schema)),
        ("OrcBulkWriters", OrcBulkWriters.for_row_type(row)),
        ("ParquetBulkWriters", ParquetBulkWriters.for_row_type(row)),
        ("ParquetColumnarRowInputFormat", ParquetColumnarRowInputFormat(row)),
    ):
        with pytest.raises(NotImplementedError, match=f"{name}: this version of Thalweg has no"):
            made._format()
    with pytest.raises(NotImplementedError, match=r"CassandraSink\.add_sink"):
        CassandraSink.add_sink(None)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ({"name": "u", "type": ["int", "null"]}, "union of 'u'"),
        ({"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["A"]}}, "'e' is of type 'enum'"),
    ],
)
def test_avro_schemas_that_no_column_is_like(field: Any, text: str) -> None:
    schema = json.dumps({"type": "record", "name": "r", "fields": [field]})
    with pytest.raises(ValueError, match=text):
        AvroRowDeserializationSchema(avro_schema_string=schema)._format()


def test_json_schemas() -> None:
    text = json.dumps({
        "type": "object",
        "properties": {
            "id": {"type": "integer"}, "name": {"type": ["string", "null"]}, "when": {"type": "string", "format": "date-time"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    })  # fmt: skip
    made = JsonRowDeserializationSchema.builder().json_schema(text).build()._format()
    assert [(column.name, column.sql_type) for column in made.columns] == [
        ("id", "DECIMAL(38, 18)"), ("name", "STRING"), ("when", "TIMESTAMP(3)"), ("tags", "ARRAY<STRING>"),
    ]  # fmt: skip
    with pytest.raises(TypeError, match="Type information must be set"):
        JsonRowDeserializationSchema.builder().build()
    with pytest.raises(TypeError, match=r"Types\.ROW"):
        JsonRowSerializationSchema.builder().with_type_info(Types.STRING()).build()._format()


def test_settings_of_csv_schemas(streaming: TableEnvironment, tmp_path: Path) -> None:
    first = CsvSchema.builder().add_boolean_column("b").add_array_column("words", "/")
    schema = (
        CsvSchema.builder()
        .add_string_column("gone")
        .clear_columns()
        .add_columns_from(first.build())
        .add_number_column("n")
        .set_column_separator(";")
        .set_allow_comments()
        .set_escape_char("\\")
        .set_quote_char("'")
        .set_null_value("-")
        .set_line_separator("\n")
        .build()
    )
    assert (first.size(), schema.size()) == (2, 3)
    (tmp_path / "in.csv").write_text("# nothing\ntrue;a/b;1\nfalse;'c';-\n")
    source = FileSource.for_record_stream_format(CsvReaderFormat(schema), str(tmp_path / "in.csv")).process_static_file_set().build()
    rows = [(True, ["a", "b"], 1), (False, ["c"], None)]
    assert read(streaming, "origin", source._description(), 2) == rows
    plain = CsvSchema.builder().add_string_column("s").set_quote_char("'").disable_quote_char().set_escape_char("x").disable_escape_char()
    assert plain.build()._format("x").options == {"disable-quote-character": "true"}
    array = CsvSchema.builder().add_array_column("a", ":").remove_array_element_separator(0).set_array_element_separator("!")
    assert array.build()._format("x").options == {"array-element-delimiter": "!"}
    for name, arguments in (
        ("set_any_property_name", ("rest",)),
        ("disable_array_element_separator", ()),
        ("set_line_separator", ("\r",)),
    ):
        refusing = getattr(CsvSchema.builder().add_string_column("s"), name)(*arguments)
        with pytest.raises(NotImplementedError, match=rf"CsvSchemaBuilder\.{name}"):
            refusing.build()._format("x")


def test_other_settings_of_sources_and_sinks(tmp_path: Path) -> None:
    builder = KafkaSource.builder().set_properties({"bootstrap.servers": "b:1"}).set_topic_pattern("t.*").set_client_id_prefix("me")
    source = builder.set_unbounded(KafkaOffsetsInitializer.timestamp(9)).set_value_only_deserializer(SimpleStringSchema()).build()
    made = source._description()
    assert not made.bounded
    assert (made.options["topic-pattern"], made.options["scan.bounded.timestamp-millis"]) == ("t.*", "9")
    dynamic = (
        DynamicKafkaSource.builder()
        .set_kafka_stream_subscriber(StreamPatternSubscriber("x.*"))
        .set_stream_pattern("s.*")
        .set_kafka_metadata_service(SingleClusterTopicMetadataService("c", {"bootstrap.servers": "b:1"}))
        .set_deserializer(KafkaRecordDeserializationSchema(SimpleStringSchema()))
        .set_starting_offsets(KafkaOffsetsInitializer.latest())
        .set_properties({"a": "b"})
        .set_property("c", "d")
        .set_client_id_prefix("me")
        .build()
    )
    options = dynamic._description().options
    assert (options["topic-pattern"], options["properties.a"], options["scan.startup.mode"]) == ("s.*", "b", "latest-offset")
    with pytest.raises(ValueError, match="metadata service is required"):
        DynamicKafkaSource.builder().set_stream_ids(["a"]).build()
    split = FileSplitAssignerProvider.locality_aware_split_assigner()
    files = FileSource.for_record_stream_format(StreamFormat.text_line_format("ISO-8859-1"), str(tmp_path))
    files.set_split_assigner(split).set_file_enumerator(FileEnumeratorProvider.default_non_splittable_file_enumerator())
    assert files.build()._description().options["raw.charset"] == "ISO-8859-1"
    schema = CsvSchema.builder().add_string_column("s").build()
    sink = FileSink.for_bulk_format(str(tmp_path), CsvBulkWriters.for_schema(schema)).disable_compact()
    sink = sink.with_rolling_policy(RollingPolicy.on_checkpoint_rolling_policy())
    assert sink.build().get_transformer() is None
    assert "sink.rolling-policy.file-size" in sink.build()._description().options
    old = StreamingFileSink.for_bulk_format(str(tmp_path), CsvBulkWriters.for_schema(schema)).build()
    assert old._description().options["format"] == "csv"
    assert FileCompactor.identical_file_compactor() is not None
    serializer = KafkaRecordSerializationSchema.builder().set_topic("t").set_value_serialization_schema(SimpleStringSchema()).build()
    assert KafkaSink.builder().set_bootstrap_servers("b:1").set_record_serializer(serializer).build().get_transformer() is None
    with pytest.raises(NotImplementedError, match="ParquetColumnarRowInputFormat"):
        row = DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())])
        FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(row), str(tmp_path)).build()._description()


def test_avro_schemas(tmp_path: Path) -> None:
    text = '{"type": "record", "name": "r", "fields": [{"name": "a", "type": "int"}]}'
    (tmp_path / "r.avsc").write_text(text)
    schema = AvroSchema.parse_file(str(tmp_path / "r.avsc"))
    assert schema == AvroSchema.parse_string(text) == AvroSchema(json.loads(text))
    kind = GenericRecordAvroTypeInfo(schema)
    assert kind.get_java_type_info() is kind
    assert AvroRowSerializationSchema(avro_schema_string=text)._format().columns[0].name == "a"
    with pytest.raises(ValueError, match="Invalid Avro schema"):
        AvroSchema.parse_string("{")
    with pytest.raises(NotImplementedError, match="record_class"):
        AvroRowSerializationSchema(record_class="a.B")


class Doubled(StreamTransformer):
    def apply(self, ds: Any) -> Any:
        return ds.map(lambda value: value * 2)


class Preprocessing(SupportsPreprocessing):
    def get_transformer(self) -> StreamTransformer:
        return Doubled()


def test_transformers_change_streams() -> None:
    from pyflink.datastream import StreamExecutionEnvironment

    stream = StreamExecutionEnvironment.get_execution_environment().from_collection([1, 2])
    with Preprocessing().get_transformer().apply(stream).execute_and_collect() as records:
        assert sorted(records) == [2, 4]
