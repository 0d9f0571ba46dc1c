"""Kinesis as source and sink: names only, refused when they are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.serialization import DeserializationSchema, SerializationSchema
from thalweg.datastream.connectors.base import Sink
from thalweg.datastream.connectors.description import SinkDescription, SourceDescription, refused
from thalweg.datastream.functions import SourceFunction

__all__ = [
    "FlinkKinesisConsumer", "KinesisDeserializationSchema", "KinesisFirehoseSink", "KinesisFirehoseSinkBuilder",
    "KinesisShardAssigner", "KinesisStreamsSink", "KinesisStreamsSinkBuilder", "PartitionKeyGenerator", "WatermarkTracker",
]  # fmt: skip

_READ = "Bring the stream into Kafka and read it with KafkaSource."
_WRITE = "Write to Kafka with KafkaSink, or use boto3 in a map()."


class KinesisShardAssigner:
    """Which subtask reads which shard."""

    def __init__(self, j_kinesis_shard_assigner: Any) -> None:
        self._j_kinesis_shard_assigner = j_kinesis_shard_assigner

    @staticmethod
    def default_shard_assigner() -> KinesisShardAssigner:
        """By the shard's hash."""
        return KinesisShardAssigner("default")

    @staticmethod
    def uniform_shard_assigner() -> KinesisShardAssigner:
        """Evenly by the range of hash keys."""
        return KinesisShardAssigner("uniform")


class KinesisDeserializationSchema:
    """Makes records of Kinesis'."""

    def __init__(self, j_kinesis_deserialization_schema: Any) -> None:
        self._j_kinesis_deserialization_schema = j_kinesis_deserialization_schema


class WatermarkTracker:
    """Keeps the watermarks of subtasks together."""

    def __init__(self, j_watermark_tracker: Any) -> None:
        self._j_watermark_tracker = j_watermark_tracker

    @staticmethod
    def job_manager_watermark_tracker(aggregate_name: str, log_accumulator_interval_millis: int = -1) -> WatermarkTracker:
        """Through the job manager."""
        return WatermarkTracker((aggregate_name, log_accumulator_interval_millis))


class FlinkKinesisConsumer(SourceFunction):
    """Reads streams; refused when it is used."""

    def __init__(
        self,
        streams: str | list[str],
        deserializer: DeserializationSchema | KinesisDeserializationSchema,
        config_props: Mapping[str, str],
    ) -> None:
        super().__init__((streams, deserializer, dict(config_props)))

    def set_shard_assigner(self, shard_assigner: KinesisShardAssigner) -> FlinkKinesisConsumer:
        """Which subtask reads which shard."""
        self._shard_assigner = shard_assigner
        return self

    def set_periodic_watermark_assigner(self, periodic_watermark_assigner: Any) -> FlinkKinesisConsumer:
        """How watermarks are made."""
        self._periodic_watermark_assigner = periodic_watermark_assigner
        return self

    def set_watermark_tracker(self, watermark_tracker: WatermarkTracker) -> FlinkKinesisConsumer:
        """Keeps the watermarks of subtasks together."""
        self._watermark_tracker = watermark_tracker
        return self

    def _description(self) -> SourceDescription:
        raise refused("FlinkKinesisConsumer", "Kinesis connector", _READ)


class PartitionKeyGenerator:
    """Chooses the shard of a record."""

    def __init__(self, j_partition_key_generator: Any) -> None:
        self._j_partition_key_generator = j_partition_key_generator

    @staticmethod
    def fixed() -> PartitionKeyGenerator:
        """Each subtask writes to one shard."""
        return PartitionKeyGenerator("fixed")

    @staticmethod
    def random() -> PartitionKeyGenerator:
        """Any shard."""
        return PartitionKeyGenerator("random")


class KinesisStreamsSink(Sink):
    """Writes to a stream; refused when it is used."""

    def __init__(self, j_kinesis_streams_sink: Any) -> None:
        super().__init__(j_kinesis_streams_sink)

    @staticmethod
    def builder() -> KinesisStreamsSinkBuilder:
        """Starts a sink."""
        return KinesisStreamsSinkBuilder()

    def _description(self) -> SinkDescription:
        raise refused("KinesisStreamsSink", "Kinesis connector", _WRITE)


