"""Timers of user functions."""

from __future__ import annotations

from abc import ABC, abstractmethod

from thalweg._flink_names import use_flink_names

__all__ = ["TimerService"]


class TimerService(ABC):
    """Reads time and sets timers. All times are milliseconds since the epoch; timers belong to the current key."""

    @abstractmethod
    def current_processing_time(self) -> int:
        """The clock."""

    @abstractmethod
    def current_watermark(self) -> int:
        """The watermark; -2**63 before the first."""

    @abstractmethod
    def register_processing_time_timer(self, timestamp: int) -> None:
        """Calls `on_timer` when the clock reaches `timestamp`; setting a timer twice is setting it once."""

    @abstractmethod
    def register_event_time_timer(self, timestamp: int) -> None:
        """Calls `on_timer` when the watermark reaches `timestamp`."""

    @abstractmethod
    def delete_processing_time_timer(self, timestamp: int) -> None:
        """Takes a timer back; nothing happens where it was not set."""

    @abstractmethod
    def delete_event_time_timer(self, timestamp: int) -> None:
        """Takes a timer back; nothing happens where it was not set."""


use_flink_names(globals())
