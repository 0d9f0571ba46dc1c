"""The DataStream API."""

from typing import Any

from thalweg._lazy import lazy_exports

__all__ = [
    "AggregateFunction", "AsyncFunction", "AsyncRetryPredicate", "AsyncRetryStrategy", "BroadcastProcessFunction",
    "CheckpointConfig", "CheckpointStorage", "CheckpointingMode", "CoFlatMapFunction", "CoMapFunction", "CoProcessFunction",
    "CountWindow", "CustomCheckpointStorage", "CustomStateBackend", "EmbeddedRocksDBStateBackend",
    "ExternalizedCheckpointRetention", "FileSystemCheckpointStorage", "FilterFunction", "FlatMapFunction", "GlobalWindow",
    "HashMapStateBackend", "JobManagerCheckpointStorage", "KeySelector", "KeyedBroadcastProcessFunction", "KeyedCoProcessFunction",
    "KeyedProcessFunction", "MapFunction", "MemorySize", "MergingWindowAssigner", "OutputTag", "Partitioner", "PredefinedOptions",
    "ProcessFunction", "ProcessWindowFunction", "ReduceFunction", "RuntimeContext", "RuntimeExecutionMode", "SinkFunction",
    "SlotSharingGroup", "SourceFunction", "StateBackend", "StreamExecutionEnvironment", "TimeDomain", "TimeWindow", "TimerService",
    "Trigger", "TriggerResult", "Window", "WindowAssigner", "WindowFunction",
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
        "functions": [
            "AggregateFunction",
            "AsyncFunction",
            "AsyncRetryPredicate",
            "AsyncRetryStrategy",
            "BroadcastProcessFunction",
            "CoFlatMapFunction",
            "CoMapFunction",
            "CoProcessFunction",
            "FilterFunction",
            "FlatMapFunction",
            "KeySelector",
            "KeyedBroadcastProcessFunction",
            "KeyedCoProcessFunction",
            "KeyedProcessFunction",
            "MapFunction",
            "Partitioner",
            "ProcessFunction",
            "ProcessWindowFunction",
            "ReduceFunction",
            "RuntimeContext",
            "SinkFunction",
            "SourceFunction",
            "WindowFunction",
        ],
        "slot_sharing_group": ["MemorySize", "SlotSharingGroup"],
        "time_domain": ["TimeDomain"],
        "timerservice": ["TimerService"],
        "window": [
            "CountWindow",
            "GlobalWindow",
            "MergingWindowAssigner",
            "TimeWindow",
            "Trigger",
            "TriggerResult",
            "Window",
            "WindowAssigner",
        ],
    },
)

# The names that Flink exports here and that this release does not have.
_LATER = frozenset({
    "AsyncDataStream", "BroadcastConnectedStream", "BroadcastStream", "ConnectedStreams", "DataStream", "DataStreamSink", "KeyedStream",
    "WindowedStream",
})  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _LATER:
        raise ImportError(f"pyflink.datastream.{name} is not in this version of Thalweg yet: it runs SQL and Table API programs")
    return _present(name)
