"""Kafka streams that are looked up by id: with one cluster, a stream is the topic of that name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import DeserializationSchema
from thalweg.datastream.connectors.base import Source
from thalweg.datastream.connectors.description import SourceDescription, refused
from thalweg.datastream.connectors.kafka import KafkaOffsetsInitializer, describe_source
from thalweg.datastream.formats.description import FormatDescription

__all__ = [
    "DynamicKafkaSource", "DynamicKafkaSourceBuilder", "KafkaMetadataService", "KafkaRecordDeserializationSchema",
    "KafkaStreamSetSubscriber", "KafkaStreamSubscriber", "SingleClusterTopicMetadataService", "StreamPatternSubscriber",
]  # fmt: skip


class KafkaMetadataService:
    """Says which clusters and topics a stream is."""

    def __init__(self, j_metadata_service: Any) -> None:
        self._j_metadata_service = j_metadata_service


class SingleClusterTopicMetadataService(KafkaMetadataService):
    """One cluster, whose topics are the streams."""

    def __init__(self, kafka_cluster_id: str, properties: Mapping[str, str]) -> None:
        super().__init__((kafka_cluster_id, dict(properties)))
        self._properties = dict(properties)


class KafkaStreamSubscriber:
    """Says which streams to read."""

    def __init__(self, j_kafka_stream_subscriber: Any) -> None:
        self._j_kafka_stream_subscriber = j_kafka_stream_subscriber

    def _options(self) -> dict[str, str]:
        raise refused(f"DynamicKafkaSource with {type(self).__name__}", "such subscriber", "Use set_stream_ids() or set_stream_pattern().")


class KafkaStreamSetSubscriber(KafkaStreamSubscriber):
    """The streams of these ids."""

    def __init__(self, stream_ids: Iterable[str]) -> None:
        super().__init__(frozenset(stream_ids))

    def _options(self) -> dict[str, str]:
        return {"topic": ";".join(sorted(self._j_kafka_stream_subscriber))}


class StreamPatternSubscriber(KafkaStreamSubscriber):
    """The streams whose ids match."""

    def __init__(self, stream_pattern: str) -> None:
        super().__init__(stream_pattern)

    def _options(self) -> dict[str, str]:
        return {"topic-pattern": self._j_kafka_stream_subscriber}


class KafkaRecordDeserializationSchema(DeserializationSchema):
    """Makes records of Kafka's."""

    def __init__(self, j_deserialization_schema: Any) -> None:
        super().__init__(j_deserialization_schema)

    @staticmethod
    def value_only(deserialization_schema: DeserializationSchema) -> KafkaRecordDeserializationSchema:
        """Makes records of values; keys are not looked at."""
        return KafkaRecordDeserializationSchema(deserialization_schema)

    def _format(self) -> FormatDescription:
        inner: FormatDescription = self._j_deserialization_schema._format()
        return inner


class DynamicKafkaSource(Source):
    """Reads streams of one Kafka cluster; several clusters are refused when it is used."""

    def __init__(self, j_dynamic_kafka_source: Any) -> None:
        super().__init__(j_dynamic_kafka_source)
        self._settings: dict[str, Any] = dict(j_dynamic_kafka_source)

    @staticmethod
    def builder() -> DynamicKafkaSourceBuilder:
        """Starts a source."""
        return DynamicKafkaSourceBuilder()

    def _description(self) -> SourceDescription:
        settings = self._settings
        service = settings["service"]
        if not isinstance(service, SingleClusterTopicMetadataService):
            raise refused(
                "DynamicKafkaSource over several clusters", "such service", "Use SingleClusterTopicMetadataService, or KafkaSource."
            )
        properties = {**service._properties, **settings["properties"]}
        options = {f"properties.{key}": str(value) for key, value in properties.items() if key != "client.id.prefix"}
        options.update(settings["subscriber"]._options())
        options.update(settings["start"]._start_options("DynamicKafkaSource"))
        stop: KafkaOffsetsInitializer | None = settings["stop"]
        if stop is not None:
            options.update(stop._stop_options("DynamicKafkaSource"))
        return describe_source(options, settings["schema"], stop is not None)


