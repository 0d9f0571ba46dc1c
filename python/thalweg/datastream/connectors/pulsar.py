"""Pulsar as source and sink: names only, refused when they are used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import DeserializationSchema, SerializationSchema
from thalweg.common.time import Duration
from thalweg.datastream.connectors.base import DeliveryGuarantee, Sink, Source
from thalweg.datastream.connectors.description import SinkDescription, SourceDescription, refused

__all__ = [
    "MessageDelayer", "PulsarSink", "PulsarSinkBuilder", "PulsarSource", "PulsarSourceBuilder", "RangeGenerator", "StartCursor",
    "StopCursor", "TopicRoutingMode",
]  # fmt: skip


class StartCursor:
    """Where reading starts."""

    def __init__(self, _j_start_cursor: Any) -> None:
        self._j_start_cursor = _j_start_cursor

    @staticmethod
    def default_start_cursor() -> StartCursor:
        """At the first message."""
        return StartCursor.earliest()

    @staticmethod
    def earliest() -> StartCursor:
        """At the first message."""
        return StartCursor("earliest")

    @staticmethod
    def latest() -> StartCursor:
        """Behind the last message."""
        return StartCursor("latest")

    @staticmethod
    def from_message_id(message_id: bytes, inclusive: bool = True) -> StartCursor:
        """At that message, or behind it."""
        return StartCursor(("message", message_id, inclusive))

    @staticmethod
    def from_publish_time(timestamp: int) -> StartCursor:
        """At messages published then, in milliseconds."""
        return StartCursor(("publish-time", timestamp))


class StopCursor:
    """Where reading stops."""

    def __init__(self, _j_stop_cursor: Any) -> None:
        self._j_stop_cursor = _j_stop_cursor

    @staticmethod
    def default_stop_cursor() -> StopCursor:
        """Nowhere."""
        return StopCursor.never()

    @staticmethod
    def never() -> StopCursor:
        """Nowhere."""
        return StopCursor("never")

    @staticmethod
    def latest() -> StopCursor:
        """Behind the last message."""
        return StopCursor("latest")

    @staticmethod
    def at_event_time(timestamp: int) -> StopCursor:
        """Before messages of that time, in milliseconds."""
        return StopCursor(("at-event-time", timestamp))

    @staticmethod
    def after_event_time(timestamp: int) -> StopCursor:
        """Behind messages of that time, in milliseconds."""
        return StopCursor(("after-event-time", timestamp))

    @staticmethod
    def at_publish_time(timestamp: int) -> StopCursor:
        """Before messages published then, in milliseconds."""
        return StopCursor(("at-publish-time", timestamp))

    @staticmethod
    def after_publish_time(timestamp: int) -> StopCursor:
        """Behind messages published then, in milliseconds."""
        return StopCursor(("after-publish-time", timestamp))

    @staticmethod
    def at_message_id(message_id: bytes) -> StopCursor:
        """Before that message."""
        return StopCursor(("at-message", message_id))

    @staticmethod
    def after_message_id(message_id: bytes) -> StopCursor:
        """Behind that message."""
        return StopCursor(("after-message", message_id))


class RangeGenerator:
    """Which keys a source reads."""

    def __init__(self, j_range_generator: Any) -> None:
        self._j_range_generator = j_range_generator

    @staticmethod
    def full() -> RangeGenerator:
        """All."""
        return RangeGenerator("full")

    @staticmethod
    def fixed_key(
        support_null_key: bool = False,
        keys: str | Iterable[str] | None = None,
        key_bytes: bytes | None = None,
        ordering_key_bytes: bytes | None = None,
    ) -> RangeGenerator:
        """These."""
        return RangeGenerator((support_null_key, keys, key_bytes, ordering_key_bytes))


class PulsarSource(Source):
    """Reads topics; refused when it is used."""

    def __init__(self, j_pulsar_source: Any) -> None:
        super().__init__(j_pulsar_source)

    @staticmethod
    def builder() -> PulsarSourceBuilder:
        """Starts a source."""
        return PulsarSourceBuilder()

    def _description(self) -> SourceDescription:
        raise refused("PulsarSource", "Pulsar connector", "Bring the topic into Kafka and read it with KafkaSource.")


class PulsarSourceBuilder:
    """Builds a PulsarSource."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self, name: str, value: Any) -> PulsarSourceBuilder:
        self._settings[name] = value
        return self

    def set_admin_url(self, admin_url: str) -> PulsarSourceBuilder:
        """Where the broker is administered."""
        return self._set("admin_url", admin_url)

    def set_service_url(self, service_url: str) -> PulsarSourceBuilder:
        """Where the broker is."""
        return self._set("service_url", service_url)

    def set_subscription_name(self, subscription_name: str) -> PulsarSourceBuilder:
        """The subscription."""
        return self._set("subscription_name", subscription_name)

    def set_topics(self, topics: str | list[str]) -> PulsarSourceBuilder:
        """The topics."""
        return self._set("topics", topics)

    def set_topic_pattern(self, topic_pattern: str) -> PulsarSourceBuilder:
        """A regular expression for names of topics."""
        return self._set("topic_pattern", topic_pattern)

    def set_consumer_name(self, consumer_name: str) -> PulsarSourceBuilder:
        """What the consumer is called."""
        return self._set("consumer_name", consumer_name)

    def set_range_generator(self, range_generator: RangeGenerator) -> PulsarSourceBuilder:
        """Which keys to read."""
        return self._set("range_generator", range_generator)

    def set_start_cursor(self, start_cursor: StartCursor) -> PulsarSourceBuilder:
        """Where to start."""
        return self._set("start_cursor", start_cursor)

    def set_unbounded_stop_cursor(self, stop_cursor: StopCursor) -> PulsarSourceBuilder:
        """Where to stop, in a source that counts as a stream."""
        return self._set("unbounded_stop_cursor", stop_cursor)

    def set_bounded_stop_cursor(self, stop_cursor: StopCursor) -> PulsarSourceBuilder:
        """Where to stop."""
        return self._set("bounded_stop_cursor", stop_cursor)

    def set_deserialization_schema(self, deserialization_schema: DeserializationSchema) -> PulsarSourceBuilder:
        """Makes records of messages."""
        return self._set("deserialization_schema", deserialization_schema)

    def set_authentication(self, auth_plugin_class_name: str, auth_params_string: str | Mapping[str, str]) -> PulsarSourceBuilder:
        """How to log in."""
        return self._set("authentication", (auth_plugin_class_name, auth_params_string))

    def set_config(self, key: Any, value: Any) -> PulsarSourceBuilder:
        """A setting."""
        return self._set(f"config {key}", value)

    def set_config_with_dict(self, config: Mapping[str, Any]) -> PulsarSourceBuilder:
        """Settings."""
        return self.set_properties(config)

    def set_properties(self, config: Mapping[str, Any]) -> PulsarSourceBuilder:
        """Settings."""
        for key, value in config.items():
            self.set_config(key, value)
        return self

    def build(self) -> PulsarSource:
        """The source."""
        return PulsarSource(dict(self._settings))


