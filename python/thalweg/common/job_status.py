"""States of a job."""

from enum import Enum

from thalweg._flink_names import use_flink_names

__all__ = ["JobStatus"]


class JobStatus(Enum):
    """Where a job is in its life."""

    CREATED = 0
    RUNNING = 1
    FAILING = 2
    FAILED = 3
    CANCELLING = 4
    CANCELED = 5
    FINISHED = 6
    RESTARTING = 7
    SUSPENDED = 8
    RECONCILING = 9
    INITIALIZING = 10

    def is_globally_terminal_state(self) -> bool:
        """Whether the job is over for good."""
        return self in (JobStatus.FAILED, JobStatus.CANCELED, JobStatus.FINISHED)

    def is_terminal_state(self) -> bool:
        """Whether the job is over, here."""
        return self.is_globally_terminal_state() or self is JobStatus.SUSPENDED


use_flink_names(globals())
