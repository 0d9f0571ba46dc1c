"""A handle on a running job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.common.completable_future import CompletableFuture
from thalweg.common.job_id import JobID
from thalweg.common.job_status import JobStatus

if TYPE_CHECKING:
    from thalweg._native import Job

__all__ = ["JobClient"]


class JobClient:
    """Asks and steers one job."""

    def __init__(self, j_job_client: Job) -> None:
        self._job = j_job_client

    def get_job_id(self) -> JobID:
        return JobID(self._job.id)

    def get_job_status(self) -> CompletableFuture:
        """A future of the job's `JobStatus`."""
        return CompletableFuture(lambda: JobStatus[self._job.status()])

    def cancel(self) -> CompletableFuture:
        """Asks the job to stop now; the future is done when it has been told."""
        future = CompletableFuture(self._job.cancel)
        future.result()
        return future

    def stop_with_savepoint(self, advance_to_end_of_event_time: bool, savepoint_directory: str | None = None) -> CompletableFuture:
        """Stops the job after a savepoint; a future of the savepoint's path."""
        return CompletableFuture.started(lambda: self._job.stop_with_savepoint(savepoint_directory, advance_to_end_of_event_time))

    def trigger_savepoint(self, savepoint_directory: str | None = None) -> CompletableFuture:
        """Takes a savepoint while the job goes on; a future of its path."""
        return CompletableFuture.started(lambda: self._job.savepoint(savepoint_directory))

    def get_accumulators(self) -> CompletableFuture:
        """A future of an empty dict: there are no accumulators."""
        accumulators: dict[str, Any] = {}
        return CompletableFuture(lambda: accumulators)

    def get_job_execution_result(self) -> CompletableFuture:
        """A future of the result, done when the job ends."""
        from thalweg.common.job_execution_result import JobExecutionResult

        def wait() -> Job:
            self._job.wait(-1)
            return self._job

        return CompletableFuture(wait, JobExecutionResult)


use_flink_names(globals())
