"""Kafka topics as sources and sinks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import DeserializationSchema, SerializationSchema
from thalweg.common.typeinfo import TypeInformation
from thalweg.datastream.connectors.base import Source
from thalweg.datastream.connectors.description import Column, SinkDescription, SourceDescription
from thalweg.datastream.connectors.kafka_offsets import KafkaOffsetResetStrategy, KafkaOffsetsInitializer, KafkaTopicPartition
from thalweg.datastream.connectors.kafka_sink import (
    KafkaRecordSerializationSchema,
    KafkaRecordSerializationSchemaBuilder,
    KafkaSink,
    KafkaSinkBuilder,
    KafkaTopicSelector,
    describe_sink,
    guarantee_option,
)
from thalweg.datastream.functions import SinkFunction, SourceFunction
from thalweg.datastream.utils import ResultTypeQueryable

__all__ = [
    "FlinkKafkaConsumer", "FlinkKafkaProducer", "KafkaOffsetResetStrategy", "KafkaOffsetsInitializer",
    "KafkaRecordSerializationSchema", "KafkaRecordSerializationSchemaBuilder", "KafkaSink", "KafkaSinkBuilder", "KafkaSource",
    "KafkaSourceBuilder", "KafkaTopicPartition", "KafkaTopicSelector", "Semantic",
]  # fmt: skip

TIME_COLUMN = "time of the record"


def describe_source(
    options: Mapping[str, str],
    schema: DeserializationSchema,
    bounded: bool,
    partitions: Iterable[KafkaTopicPartition] | None = None,
) -> SourceDescription:
    """A Kafka table that is read: the columns of the value, the record's time, and where it came from if that is asked for."""
    value = schema._format()
    columns = [*value.columns, Column(TIME_COLUMN, "TIMESTAMP_LTZ(3)", "timestamp")]
    wanted = None
    if partitions is not None:
        wanted = frozenset((place._topic, place._partition) for place in partitions)
        columns += [Column("topic", "STRING", "topic"), Column("partition", "INT", "partition")]
    return SourceDescription(
        "kafka",
        {**options, **value.prefixed("value.")},
        tuple(columns),
        value.record,
        value.produced_type,
        TIME_COLUMN,
        wanted,
        bounded=bounded,
    )


class KafkaSource(Source):
    """Reads Kafka topics.

    ::

        KafkaSource.builder() \\
            .set_bootstrap_servers("localhost:9092").set_topics("in").set_group_id("app") \\
            .set_starting_offsets(KafkaOffsetsInitializer.earliest()) \\
            .set_value_only_deserializer(SimpleStringSchema()).build()
    """

    def __init__(self, j_kafka_source: Any) -> None:
        super().__init__(j_kafka_source)
        self._builder: KafkaSourceBuilder = j_kafka_source

    @staticmethod
    def builder() -> KafkaSourceBuilder:
        """Starts a source."""
        return KafkaSourceBuilder()

    def _description(self) -> SourceDescription:
        made = self._builder
        assert made._schema is not None
        return describe_source(made._options("KafkaSource"), made._schema, made._is_bounded, made._partitions)


