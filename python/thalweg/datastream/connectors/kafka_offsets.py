"""Where reading of Kafka topics starts and stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.datastream.connectors.description import refused

__all__ = ["KafkaOffsetResetStrategy", "KafkaOffsetsInitializer", "KafkaTopicPartition"]


class KafkaTopicPartition:
    """A partition of a topic."""

    def __init__(self, topic: str, partition: int) -> None:
        self._topic = topic
        self._partition = partition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KafkaTopicPartition) and (self._topic, self._partition) == (other._topic, other._partition)

    def __hash__(self) -> int:
        return hash((self._topic, self._partition))

    def __repr__(self) -> str:
        return f"{self._topic}-{self._partition}"


class KafkaOffsetResetStrategy(Enum):
    """Where reading starts when an offset is missing or gone."""

    LATEST = 0
    EARLIEST = 1
    NONE = 2


@dataclass(frozen=True)
class _Position:
    """A position: one of the engine's startup modes, with what belongs to it."""

    mode: str
    reset: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.NONE
    timestamp: int | None = None
    offsets: Mapping[KafkaTopicPartition, int] = field(default_factory=dict)


class KafkaOffsetsInitializer:
    """A position in the partitions of topics."""

    def __init__(self, j_initializer: Any) -> None:
        self._position: _Position = j_initializer

    @staticmethod
    def committed_offsets(offset_reset_strategy: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.NONE) -> KafkaOffsetsInitializer:
        """The offsets that the consumer group committed; where there are none, what `offset_reset_strategy` says."""
        return KafkaOffsetsInitializer(_Position("group-offsets", offset_reset_strategy))

    @staticmethod
    def timestamp(timestamp: int) -> KafkaOffsetsInitializer:
        """The first record of that time or later, in milliseconds."""
        return KafkaOffsetsInitializer(_Position("timestamp", KafkaOffsetResetStrategy.LATEST, timestamp))

    @staticmethod
    def earliest() -> KafkaOffsetsInitializer:
        """The first record that there is."""
        return KafkaOffsetsInitializer(_Position("earliest-offset", KafkaOffsetResetStrategy.EARLIEST))

    @staticmethod
    def latest() -> KafkaOffsetsInitializer:
        """Behind the last record that there is when the job starts."""
        return KafkaOffsetsInitializer(_Position("latest-offset", KafkaOffsetResetStrategy.LATEST))

    @staticmethod
    def offsets(
        offsets: Mapping[KafkaTopicPartition, int], offset_reset_strategy: KafkaOffsetResetStrategy = KafkaOffsetResetStrategy.EARLIEST
    ) -> KafkaOffsetsInitializer:
        """The given offset of each partition; where it is gone, what `offset_reset_strategy` says."""
        return KafkaOffsetsInitializer(_Position("specific-offsets", offset_reset_strategy, None, dict(offsets)))

    def _start_options(self, source: str) -> dict[str, str]:
        """The engine's options for a source that starts here."""
        options = {"scan.startup.mode": self._position.mode, **self._details(source, "scan.startup")}
        if self._position.mode in ("group-offsets", "specific-offsets"):
            options["properties.auto.offset.reset"] = self._position.reset.name.lower()
        return options

    def _stop_options(self, source: str) -> dict[str, str]:
        """The engine's options for a source that stops here."""
        if self._position.mode == "earliest-offset":
            raise refused(f"{source}: stopping at KafkaOffsetsInitializer.earliest()", "such position to stop at", "Nothing would be read.")
        return {"scan.bounded.mode": self._position.mode, **self._details(source, "scan.bounded")}

    def _details(self, source: str, prefix: str) -> dict[str, str]:
        if self._position.mode == "timestamp":
            return {f"{prefix}.timestamp-millis": str(self._position.timestamp)}
        if self._position.mode != "specific-offsets":
            return {}
        if len({place._topic for place in self._position.offsets}) > 1:
            raise refused(f"{source}: offsets of several topics", "such position", "Make one source a topic, and union() them.")
        pairs = sorted((place._partition, offset) for place, offset in self._position.offsets.items())
        return {f"{prefix}.specific-offsets": ";".join(f"partition:{partition},offset:{offset}" for partition, offset in pairs)}


use_flink_names(globals(), "pyflink.datastream.connectors.kafka")