class KinesisStreamsSinkBuilder:
    """Builds a KinesisStreamsSink."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self, name: str, value: Any) -> KinesisStreamsSinkBuilder:
        self._settings[name] = value
        return self

    def set_stream_name(self, stream_name: str | list[str]) -> KinesisStreamsSinkBuilder:
        """The stream."""
        return self._set("stream_name", stream_name)

    def set_serialization_schema(self, serialization_schema: SerializationSchema) -> KinesisStreamsSinkBuilder:
        """Makes bytes of records."""
        return self._set("serialization_schema", serialization_schema)

    def set_partition_key_generator(self, partition_key_generator: PartitionKeyGenerator) -> KinesisStreamsSinkBuilder:
        """Chooses shards."""
        return self._set("partition_key_generator", partition_key_generator)

    def set_fail_on_error(self, fail_on_error: bool) -> KinesisStreamsSinkBuilder:
        """Whether a refused record ends the job."""
        return self._set("fail_on_error", fail_on_error)

    def set_kinesis_client_properties(self, kinesis_client_properties: Mapping[str, str]) -> KinesisStreamsSinkBuilder:
        """Settings of the client."""
        return self._set("client_properties", dict(kinesis_client_properties))

    def set_max_batch_size(self, max_batch_size: int) -> KinesisStreamsSinkBuilder:
        """How many records a request has."""
        return self._set("max_batch_size", max_batch_size)

    def set_max_in_flight_requests(self, max_in_flight_requests: int) -> KinesisStreamsSinkBuilder:
        """How many requests are under way at a time."""
        return self._set("max_in_flight_requests", max_in_flight_requests)

    def set_max_buffered_requests(self, max_buffered_requests: int) -> KinesisStreamsSinkBuilder:
        """How many records wait."""
        return self._set("max_buffered_requests", max_buffered_requests)

    def set_max_batch_size_in_bytes(self, max_batch_size_in_bytes: int) -> KinesisStreamsSinkBuilder:
        """How big a request is."""
        return self._set("max_batch_size_in_bytes", max_batch_size_in_bytes)

    def set_max_time_in_buffer_ms(self, max_time_in_buffer_ms: int) -> KinesisStreamsSinkBuilder:
        """How long records wait, in milliseconds."""
        return self._set("max_time_in_buffer_ms", max_time_in_buffer_ms)

    def set_max_record_size_in_bytes(self, max_record_size_in_bytes: int) -> KinesisStreamsSinkBuilder:
        """How big a record may be."""
        return self._set("max_record_size_in_bytes", max_record_size_in_bytes)

    def build(self) -> KinesisStreamsSink:
        """The sink."""
        return KinesisStreamsSink(dict(self._settings))


class KinesisFirehoseSink(Sink):
    """Writes to a delivery stream; refused when it is used."""

    def __init__(self, j_kinesis_firehose_sink: Any) -> None:
        super().__init__(j_kinesis_firehose_sink)

    @staticmethod
    def builder() -> KinesisFirehoseSinkBuilder:
        """Starts a sink."""
        return KinesisFirehoseSinkBuilder()

    def _description(self) -> SinkDescription:
        raise refused("KinesisFirehoseSink", "Kinesis connector", _WRITE)


class KinesisFirehoseSinkBuilder:
    """Builds a KinesisFirehoseSink."""

    def __init__(self) -> None:
        self._settings: dict[str, Any] = {}

    def _set(self, name: str, value: Any) -> KinesisFirehoseSinkBuilder:
        self._settings[name] = value
        return self

    def set_delivery_stream_name(self, delivery_stream_name: str) -> KinesisFirehoseSinkBuilder:
        """The delivery stream."""
        return self._set("delivery_stream_name", delivery_stream_name)

    def set_serialization_schema(self, serialization_schema: SerializationSchema) -> KinesisFirehoseSinkBuilder:
        """Makes bytes of records."""
        return self._set("serialization_schema", serialization_schema)

    def set_fail_on_error(self, fail_on_error: bool) -> KinesisFirehoseSinkBuilder:
        """Whether a refused record ends the job."""
        return self._set("fail_on_error", fail_on_error)

    def set_firehose_client_properties(self, firehose_client_properties: Mapping[str, str]) -> KinesisFirehoseSinkBuilder:
        """Settings of the client."""
        return self._set("client_properties", dict(firehose_client_properties))

    def set_max_batch_size(self, max_batch_size: int) -> KinesisFirehoseSinkBuilder:
        """How many records a request has."""
        return self._set("max_batch_size", max_batch_size)

    def set_max_in_flight_requests(self, max_in_flight_requests: int) -> KinesisFirehoseSinkBuilder:
        """How many requests are under way at a time."""
        return self._set("max_in_flight_requests", max_in_flight_requests)

    def set_max_buffered_requests(self, max_buffered_requests: int) -> KinesisFirehoseSinkBuilder:
        """How many records wait."""
        return self._set("max_buffered_requests", max_buffered_requests)

    def set_max_batch_size_in_bytes(self, max_batch_size_in_bytes: int) -> KinesisFirehoseSinkBuilder:
        """How big a request is."""
        return self._set("max_batch_size_in_bytes", max_batch_size_in_bytes)

    def set_max_time_in_buffer_ms(self, max_time_in_buffer_ms: int) -> KinesisFirehoseSinkBuilder:
        """How long records wait, in milliseconds."""
        return self._set("max_time_in_buffer_ms", max_time_in_buffer_ms)

    def set_max_record_size_in_bytes(self, max_record_size_in_bytes: int) -> KinesisFirehoseSinkBuilder:
        """How big a record may be."""
        return self._set("max_record_size_in_bytes", max_record_size_in_bytes)

    def build(self) -> KinesisFirehoseSink:
        """The sink."""
        return KinesisFirehoseSink(dict(self._settings))


use_flink_names(globals())
