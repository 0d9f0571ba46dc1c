"""Guarantees of checkpoints."""

from enum import Enum

from thalweg._flink_names import use_flink_names

__all__ = ["CheckpointingMode"]


class CheckpointingMode(Enum):
    """EXACTLY_ONCE: barriers are aligned. AT_LEAST_ONCE: they are not."""

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1


use_flink_names(globals())