class DynamicKafkaSourceBuilder:
    """Builds a DynamicKafkaSource; streams, a metadata service and a deserializer are needed."""

    def __init__(self) -> None:
        self._properties: dict[str, str] = {}
        self._subscriber: KafkaStreamSubscriber | None = None
        self._service: KafkaMetadataService | None = None
        self._schema: DeserializationSchema | None = None
        self._start = KafkaOffsetsInitializer.earliest()
        self._stop: KafkaOffsetsInitializer | None = None

    def build(self) -> DynamicKafkaSource:
        """The source. Raises ValueError where something is missing."""
        needed = {"stream subscriber": self._subscriber, "metadata service": self._service, "deserialization schema": self._schema}
        for name, value in needed.items():
            if value is None:
                raise ValueError(f"DynamicKafkaSource: the {name} is required but not provided")
        return DynamicKafkaSource({
            "properties": dict(self._properties),
            "subscriber": self._subscriber,
            "service": self._service,
            "schema": self._schema,
            "start": self._start,
            "stop": self._stop,
        })  # fmt: skip

    def set_stream_ids(self, stream_ids: Iterable[str]) -> DynamicKafkaSourceBuilder:
        """The streams to read."""
        return self.set_kafka_stream_subscriber(KafkaStreamSetSubscriber(stream_ids))

    def set_stream_pattern(self, stream_pattern: str) -> DynamicKafkaSourceBuilder:
        """A regular expression for the ids of the streams to read."""
        return self.set_kafka_stream_subscriber(StreamPatternSubscriber(stream_pattern))

    def set_kafka_stream_subscriber(self, kafka_stream_subscriber: KafkaStreamSubscriber) -> DynamicKafkaSourceBuilder:
        """Which streams to read."""
        self._subscriber = kafka_stream_subscriber
        return self

    def set_kafka_metadata_service(self, kafka_metadata_service: KafkaMetadataService) -> DynamicKafkaSourceBuilder:
        """Which cluster the streams are in."""
        self._service = kafka_metadata_service
        return self

    def set_deserializer(self, deserializer: KafkaRecordDeserializationSchema) -> DynamicKafkaSourceBuilder:
        """Makes records of Kafka's."""
        self._schema = deserializer
        return self

    def set_value_only_deserializer(self, deserialization_schema: DeserializationSchema) -> DynamicKafkaSourceBuilder:
        """Makes records of values; keys are not looked at."""
        return self.set_deserializer(KafkaRecordDeserializationSchema.value_only(deserialization_schema))

    def set_starting_offsets(self, starting_offsets_initializer: KafkaOffsetsInitializer) -> DynamicKafkaSourceBuilder:
        """Where reading starts."""
        self._start = starting_offsets_initializer
        return self

    def set_bounded(self, stopping_offsets_initializer: KafkaOffsetsInitializer) -> DynamicKafkaSourceBuilder:
        """Where reading stops."""
        self._stop = stopping_offsets_initializer
        return self

    def set_properties(self, props: Mapping[str, str]) -> DynamicKafkaSourceBuilder:
        """Settings of Kafka's consumer."""
        self._properties.update(props)
        return self

    def set_property(self, key: str, value: str) -> DynamicKafkaSourceBuilder:
        """A setting of Kafka's consumer."""
        self._properties[key] = value
        return self

    def set_group_id(self, group_id: str) -> DynamicKafkaSourceBuilder:
        """The consumer group."""
        return self.set_property("group.id", group_id)

    def set_client_id_prefix(self, prefix: str) -> DynamicKafkaSourceBuilder:
        """What the consumers' client ids start with."""
        return self.set_property("client.id.prefix", prefix)


use_flink_names(globals())
