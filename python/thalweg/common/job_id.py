"""Ids of jobs."""

from __future__ import annotations

from thalweg._flink_names import use_flink_names

__all__ = ["JobID"]


class JobID:
    """128 bits, shown as 32 hex digits."""

    def __init__(self, j_job_id: str) -> None:
        self._text = j_job_id

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JobID) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


use_flink_names(globals())