class KafkaSourceBuilder:
    """Builds a KafkaSource. Brokers, topics and a deserializer are needed; it starts at the earliest offsets and never ends."""

    def __init__(self) -> None:
        self._properties: dict[str, str] = {}
        self._topics: tuple[str, ...] = ()
        self._pattern: str | None = None
        self._partitions: frozenset[KafkaTopicPartition] | None = None
        self._start = KafkaOffsetsInitializer.earliest()
        self._stop: KafkaOffsetsInitializer | None = None
        self._is_bounded = False
        self._schema: DeserializationSchema | None = None

    def build(self) -> KafkaSource:
        """The source. Raises ValueError where something is missing."""
        if "bootstrap.servers" not in self._properties:
            raise ValueError("Property bootstrap.servers is required but not provided")
        if not (self._topics or self._pattern or self._partitions):
            raise ValueError("No subscribe mode is specified, should be one of topics, topic pattern and partition set.")
        if self._schema is None:
            raise ValueError("Deserialization schema is required but not provided.")
        built = KafkaSourceBuilder()
        built.__dict__.update(self.__dict__)
        built._properties = dict(self._properties)
        return KafkaSource(built)

    def set_bootstrap_servers(self, bootstrap_servers: str) -> KafkaSourceBuilder:
        """Addresses of brokers, HOST:PORT separated by commas."""
        return self.set_property("bootstrap.servers", bootstrap_servers)

    def set_group_id(self, group_id: str) -> KafkaSourceBuilder:
        """The consumer group whose offsets are kept up on checkpoints."""
        return self.set_property("group.id", group_id)

    def _subscribe_once(self) -> None:
        if self._topics or self._pattern or self._partitions:
            raise ValueError("Cannot use several of set_topics, set_topic_pattern and set_partitions: one is set already.")

    def set_topics(self, *topics: str) -> KafkaSourceBuilder:
        """The topics to read."""
        self._subscribe_once()
        self._topics = topics
        return self

    def set_topic_pattern(self, topic_pattern: str) -> KafkaSourceBuilder:
        """A regular expression for the names of the topics to read, new ones too."""
        self._subscribe_once()
        self._pattern = topic_pattern
        return self

    def set_partitions(self, partitions: Iterable[KafkaTopicPartition]) -> KafkaSourceBuilder:
        """The partitions to read."""
        self._subscribe_once()
        self._partitions = frozenset(partitions)
        return self

    def set_starting_offsets(self, starting_offsets_initializer: KafkaOffsetsInitializer) -> KafkaSourceBuilder:
        """Where reading starts when there is no checkpoint to go on from."""
        self._start = starting_offsets_initializer
        return self

    def set_unbounded(self, stopping_offsets_initializer: KafkaOffsetsInitializer) -> KafkaSourceBuilder:
        """Where reading stops, in a source that still counts as a stream."""
        self._stop, self._is_bounded = stopping_offsets_initializer, False
        return self

    def set_bounded(self, stopping_offsets_initializer: KafkaOffsetsInitializer) -> KafkaSourceBuilder:
        """Where reading stops."""
        self._stop, self._is_bounded = stopping_offsets_initializer, True
        return self

    def set_value_only_deserializer(self, deserialization_schema: DeserializationSchema) -> KafkaSourceBuilder:
        """Makes records of values; keys are not looked at."""
        self._schema = deserialization_schema
        return self

    def set_client_id_prefix(self, prefix: str) -> KafkaSourceBuilder:
        """What the consumers' client ids start with."""
        return self.set_property("client.id.prefix", prefix)

    def set_property(self, key: str, value: str) -> KafkaSourceBuilder:
        """A setting of Kafka's consumer."""
        self._properties[key] = value
        return self

    def set_properties(self, props: Mapping[str, str]) -> KafkaSourceBuilder:
        """Settings of Kafka's consumer."""
        self._properties.update(props)
        return self

    def _options(self, owner: str) -> dict[str, str]:
        options = {f"properties.{key}": str(value) for key, value in self._properties.items() if key != "client.id.prefix"}
        if self._pattern is not None:
            options["topic-pattern"] = self._pattern
        else:
            topics = self._topics or sorted({place._topic for place in self._partitions or ()})
            options["topic"] = ";".join(topics)
        options.update(self._start._start_options(owner))
        if self._stop is not None:
            options.update(self._stop._stop_options(owner))
        return options


