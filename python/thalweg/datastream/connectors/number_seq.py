"""A range of integers as a source."""

from __future__ import annotations

from thalweg._flink_names import use_flink_names
from thalweg.common.typeinfo import Types
from thalweg.datastream.connectors.base import Source
from thalweg.datastream.connectors.description import Column, SourceDescription

__all__ = ["NumberSequenceSource"]


class NumberSequenceSource(Source):
    """The integers from `start` to `end`, both included, in order within a subtask."""

    def __init__(self, start: int, end: int) -> None:
        if start > end:
            raise ValueError(f"'from' must be <= 'to': {start} > {end}")
        super().__init__((start, end))
        self._start = start
        self._end = end

    def _description(self) -> SourceDescription:
        """A sequence: the options `start` and `end` of no connector of SQL."""
        options = {"start": str(self._start), "end": str(self._end)}
        return SourceDescription("sequence", options, (Column("value", "BIGINT NOT NULL"),), "value", Types.LONG())


use_flink_names(globals())
