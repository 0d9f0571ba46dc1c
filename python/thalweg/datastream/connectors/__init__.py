"""Connectors of the DataStream API.

The classes of each are in a module of its own (`kafka`, `file_system`, ...); as in older Flinks they are names of this module too.
"""

from thalweg._lazy import lazy_exports
from thalweg.datastream.connectors.base import DeliveryGuarantee, Sink, Source

__all__ = ["DeliveryGuarantee", "Sink", "Source"]

__getattr__ = lazy_exports(
    __name__,
    {
        "elasticsearch": ["Elasticsearch6SinkBuilder", "Elasticsearch7SinkBuilder", "ElasticsearchSink"],
        "file_system": [
            "BucketAssigner",
            "FileEnumeratorProvider",
            "FileSink",
            "FileSource",
            "FileSplitAssignerProvider",
            "OutputFileConfig",
            "RollingPolicy",
            "StreamFormat",
            "StreamingFileSink",
        ],
        "hybrid_source": ["HybridSource", "HybridSourceBuilder"],
        "jdbc": ["JdbcConnectionOptions", "JdbcExecutionOptions", "JdbcSink"],
        "kafka": [
            "FlinkKafkaConsumer",
            "FlinkKafkaProducer",
            "KafkaOffsetResetStrategy",
            "KafkaOffsetsInitializer",
            "KafkaRecordSerializationSchema",
            "KafkaSink",
            "KafkaSource",
            "KafkaTopicPartition",
            "Semantic",
        ],
        "number_seq": ["NumberSequenceSource"],
        "pulsar": ["PulsarSink", "PulsarSource"],
        "rabbitmq": ["RMQConnectionConfig", "RMQSink", "RMQSource"],
    },
)