class FlinkKafkaConsumerBase(SourceFunction, ResultTypeQueryable):
    """What older programs do with a consumer."""

    def __init__(self, j_flink_kafka_consumer: Any) -> None:
        super().__init__(j_flink_kafka_consumer)
        topics, self._schema, properties = j_flink_kafka_consumer
        self._topics: list[str] = topics
        self._properties: dict[str, str] = dict(properties)
        # Without committed offsets the consumer starts where the property says, at the end unless it is set.
        reset = str(self._properties.get("auto.offset.reset", "latest")).upper()
        strategy = KafkaOffsetResetStrategy[reset if reset in KafkaOffsetResetStrategy.__members__ else "LATEST"]
        self._by_group = KafkaOffsetsInitializer.committed_offsets(strategy)
        self._start = self._by_group

    def set_commit_offsets_on_checkpoints(self, commit_on_checkpoints: bool) -> FlinkKafkaConsumerBase:
        """Accepted: offsets are committed on checkpoints where there is a group."""
        del commit_on_checkpoints
        return self

    def set_start_from_earliest(self) -> FlinkKafkaConsumerBase:
        """Starts at the first records."""
        self._start = KafkaOffsetsInitializer.earliest()
        return self

    def set_start_from_latest(self) -> FlinkKafkaConsumerBase:
        """Starts behind the last records."""
        self._start = KafkaOffsetsInitializer.latest()
        return self

    def set_start_from_timestamp(self, startup_offsets_timestamp: int) -> FlinkKafkaConsumerBase:
        """Starts at the first records of that time or later, in milliseconds."""
        self._start = KafkaOffsetsInitializer.timestamp(startup_offsets_timestamp)
        return self

    def set_start_from_group_offsets(self) -> FlinkKafkaConsumerBase:
        """Starts at the group's offsets, which is the default."""
        self._start = self._by_group
        return self

    def disable_filter_restored_partitions_with_subscribed_topics(self) -> FlinkKafkaConsumerBase:
        """Accepted: topics that are no longer subscribed to are not read."""
        return self

    def get_produced_type(self) -> TypeInformation:
        """The type of the records."""
        produced: TypeInformation = self._schema._format().produced_type
        return produced

    def _description(self) -> SourceDescription:
        options = {f"properties.{key}": str(value) for key, value in self._properties.items()}
        options["topic"] = ";".join(self._topics)
        options.update(self._start._start_options(type(self).__name__))
        return describe_source(options, self._schema, False)


class FlinkKafkaConsumer(FlinkKafkaConsumerBase):
    """Reads Kafka topics, for `add_source`. Older than KafkaSource, and gone from Flink's Java side."""

    def __init__(self, topics: str | list[str], deserialization_schema: DeserializationSchema, properties: Mapping[str, str]) -> None:
        super().__init__(([topics] if isinstance(topics, str) else list(topics), deserialization_schema, properties))


class Semantic(Enum):
    """What FlinkKafkaProducer promises after a failure."""

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
    NONE = 2


class FlinkKafkaProducerBase(SinkFunction):
    """What older programs do with a producer."""

    def __init__(self, j_flink_kafka_producer: Any) -> None:
        super().__init__(j_flink_kafka_producer)
        self._topic, self._schema, self._properties, self._semantic = j_flink_kafka_producer

    def set_log_failures_only(self, log_failures_only: bool) -> FlinkKafkaProducerBase:
        """Accepted: a record that Kafka does not take ends the job."""
        del log_failures_only
        return self

    def set_flush_on_checkpoint(self, flush_on_checkpoint: bool) -> FlinkKafkaProducerBase:
        """Whether checkpoints wait for Kafka to have everything."""
        if not flush_on_checkpoint:
            self._semantic = Semantic.NONE
        return self

    def set_write_timestamp_to_kafka(self, write_timestamp_to_kafka: bool) -> FlinkKafkaProducerBase:
        """Accepted: records get their time in Kafka."""
        del write_timestamp_to_kafka
        return self

    def _description(self) -> SinkDescription:
        options = {f"properties.{key}": str(value) for key, value in dict(self._properties).items()}
        options["sink.delivery-guarantee"] = guarantee_option(self._semantic)
        if self._semantic is Semantic.EXACTLY_ONCE:
            options["sink.transactional-id-prefix"] = f"flink-kafka-producer-{self._topic}"
        return describe_sink(options, self._topic, None, None, self._schema)


class FlinkKafkaProducer(FlinkKafkaProducerBase):
    """Writes records to a Kafka topic, for `add_sink`. Older than KafkaSink, and gone from Flink's Java side."""

    def __init__(
        self,
        topic: str,
        serialization_schema: SerializationSchema,
        producer_config: Mapping[str, str],
        kafka_producer_pool_size: int = 5,
        semantic: Semantic = Semantic.AT_LEAST_ONCE,
    ) -> None:
        del kafka_producer_pool_size
        super().__init__((topic, serialization_schema, dict(producer_config), semantic))

    def ignore_failures_after_transaction_timeout(self) -> FlinkKafkaProducer:
        """Accepted: a transaction that is gone is written anew from the checkpoint."""
        return self


use_flink_names(globals())