class TopicRoutingMode(Enum):
    """Which partition a message goes to."""

    ROUND_ROBIN = 0
    MESSAGE_KEY_HASH = 1
    CUSTOM = 2


class MessageDelayer:
    """When a message is delivered."""

    def __init__(self, _j_message_delayer: Any) -> None:
        self._j_message_delayer = _j_message_delayer

    @staticmethod
    def never() -> MessageDelayer:
        """At once."""
        return MessageDelayer(None)

    @staticmethod
    def fixed(duration: Duration) -> MessageDelayer:
        """After a while."""
        return MessageDelayer(duration)


class PulsarSink(Sink):
    """Writes topics; refused when it is used."""

    def __init__(self, j_pulsar_sink: Any) -> None:
        super().__init__(j_pulsar_sink)

    @staticmethod
    def builder() -> PulsarSinkBuilder:
        """Starts a sink."""
        return PulsarSinkBuilder()

    def _description(self) -> SinkDescription:
        raise refused("PulsarSink", "Pulsar connector", "Write to Kafka with KafkaSink, or use Pulsar's Python client in a map().")


class PulsarSinkBuilder:
    """Builds a PulsarSink."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self, name: str, value: Any) -> PulsarSinkBuilder:
        self._settings[name] = value
        return self

    def set_admin_url(self, admin_url: str) -> PulsarSinkBuilder:
        """Where the broker is administered."""
        return self._set("admin_url", admin_url)

    def set_service_url(self, service_url: str) -> PulsarSinkBuilder:
        """Where the broker is."""
        return self._set("service_url", service_url)

    def set_producer_name(self, producer_name: str) -> PulsarSinkBuilder:
        """What the producer is called."""
        return self._set("producer_name", producer_name)

    def set_topics(self, topics: str | list[str]) -> PulsarSinkBuilder:
        """The topics."""
        return self._set("topics", topics)

    def set_delivery_guarantee(self, delivery_guarantee: DeliveryGuarantee) -> PulsarSinkBuilder:
        """What holds after a failure."""
        return self._set("delivery_guarantee", delivery_guarantee)

    def set_topic_routing_mode(self, topic_routing_mode: TopicRoutingMode) -> PulsarSinkBuilder:
        """Which partition a message goes to."""
        return self._set("topic_routing_mode", topic_routing_mode)

    def set_topic_router(self, topic_router_class_name: str) -> PulsarSinkBuilder:
        """A class of Java that chooses partitions."""
        return self._set("topic_router", topic_router_class_name)

    def set_serialization_schema(self, serialization_schema: SerializationSchema) -> PulsarSinkBuilder:
        """Makes messages of records."""
        return self._set("serialization_schema", serialization_schema)

    def set_authentication(self, auth_plugin_class_name: str, auth_params_string: str | Mapping[str, str]) -> PulsarSinkBuilder:
        """How to log in."""
        return self._set("authentication", (auth_plugin_class_name, auth_params_string))

    def delay_sending_message(self, message_delayer: MessageDelayer) -> PulsarSinkBuilder:
        """When messages are delivered."""
        return self._set("message_delayer", message_delayer)

    def set_config(self, key: str, value: Any) -> PulsarSinkBuilder:
        """A setting."""
        return self._set(f"config {key}", value)

    def set_properties(self, config: Mapping[str, Any]) -> PulsarSinkBuilder:
        """Settings."""
        for key, value in config.items():
            self.set_config(key, value)
        return self

    def build(self) -> PulsarSink:
        """The sink."""
        return PulsarSink(dict(self._settings))


use_flink_names(globals())
