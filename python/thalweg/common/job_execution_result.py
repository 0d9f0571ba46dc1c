"""What a finished job tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.job_id import JobID

if TYPE_CHECKING:
    from thalweg._native import Job

__all__ = ["JobExecutionResult"]


class JobExecutionResult:
    """Id and run time of a job that ended well."""

    def __init__(self, j_job_execution_result: Job) -> None:
        self._job = j_job_execution_result

    def get_job_id(self) -> JobID:
        """The id of the job."""
        return JobID(self._job.id)

    def get_net_runtime(self) -> int:
        """Milliseconds from start to end."""
        return self._job.runtime_ms()

    def get_accumulator_result(self, accumulator_name: str) -> Any:
        """Always None: there are no accumulators."""
        del accumulator_name
        return None

    def get_all_accumulator_results(self) -> dict[str, Any]:
        return {}

    def __str__(self) -> str:
        return f"Program execution finished\nJob with JobID {self._job.id} has finished.\nJob Runtime: {self._job.runtime_ms()} ms"


use_flink_names(globals())
