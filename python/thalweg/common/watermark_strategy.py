"""How event time is read and how far it lags."""

from __future__ import annotations

import abc
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.common.time import Duration

__all__ = ["AssignerWithPeriodicWatermarksWrapper", "TimestampAssigner", "WatermarkStrategy"]


class TimestampAssigner(abc.ABC):
    """Gives a record its event time."""

    @abc.abstractmethod
    def extract_timestamp(self, value: Any, record_timestamp: int) -> int:
        """Milliseconds since the epoch. `record_timestamp` is the time the record has already."""


class WatermarkStrategy:
    """Watermarks of a stream: bound of disorder, timestamps, idleness, alignment. Immutable; with_... give a new one."""

    def __init__(self, j_watermark_strategy: int | None) -> None:
        self._max_out_of_orderness_ms = j_watermark_strategy
        self._timestamp_assigner: TimestampAssigner | None = None
        self._idle_timeout_ms: int | None = None
        self._alignment: tuple[str, int, int] | None = None

    def _copy(self) -> WatermarkStrategy:
        result = WatermarkStrategy(self._max_out_of_orderness_ms)
        result.__dict__.update(self.__dict__)
        return result

    def with_timestamp_assigner(self, timestamp_assigner: TimestampAssigner) -> WatermarkStrategy:
        """Reads event time by `timestamp_assigner`."""
        result = self._copy()
        result._timestamp_assigner = timestamp_assigner
        return result

    def with_idleness(self, idle_timeout: Duration) -> WatermarkStrategy:
        """A split without records for so long does not hold the watermark back."""
        result = self._copy()
        result._idle_timeout_ms = idle_timeout.to_millis()
        return result

    def with_watermark_alignment(
        self, watermark_group: str, max_allowed_watermark_drift: Duration, update_interval: Duration | None = None
    ) -> WatermarkStrategy:
        """Sources of one group wait for each other when they drift apart."""
        result = self._copy()
        interval = 1000 if update_interval is None else update_interval.to_millis()
        result._alignment = (watermark_group, max_allowed_watermark_drift.to_millis(), interval)
        return result

    @staticmethod
    def for_monotonous_timestamps() -> WatermarkStrategy:
        """Timestamps only grow."""
        return WatermarkStrategy(0)

    @staticmethod
    def for_bounded_out_of_orderness(max_out_of_orderness: Duration) -> WatermarkStrategy:
        """Records are late by at most so much."""
        return WatermarkStrategy(max_out_of_orderness.to_millis())

    @staticmethod
    def no_watermarks() -> WatermarkStrategy:
        """Event time is not used."""
        return WatermarkStrategy(None)


class AssignerWithPeriodicWatermarksWrapper:
    """Kept for old programs that name it."""

    def __init__(self, j_assigner_with_periodic_watermarks: Any) -> None:
        self._j_assigner_with_periodic_watermarks = j_assigner_with_periodic_watermarks


use_flink_names(globals())
