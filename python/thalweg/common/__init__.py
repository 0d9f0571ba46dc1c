"""Types, rows, times and configuration, used by the Table and the DataStream API."""

from thalweg._lazy import lazy_exports

__all__ = [
    "AssignerWithPeriodicWatermarksWrapper", "ByteArraySchema", "CompletableFuture", "ConfigOption", "ConfigOptions", "Configuration",
    "DeserializationSchema", "Duration", "Encoder", "ExecutionConfig", "InputDependencyConstraint", "Instant", "JobClient",
    "JobExecutionResult", "JobID", "JobStatus", "RestartStrategies", "RestartStrategyConfiguration", "Row", "RowKind",
    "SerializationSchema", "SimpleStringSchema", "Time", "TypeInformation", "TypeSerializer", "Types", "WatermarkStrategy",
]  # fmt: skip

__getattr__ = lazy_exports(
    __name__,
    {
        "completable_future": ["CompletableFuture"],
        "config_options": ["ConfigOption", "ConfigOptions"],
        "configuration": ["Configuration"],
        "execution_config": ["ExecutionConfig"],
        "input_dependency_constraint": ["InputDependencyConstraint"],
        "job_client": ["JobClient"],
        "job_execution_result": ["JobExecutionResult"],
        "job_id": ["JobID"],
        "job_status": ["JobStatus"],
        "restart_strategy": ["RestartStrategies", "RestartStrategyConfiguration"],
        "serialization": [
            "ByteArraySchema",
            "DeserializationSchema",
            "Encoder",
            "SerializationSchema",
            "SimpleStringSchema",
        ],
        "serializer": ["TypeSerializer"],
        "time": ["Duration", "Instant", "Time"],
        "typeinfo": ["TypeInformation", "Types"],
        "types": ["Row", "RowKind"],
        "watermark_strategy": ["AssignerWithPeriodicWatermarksWrapper", "WatermarkStrategy"],
    },
)
