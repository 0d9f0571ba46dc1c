"""What becomes of checkpoints when a job is cancelled."""

from enum import Enum

from thalweg._flink_names import use_flink_names

__all__ = ["ExternalizedCheckpointRetention"]


class ExternalizedCheckpointRetention(Enum):
    """Whether the last checkpoint stays after a job was cancelled."""

    DELETE_ON_CANCELLATION = 0
    RETAIN_ON_CANCELLATION = 1
    NO_EXTERNALIZED_CHECKPOINTS = 2


use_flink_names(globals())
