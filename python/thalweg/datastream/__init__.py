"""The DataStream API. This release has its environment, as far as Table programs need it."""

from typing import Any

from thalweg._lazy import lazy_exports

__all__ = [
    "CheckpointConfig", "CheckpointingMode", "ExternalizedCheckpointRetention", "OutputTag", "RuntimeExecutionMode",
    "StreamExecutionEnvironment", "TimeDomain",
]  # fmt: skip

_present = lazy_exports(
    __name__,
    {
        "checkpoint_config": ["CheckpointConfig"],
        "checkpoint_storage": [
            "CheckpointStorage",
            "CustomCheckpointStorage",
            "FileSystemCheckpointStorage",
            "JobManagerCheckpointStorage",
        ],
        "checkpointing_mode": ["CheckpointingMode"],
        "execution_mode": ["RuntimeExecutionMode"],
        "externalized_checkpoint_retention": ["ExternalizedCheckpointRetention"],
        "output_tag": ["OutputTag"],
        "state_backend": [
            "CustomStateBackend",
            "EmbeddedRocksDBStateBackend",
            "HashMapStateBackend",
            "PredefinedOptions",
            "StateBackend",
        ],
        "stream_execution_environment": ["StreamExecutionEnvironment"],
        "time_domain": ["TimeDomain"],
    },
)

# The names that Flink exports here and that this release does not have.
_LATER = frozenset({
    "AggregateFunction", "AsyncDataStream", "AsyncFunction", "AsyncRetryPredicate", "AsyncRetryStrategy", "BroadcastConnectedStream",
    "BroadcastProcessFunction", "BroadcastStream", "CoFlatMapFunction", "CoMapFunction", "CoProcessFunction", "ConnectedStreams",
    "CountWindow", "DataStream", "DataStreamSink", "FilterFunction", "FlatMapFunction", "GlobalWindow", "KeySelector",
    "KeyedBroadcastProcessFunction", "KeyedCoProcessFunction", "KeyedProcessFunction", "KeyedStream", "MapFunction", "MemorySize",
    "MergingWindowAssigner", "Partitioner", "ProcessFunction", "ProcessWindowFunction", "ReduceFunction", "RuntimeContext",
    "SinkFunction", "SlotSharingGroup", "SourceFunction", "TimeWindow", "TimerService", "Trigger", "TriggerResult", "Window",
    "WindowAssigner", "WindowFunction", "WindowedStream",
})  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LATER:
        raise ImportError(f"pyflink.datastream.{name} is not in this version of Thalweg yet: it runs SQL and Table API programs")
    return _present(name)
