"""Streaming or batch."""

from enum import Enum

from thalweg._flink_names import use_flink_names

__all__ = ["RuntimeExecutionMode"]


class RuntimeExecutionMode(Enum):
    """STREAMING: results as input comes. BATCH: when it is all read. AUTOMATIC: by the sources."""

    STREAMING = 0
    BATCH = 1
    AUTOMATIC = 2


use_flink_names(globals())
