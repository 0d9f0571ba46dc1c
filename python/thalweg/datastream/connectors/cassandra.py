"""Cassandra as a sink: names only, refused when they are used."""

from __future__ import annotations

from enum import Enum
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.connectors.description import refused

__all__ = [
    "CassandraCommitter", "CassandraFailureHandler", "CassandraSink", "ClusterBuilder", "ConsistencyLevel", "MapperOptions",
]  # fmt: skip


class ConsistencyLevel(Enum):
    """How many replicas must agree."""

    ANY = 0
    ONE = 1
    TWO = 2
    THREE = 3
    QUORUM = 4
    ALL = 5
    LOCAL_QUORUM = 6
    EACH_QUORUM = 7
    SERIAL = 8
    LOCAL_SERIAL = 9
    LOCAL_ONE = 10


class MapperOptions:
    """How objects are written."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self, name: str, value: Any) -> MapperOptions:
        self._settings[name] = value
        return self

    def ttl(self, ttl: int) -> MapperOptions:
        """How long rows live, in seconds."""
        return self._set("ttl", ttl)

    def timestamp(self, timestamp: int) -> MapperOptions:
        """The time of the write, in microseconds."""
        return self._set("timestamp", timestamp)

    def consistency_level(self, cl: ConsistencyLevel) -> MapperOptions:
        """How many replicas must agree."""
        return self._set("consistency_level", cl)

    def tracing(self, enabled: bool) -> MapperOptions:
        """Whether writes are traced."""
        return self._set("tracing", enabled)

    def save_null_fields(self, enabled: bool) -> MapperOptions:
        """Whether None is written."""
        return self._set("save_null_fields", enabled)

    def if_not_exists(self, enabled: bool) -> MapperOptions:
        """Whether only new rows are written."""
        return self._set("if_not_exists", enabled)


class ClusterBuilder:
    """How to reach Cassandra."""

    def __init__(self, j_cluster_builder: Any) -> None:
        self._j_cluster_builder = j_cluster_builder


class CassandraCommitter:
    """Where a write-ahead log keeps its checkpoints."""

    def __init__(self, j_checkpoint_committer: Any) -> None:
        self._j_checkpoint_committer = j_checkpoint_committer

    @staticmethod
    def default_checkpoint_committer(builder: ClusterBuilder, key_space: str | None = None) -> CassandraCommitter:
        """In Cassandra itself."""
        return CassandraCommitter((builder, key_space))


class CassandraFailureHandler:
    """What becomes of failed writes."""

    def __init__(self, j_cassandra_failure_handler: Any) -> None:
        self._j_cassandra_failure_handler = j_cassandra_failure_handler

    @staticmethod
    def no_op() -> CassandraFailureHandler:
        """They end the job."""
        return CassandraFailureHandler("no-op")


def _refused(name: str) -> NotImplementedError:
    return refused(name, "Cassandra connector", "Write to Kafka with KafkaSink, or use Cassandra's Python driver in a map().")


class CassandraSink:
    """The end of a stream that is written to Cassandra; `add_sink` is refused, so that there is none."""

    def __init__(self, j_cassandra_sink: Any) -> None:
        self._j_cassandra_sink = j_cassandra_sink

    def name(self, name: str) -> CassandraSink:
        """Names the sink."""
        raise _refused("CassandraSink.name")

    def uid(self, uid: str) -> CassandraSink:
        """Names the sink's state."""
        raise _refused("CassandraSink.uid")

    def set_uid_hash(self, uid_hash: str) -> CassandraSink:
        """As `uid`, by 32 hex digits."""
        raise _refused("CassandraSink.set_uid_hash")

    def set_parallelism(self, parallelism: int) -> CassandraSink:
        """How many subtasks the sink has."""
        raise _refused("CassandraSink.set_parallelism")

    def disable_chaining(self) -> CassandraSink:
        """Runs on a thread of its own."""
        raise _refused("CassandraSink.disable_chaining")

    def slot_sharing_group(self, slot_sharing_group: Any) -> CassandraSink:
        """Names a group."""
        raise _refused("CassandraSink.slot_sharing_group")

    @staticmethod
    def add_sink(input: Any) -> Any:  # noqa: A002 - Flink's name
        """Refused. Would write the records of a stream."""
        raise _refused("CassandraSink.add_sink")


use_flink_names(globals())
