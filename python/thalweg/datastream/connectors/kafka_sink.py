"""Kafka topics as sinks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import SerializationSchema
from thalweg.datastream.connectors.base import DeliveryGuarantee, Sink, StreamTransformer, SupportsPreprocessing
from thalweg.datastream.connectors.description import Column, SinkDescription
from thalweg.datastream.formats.description import FormatDescription

__all__ = [
    "KafkaRecordSerializationSchema", "KafkaRecordSerializationSchemaBuilder", "KafkaSink", "KafkaSinkBuilder", "KafkaTopicSelector",
]  # fmt: skip


class KafkaTopicSelector(ABC):
    """Chooses the topic of a record."""

    @abstractmethod
    def apply(self, data: Any) -> str:
        """The topic."""


class KafkaRecordSerializationSchema(SerializationSchema):
    """What becomes of a record in Kafka: topic, key and value.

    ::

        KafkaRecordSerializationSchema.builder().set_topic("out").set_value_serialization_schema(SimpleStringSchema()).build()
    """

    def __init__(self, j_serialization_schema: Any, topic_selector: KafkaTopicSelector | None = None) -> None:
        super().__init__(j_serialization_schema)
        self._topic_selector = topic_selector
        self._topic, self._key, self._value = j_serialization_schema

    @staticmethod
    def builder() -> KafkaRecordSerializationSchemaBuilder:
        """Starts a schema."""
        return KafkaRecordSerializationSchemaBuilder()


class _CallableSelector(KafkaTopicSelector):
    """A selector made from a callable."""

    def __init__(self, function: Callable[[Any], str]) -> None:
        self._function = function

    def apply(self, data: Any) -> str:
        return self._function(data)


class KafkaRecordSerializationSchemaBuilder:
    """Builds a KafkaRecordSerializationSchema; a topic (or selector) and a value schema are needed."""

    def __init__(self) -> None:
        self._topic: str | None = None
        self._selector: KafkaTopicSelector | None = None
        self._key: SerializationSchema | None = None
        self._value: SerializationSchema | None = None

    def build(self) -> KafkaRecordSerializationSchema:
        """The schema. Raises ValueError where topic or value schema are missing."""
        if self._value is None:
            raise ValueError("No value serializer is set.")
        if self._topic is None and self._selector is None:
            raise ValueError("No topic selector is set.")
        return KafkaRecordSerializationSchema((self._topic, self._key, self._value), self._selector)

    def set_topic(self, topic: str) -> KafkaRecordSerializationSchemaBuilder:
        """All records go to this topic."""
        if self._selector is not None:
            raise ValueError("Topic selector already set.")
        self._topic = topic
        return self

    def set_topic_selector(self, topic_selector: Callable[[Any], str] | KafkaTopicSelector) -> KafkaRecordSerializationSchemaBuilder:
        """Each record goes to the topic that `topic_selector` says. Raises TypeError for what is neither selector nor callable."""
        if self._topic is not None:
            raise ValueError("Topic selector already set.")
        if isinstance(topic_selector, KafkaTopicSelector):
            self._selector = topic_selector
        elif callable(topic_selector):
            self._selector = _CallableSelector(topic_selector)
        else:
            raise TypeError("topic_selector should be a KafkaTopicSelector or a callable")
        return self

    def set_key_serialization_schema(self, key_serialization_schema: SerializationSchema) -> KafkaRecordSerializationSchemaBuilder:
        """The record's key is what this schema makes of it; without one there are no keys."""
        self._key = key_serialization_schema
        return self

    def set_value_serialization_schema(self, value_serialization_schema: SerializationSchema) -> KafkaRecordSerializationSchemaBuilder:
        """The record's value is what this schema makes of it."""
        self._value = value_serialization_schema
        return self


class KafkaSink(Sink, SupportsPreprocessing):
    """Writes records to Kafka topics."""

    def __init__(self, j_kafka_sink: Any, transformer: StreamTransformer | None = None) -> None:
        super().__init__(j_kafka_sink)
        self._transformer = transformer
        self._settings: dict[str, Any] = dict(j_kafka_sink)

    @staticmethod
    def builder() -> KafkaSinkBuilder:
        """Starts a sink."""
        return KafkaSinkBuilder()

    def get_transformer(self) -> StreamTransformer | None:
        """None: the engine needs no other stream."""
        return self._transformer

    def _description(self) -> SinkDescription:
        settings = self._settings
        options = {f"properties.{key}": str(value) for key, value in settings["properties"].items()}
        options["sink.delivery-guarantee"] = guarantee_option(settings["guarantee"])
        if settings["prefix"] is not None:
            options["sink.transactional-id-prefix"] = settings["prefix"]
        schema: KafkaRecordSerializationSchema = settings["serializer"]
        return describe_sink(options, schema._topic, schema._topic_selector, schema._key, schema._value)


