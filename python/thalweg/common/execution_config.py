"""Settings of a job's execution."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration

__all__ = ["ExecutionConfig"]

_AUTO_WATERMARK = "pipeline.auto-watermark-interval"
_LATENCY = "metrics.latency.interval"


def milliseconds(text: str | None, default: int) -> int:
    """A duration of the configuration ("200 ms", "3min", "PT5S" is not taken here) in milliseconds."""
    if text is None:
        return default
    text = text.strip()
    digits = len(text) - len(text.lstrip("0123456789"))
    unit = text[digits:].strip().lower()
    factors = {"": 1, "ms": 1, "s": 1000, "sec": 1000, "min": 60_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
    if digits == 0 or unit not in factors:
        raise ValueError(f"not a duration: {text!r}; write a number and ms, s, min, h or d")
    return int(text[:digits]) * factors[unit]


class ExecutionConfig:
    """A view of the environment's configuration. What only tunes the JVM is kept and has no effect."""

    PARALLELISM_DEFAULT = -1
    PARALLELISM_UNKNOWN = -2

    def __init__(self, j_execution_config: Configuration | None = None) -> None:
        self._config = j_execution_config if j_execution_config is not None else Configuration()

    def _set(self, key: str, value: Any) -> ExecutionConfig:
        self._config._put(key, value)
        return self

    def _flag(self, key: str, default: bool) -> bool:
        return bool(self._config.get_boolean(key, default))

    def enable_closure_cleaner(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.closure-cleaner-level", "RECURSIVE")

    def disable_closure_cleaner(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.closure-cleaner-level", "NONE")

    def is_closure_cleaner_enabled(self) -> bool:
        return self._config.get_string("pipeline.closure-cleaner-level", "RECURSIVE") != "NONE"

    def set_auto_watermark_interval(self, interval: int) -> ExecutionConfig:
        """Milliseconds of event time (SQL) or wall clock (DataStream) between watermarks."""
        return self._set(_AUTO_WATERMARK, f"{interval} ms")

    def get_auto_watermark_interval(self) -> int:
        """Milliseconds between watermarks of generators."""
        return milliseconds(self._config.get_string(_AUTO_WATERMARK, None), 200)

    def set_latency_tracking_interval(self, interval: int) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set(_LATENCY, f"{interval} ms")

    def get_latency_tracking_interval(self) -> int:
        """Milliseconds; 0 where latency is not tracked."""
        return milliseconds(self._config.get_string(_LATENCY, None), 0)

    def get_parallelism(self) -> int:
        """How many subtasks an operator has that says nothing else."""
        return self._config.get_integer("parallelism.default", 1) or 1

    def set_parallelism(self, parallelism: int) -> ExecutionConfig:
        """How many subtasks an operator has that says nothing else."""
        return self._set("parallelism.default", parallelism)

    def get_max_parallelism(self) -> int:
        """The number of key groups; -1 where it is not set."""
        return self._config.get_integer("pipeline.max-parallelism", -1) or -1

    def set_max_parallelism(self, max_parallelism: int) -> ExecutionConfig:
        """The number of key groups, which bounds the parallelism."""
        return self._set("pipeline.max-parallelism", max_parallelism)

    def get_task_cancellation_interval(self) -> int:
        """Milliseconds."""
        return milliseconds(self._config.get_string("task.cancellation.interval", None), 30000)

    def set_task_cancellation_interval(self, interval: int) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("task.cancellation.interval", f"{interval} ms")

    def get_task_cancellation_timeout(self) -> int:
        """Milliseconds."""
        return milliseconds(self._config.get_string("task.cancellation.timeout", None), 180000)

    def set_task_cancellation_timeout(self, timeout: int) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("task.cancellation.timeout", f"{timeout} ms")

    def enable_force_kryo(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.force-kryo", True)

    def disable_force_kryo(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.force-kryo", False)

    def is_force_kryo_enabled(self) -> bool:
        return self._flag("pipeline.force-kryo", False)

    def enable_generic_types(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.generic-types", True)

    def disable_generic_types(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.generic-types", False)

    def has_generic_types_disabled(self) -> bool:
        return not self._flag("pipeline.generic-types", True)

    def enable_auto_generated_uids(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.auto-generate-uids", True)

    def disable_auto_generated_uids(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.auto-generate-uids", False)

    def has_auto_generated_uids_enabled(self) -> bool:
        return self._flag("pipeline.auto-generate-uids", True)

    def enable_force_avro(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.force-avro", True)

    def disable_force_avro(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.force-avro", False)

    def is_force_avro_enabled(self) -> bool:
        return self._flag("pipeline.force-avro", False)

    def enable_object_reuse(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.object-reuse", True)

    def disable_object_reuse(self) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("pipeline.object-reuse", False)

    def is_object_reuse_enabled(self) -> bool:
        """What was set last; False at first."""
        return self._flag("pipeline.object-reuse", False)

    def get_global_job_parameters(self) -> dict[str, str]:
        """What `set_global_job_parameters` set; {} where nothing was."""
        text = self._config.get_string("pipeline.global-job-parameters", "") or ""
        pairs = (part.partition(":") for part in text.split(",") if part)
        return {key.strip(): value.strip() for key, _, value in pairs}

    def set_global_job_parameters(self, global_job_parameters_dict: dict[str, str]) -> ExecutionConfig:
        """Texts for functions to read."""
        text = ",".join(f"{key}:{value}" for key, value in global_job_parameters_dict.items())
        return self._set("pipeline.global-job-parameters", text)

    def get_default_kryo_serializer_classes(self) -> dict[str, str]:
        return {}

    def get_registered_kryo_types(self) -> list[str]:
        return []

    def get_registered_pojo_types(self) -> list[str]:
        return []

    def is_use_snapshot_compression(self) -> bool:
        """What was set last; False at first."""
        return self._flag("execution.checkpointing.snapshot-compression", False)

    def set_use_snapshot_compression(self, use_snapshot_compression: bool) -> ExecutionConfig:
        """Accepted: kept, and without effect."""
        return self._set("execution.checkpointing.snapshot-compression", use_snapshot_compression)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExecutionConfig) and self._config == other._config

    def __hash__(self) -> int:
        return hash(self._config)


use_flink_names(globals())
