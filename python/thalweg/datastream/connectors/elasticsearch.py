"""Elasticsearch as a sink: names only, refused when they are used."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.datastream.connectors.base import DeliveryGuarantee, Sink
from thalweg.datastream.connectors.description import SinkDescription, refused

__all__ = ["Elasticsearch6SinkBuilder", "Elasticsearch7SinkBuilder", "ElasticsearchEmitter", "ElasticsearchSink", "FlushBackoffType"]


class FlushBackoffType(Enum):
    """How the wait before a retry grows."""

    CONSTANT = 0
    EXPONENTIAL = 1
    NONE = 2


class ElasticsearchEmitter:
    """Makes requests of records, which are maps."""

    def __init__(self, j_emitter: Any) -> None:
        self._j_emitter = j_emitter

    @staticmethod
    def static_index(index: str, key_field: str | None = None, doc_type: str | None = None) -> ElasticsearchEmitter:
        """All records go into one index; `key_field` gives the document's id."""
        return ElasticsearchEmitter((index, None, key_field, doc_type))

    @staticmethod
    def dynamic_index(index_field: str, key_field: str | None = None, doc_type: str | None = None) -> ElasticsearchEmitter:
        """Each record goes into the index that its field `index_field` names."""
        return ElasticsearchEmitter((None, index_field, key_field, doc_type))


Builder = TypeVar("Builder", bound="ElasticsearchSinkBuilderBase")


class ElasticsearchSinkBuilderBase:
    """What the builders have in common."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self: Builder, **settings: Any) -> Builder:
        self._settings.update(settings)
        return self

    def get_http_host_class(self) -> Any:
        """None: there is no Java side."""
        return None

    def set_emitter(self: Builder, emitter: ElasticsearchEmitter) -> Builder:
        """Makes requests of records."""
        return self._set(emitter=emitter)

    def set_hosts(self: Builder, hosts: list[str]) -> Builder:
        """Addresses, such as "localhost:9200"."""
        return self._set(hosts=hosts)

    def set_delivery_guarantee(self: Builder, delivery_guarantee: DeliveryGuarantee) -> Builder:
        """What holds after a failure."""
        return self._set(delivery_guarantee=delivery_guarantee)

    def set_bulk_flush_max_actions(self: Builder, num_max_actions: int) -> Builder:
        """How many requests at a time."""
        return self._set(bulk_flush_max_actions=num_max_actions)

    def set_bulk_flush_max_size_mb(self: Builder, max_size_mb: int) -> Builder:
        """How many megabytes at a time."""
        return self._set(bulk_flush_max_size_mb=max_size_mb)

    def set_bulk_flush_interval(self: Builder, interval_millis: int) -> Builder:
        """How long requests wait, in milliseconds."""
        return self._set(bulk_flush_interval=interval_millis)

    def set_bulk_flush_backoff_strategy(
        self: Builder, flush_backoff_type: FlushBackoffType, max_retries: int, delay_millis: int
    ) -> Builder:
        """How refused requests are tried again."""
        return self._set(bulk_flush_backoff=(flush_backoff_type, max_retries, delay_millis))

    def set_connection_username(self: Builder, username: str) -> Builder:
        """Who connects."""
        return self._set(username=username)

    def set_connection_password(self: Builder, password: str) -> Builder:
        """The password."""
        return self._set(password=password)

    def set_connection_path_prefix(self: Builder, prefix: str) -> Builder:
        """What every path starts with."""
        return self._set(path_prefix=prefix)

    def set_connection_request_timeout(self: Builder, timeout: int) -> Builder:
        """How long to wait for a connection, in milliseconds."""
        return self._set(request_timeout=timeout)

    def set_connection_timeout(self: Builder, timeout: int) -> Builder:
        """How long connecting may take, in milliseconds."""
        return self._set(connection_timeout=timeout)

    def set_socket_timeout(self: Builder, timeout: int) -> Builder:
        """How long to wait for data, in milliseconds."""
        return self._set(socket_timeout=timeout)

    def build(self) -> ElasticsearchSink:
        """The sink."""
        return ElasticsearchSink(dict(self._settings))


class Elasticsearch6SinkBuilder(ElasticsearchSinkBuilderBase):
    """Builds a sink for Elasticsearch 6."""

    def __init__(self) -> None:
        super().__init__()

    def get_http_host_class(self) -> Any:
        """None: there is no Java side."""
        return None


class Elasticsearch7SinkBuilder(ElasticsearchSinkBuilderBase):
    """Builds a sink for Elasticsearch 7."""

    def __init__(self) -> None:
        super().__init__()

    def get_http_host_class(self) -> Any:
        """None: there is no Java side."""
        return None


class ElasticsearchSink(Sink):
    """Writes documents; refused when it is used."""

    def __init__(self, j_elasticsearch_sink: Any) -> None:
        super().__init__(j_elasticsearch_sink)

    def _description(self) -> SinkDescription:
        instead = "Write to Kafka (KafkaSink) and index from there, or call Elasticsearch's Python client from a map()."
        raise refused("ElasticsearchSink", "Elasticsearch connector", instead)


use_flink_names(globals())