def guarantee_option(guarantee: Enum) -> str:
    """The engine's word. Who asks for no guarantee gets the next one: a job that ends well then has written everything."""
    return "exactly-once" if guarantee.name == "EXACTLY_ONCE" else "at-least-once"


def describe_sink(
    options: dict[str, str],
    topic: str | None,
    selector: KafkaTopicSelector | None,
    key: SerializationSchema | None,
    value: SerializationSchema,
) -> SinkDescription:
    """A Kafka table that is written: the columns of the value, those of the key behind a prefix, and the topic where it varies."""
    value_format = value._format()
    columns = list(value_format.columns)
    options = {**options, **value_format.prefixed("value."), "value.fields-include": "EXCEPT_KEY"}
    if key is not None:
        columns += _key_columns(key._format(), options)
    if topic is not None:
        options["topic"] = topic
    if selector is not None:
        options["topic-pattern"] = ".*"
        columns.append(Column("topic of the record", "STRING", "topic", selector.apply))
    return SinkDescription("kafka", options, tuple(columns))


_KEY_PREFIX = "key of the record: "


def _key_columns(key_format: FormatDescription, options: dict[str, str]) -> list[Column]:
    """Columns whose names, without the prefix, are the key's own."""
    options.update(key_format.prefixed("key."))
    columns = [replace(column, name=_KEY_PREFIX + column.name) for column in key_format.columns]
    options["key.fields-prefix"] = _KEY_PREFIX
    options["key.fields"] = ";".join(column.name for column in columns)
    return columns


class KafkaSinkBuilder:
    """Builds a KafkaSink; brokers and a record serializer are needed. Records may be written twice after a failure
    unless EXACTLY_ONCE is asked for."""

    def __init__(self) -> None:
        self._properties: dict[str, str] = {}
        self._guarantee = DeliveryGuarantee.NONE
        self._prefix: str | None = None
        self._serializer: KafkaRecordSerializationSchema | None = None

    def build(self) -> KafkaSink:
        """The sink. Raises ValueError where something is missing."""
        if "bootstrap.servers" not in self._properties:
            raise ValueError("bootstrapServers is not set: call set_bootstrap_servers()")
        if self._serializer is None:
            raise ValueError("recordSerializer is not set: call set_record_serializer()")
        if self._guarantee is DeliveryGuarantee.EXACTLY_ONCE and self._prefix is None:
            raise ValueError("EXACTLY_ONCE delivery guarantee requires a transactionalIdPrefix: call set_transactional_id_prefix()")
        return KafkaSink({
            "properties": dict(self._properties),
            "guarantee": self._guarantee,
            "prefix": self._prefix,
            "serializer": self._serializer,
        })  # fmt: skip

    def set_bootstrap_servers(self, bootstrap_servers: str) -> KafkaSinkBuilder:
        """Addresses of brokers, HOST:PORT separated by commas."""
        return self.set_property("bootstrap.servers", bootstrap_servers)

    def set_delivery_guarantee(self, delivery_guarantee: DeliveryGuarantee) -> KafkaSinkBuilder:
        """What holds after a failure; EXACTLY_ONCE needs checkpoints and a transactional id prefix."""
        self._guarantee = delivery_guarantee
        return self

    def set_transactional_id_prefix(self, transactional_id_prefix: str) -> KafkaSinkBuilder:
        """What the ids of this job's transactions start with; no two jobs may share it."""
        self._prefix = transactional_id_prefix
        return self

    def set_record_serializer(self, record_serializer: KafkaRecordSerializationSchema) -> KafkaSinkBuilder:
        """What becomes of a record."""
        self._serializer = record_serializer
        return self

    def set_property(self, key: str, value: str) -> KafkaSinkBuilder:
        """A setting of Kafka's producer."""
        self._properties[key] = value
        return self


use_flink_names(globals(), "pyflink.datastream.connectors.kafka")
