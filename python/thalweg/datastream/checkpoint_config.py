"""Settings of checkpoints."""

from __future__ import annotations

from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.configuration import Configuration
from thalweg.common.execution_config import milliseconds
from thalweg.datastream.checkpointing_mode import CheckpointingMode
from thalweg.datastream.externalized_checkpoint_retention import ExternalizedCheckpointRetention

__all__ = ["CheckpointConfig"]

_PREFIX = "execution.checkpointing."
_LEAST_MS = 10


class CheckpointConfig:
    """A view of the environment's `execution.checkpointing.*` keys."""

    DEFAULT_MODE = CheckpointingMode.EXACTLY_ONCE
    DEFAULT_TIMEOUT = 10 * 60 * 1000
    DEFAULT_MIN_PAUSE_BETWEEN_CHECKPOINTS = 0
    DEFAULT_MAX_CONCURRENT_CHECKPOINTS = 1

    def __init__(self, j_checkpoint_config: Configuration) -> None:
        self._config = j_checkpoint_config

    def _set(self, key: str, value: Any) -> CheckpointConfig:
        self._config._put(_PREFIX + key, value)
        return self

    def _millis(self, key: str, default: int) -> int:
        return milliseconds(self._config.get_string(_PREFIX + key, None), default)

    def _flag(self, key: str) -> bool:
        return bool(self._config.get_boolean(_PREFIX + key, False))

    def is_checkpointing_enabled(self) -> bool:
        return self.get_checkpoint_interval() > 0

    def get_checkpointing_mode(self) -> CheckpointingMode:
        name = self._config.get_string(_PREFIX + "mode", "EXACTLY_ONCE") or "EXACTLY_ONCE"
        return CheckpointingMode[name.upper().replace("-", "_")]

    def set_checkpointing_mode(self, checkpointing_mode: CheckpointingMode) -> CheckpointConfig:
        return self._set("mode", checkpointing_mode.name)

    def get_checkpoint_interval(self) -> int:
        """Milliseconds; -1 without checkpoints."""
        return self._millis("interval", -1)

    def set_checkpoint_interval(self, checkpoint_interval: int) -> CheckpointConfig:
        if checkpoint_interval < _LEAST_MS:
            from thalweg.util.exceptions import IllegalArgumentException

            text = f"Checkpoint interval must be larger than or equal to {_LEAST_MS} ms, but is {checkpoint_interval} ms"
            raise IllegalArgumentException(text)
        return self._set("interval", f"{checkpoint_interval} ms")

    def get_checkpoint_timeout(self) -> int:
        return self._millis("timeout", self.DEFAULT_TIMEOUT)

    def set_checkpoint_timeout(self, checkpoint_timeout: int) -> CheckpointConfig:
        return self._set("timeout", f"{checkpoint_timeout} ms")

    def get_min_pause_between_checkpoints(self) -> int:
        return self._millis("min-pause", self.DEFAULT_MIN_PAUSE_BETWEEN_CHECKPOINTS)

    def set_min_pause_between_checkpoints(self, min_pause_between_checkpoints: int) -> CheckpointConfig:
        return self._set("min-pause", f"{min_pause_between_checkpoints} ms")

    def get_max_concurrent_checkpoints(self) -> int:
        return self._config.get_integer(_PREFIX + "max-concurrent-checkpoints", 1) or 1

    def set_max_concurrent_checkpoints(self, max_concurrent_checkpoints: int) -> CheckpointConfig:
        return self._set("max-concurrent-checkpoints", max_concurrent_checkpoints)

    def is_fail_on_checkpointing_errors(self) -> bool:
        return self.get_tolerable_checkpoint_failure_number() == 0

    def set_fail_on_checkpointing_errors(self, fail_on_checkpointing_errors: bool) -> CheckpointConfig:
        return self.set_tolerable_checkpoint_failure_number(0 if fail_on_checkpointing_errors else 2147483647)

    def get_tolerable_checkpoint_failure_number(self) -> int:
        return self._config.get_integer(_PREFIX + "tolerable-failed-checkpoints", 0) or 0

    def set_tolerable_checkpoint_failure_number(self, tolerable_checkpoint_failure_number: int) -> CheckpointConfig:
        return self._set("tolerable-failed-checkpoints", tolerable_checkpoint_failure_number)

    def set_externalized_checkpoint_retention(self, retention_mode: ExternalizedCheckpointRetention) -> CheckpointConfig:
        return self._set("externalized-checkpoint-retention", retention_mode.name)

    def is_externalized_checkpoints_enabled(self) -> bool:
        return self.get_externalized_checkpoint_retention() is not ExternalizedCheckpointRetention.NO_EXTERNALIZED_CHECKPOINTS

    def get_externalized_checkpoint_retention(self) -> ExternalizedCheckpointRetention:
        name = self._config.get_string(_PREFIX + "externalized-checkpoint-retention", None) or "NO_EXTERNALIZED_CHECKPOINTS"
        return ExternalizedCheckpointRetention[name]

    def is_unaligned_checkpoints_enabled(self) -> bool:
        return self._flag("unaligned.enabled")

    def enable_unaligned_checkpoints(self, enabled: bool = True) -> CheckpointConfig:
        return self._set("unaligned.enabled", enabled)

    def disable_unaligned_checkpoints(self) -> CheckpointConfig:
        return self._set("unaligned.enabled", False)

    def set_aligned_checkpoint_timeout(self, alignment_timeout: Any) -> CheckpointConfig:
        """A Duration."""
        return self._set("aligned-checkpoint-timeout", f"{alignment_timeout.to_millis()} ms")

    def get_aligned_checkpoint_timeout(self) -> Any:
        from thalweg.common.time import Duration

        return Duration.of_millis(self._millis("aligned-checkpoint-timeout", 0))

    def set_alignment_timeout(self, alignment_timeout: Any) -> CheckpointConfig:
        return self.set_aligned_checkpoint_timeout(alignment_timeout)

    def get_alignment_timeout(self) -> Any:
        return self.get_aligned_checkpoint_timeout()

    def set_force_unaligned_checkpoints(self, force_unaligned_checkpoints: bool = True) -> CheckpointConfig:
        return self._set("unaligned.forced", force_unaligned_checkpoints)

    def is_force_unaligned_checkpoints(self) -> bool:
        return self._flag("unaligned.forced")


use_flink_names(globals())
