"""RabbitMQ as source and sink: names only, refused when they are used."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import DeserializationSchema, SerializationSchema
from thalweg.datastream.connectors.description import SinkDescription, SourceDescription, refused
from thalweg.datastream.functions import SinkFunction, SourceFunction

__all__ = ["RMQConnectionConfig", "RMQSink", "RMQSource"]


class _Builder:
    """Builds a RMQConnectionConfig."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self, name: str, value: Any) -> _Builder:
        self._settings[name] = value
        return self

    def set_port(self, port: int) -> _Builder:
        return self._set("port", port)

    def set_host(self, host: str) -> _Builder:
        return self._set("host", host)

    def set_virtual_host(self, vhost: str) -> _Builder:
        return self._set("virtual_host", vhost)

    def set_user_name(self, user_name: str) -> _Builder:
        return self._set("user_name", user_name)

    def set_password(self, password: str) -> _Builder:
        return self._set("password", password)

    def set_uri(self, uri: str) -> _Builder:
        """An AMQP address in place of host, port, user and password."""
        return self._set("uri", uri)

    def set_topology_recovery_enabled(self, topology_recovery_enabled: bool) -> _Builder:
        return self._set("topology_recovery", topology_recovery_enabled)

    def set_requested_heartbeat(self, requested_heartbeat: int) -> _Builder:
        """In seconds."""
        return self._set("requested_heartbeat", requested_heartbeat)

    def set_requested_frame_max(self, requested_frame_max: int) -> _Builder:
        """In bytes."""
        return self._set("requested_frame_max", requested_frame_max)

    def set_requested_channel_max(self, requested_channel_max: int) -> _Builder:
        return self._set("requested_channel_max", requested_channel_max)

    def set_network_recovery_interval(self, network_recovery_interval: int) -> _Builder:
        """In milliseconds."""
        return self._set("network_recovery_interval", network_recovery_interval)

    def set_connection_timeout(self, connection_timeout: int) -> _Builder:
        """In milliseconds."""
        return self._set("connection_timeout", connection_timeout)

    def set_automatic_recovery(self, automatic_recovery: bool) -> _Builder:
        return self._set("automatic_recovery", automatic_recovery)

    def set_prefetch_count(self, prefetch_count: int) -> _Builder:
        return self._set("prefetch_count", prefetch_count)

    def build(self) -> RMQConnectionConfig:
        """The configuration."""
        return RMQConnectionConfig(dict(self._settings))


class RMQConnectionConfig:
    """How to reach RabbitMQ."""

    Builder = _Builder

    def __init__(self, j_rmq_connection_config: Any) -> None:
        self._settings: dict[str, Any] = dict(j_rmq_connection_config)

    def get_host(self) -> str | None:
        return self._settings.get("host")

    def get_port(self) -> int | None:
        return self._settings.get("port")

    def get_virtual_host(self) -> str | None:
        return self._settings.get("virtual_host")

    def get_user_name(self) -> str | None:
        return self._settings.get("user_name")

    def get_password(self) -> str | None:
        return self._settings.get("password")

    def get_uri(self) -> str | None:
        return self._settings.get("uri")

    def get_network_recovery_interval(self) -> int | None:
        """In milliseconds."""
        return self._settings.get("network_recovery_interval")

    def is_automatic_recovery(self) -> bool | None:
        return self._settings.get("automatic_recovery")

    def is_topology_recovery(self) -> bool | None:
        return self._settings.get("topology_recovery")

    def get_connection_timeout(self) -> int | None:
        """In milliseconds."""
        return self._settings.get("connection_timeout")

    def get_requested_channel_max(self) -> int | None:
        return self._settings.get("requested_channel_max")

    def get_requested_frame_max(self) -> int | None:
        """In bytes."""
        return self._settings.get("requested_frame_max")

    def get_requested_heartbeat(self) -> int | None:
        """In seconds."""
        return self._settings.get("requested_heartbeat")


class RMQSource(SourceFunction):
    """Reads a queue; refused when it is used."""

    def __init__(
        self,
        connection_config: RMQConnectionConfig,
        queue_name: str,
        use_correlation_id: bool,
        deserialization_schema: DeserializationSchema,
    ) -> None:
        super().__init__((connection_config, queue_name, use_correlation_id, deserialization_schema))

    def _description(self) -> SourceDescription:
        raise refused("RMQSource", "RabbitMQ connector", "Bring the queue into Kafka and read it with KafkaSource.")


class RMQSink(SinkFunction):
    """Writes to a queue; refused when it is used."""

    def __init__(self, connection_config: RMQConnectionConfig, queue_name: str, serialization_schema: SerializationSchema) -> None:
        super().__init__((connection_config, queue_name, serialization_schema))

    def _description(self) -> SinkDescription:
        raise refused("RMQSink", "RabbitMQ connector", "Write to Kafka with KafkaSink, or use RabbitMQ's Python client in a map().")


use_flink_names(globals())
