"""Lengths of time and points in time."""

from __future__ import annotations

from thalweg._flink_names import use_flink_names

__all__ = ["Duration", "Instant", "Time"]


class Duration:
    """A length of time, to the nanosecond."""

    def __init__(self, j_duration: int) -> None:
        self._nanos = j_duration

    @staticmethod
    def of_days(days: int) -> Duration:
        """Days of 24 hours."""
        return Duration.of_hours(days * 24)

    @staticmethod
    def of_hours(hours: int) -> Duration:
        """Hours."""
        return Duration.of_minutes(hours * 60)

    @staticmethod
    def of_millis(millis: int) -> Duration:
        """Milliseconds."""
        return Duration(millis * 1_000_000)

    @staticmethod
    def of_minutes(minutes: int) -> Duration:
        """Minutes."""
        return Duration.of_seconds(minutes * 60)

    @staticmethod
    def of_nanos(nanos: int) -> Duration:
        """Nanoseconds."""
        return Duration(nanos)

    @staticmethod
    def of_seconds(seconds: int) -> Duration:
        """Seconds."""
        return Duration(seconds * 1_000_000_000)

    def to_millis(self) -> int:
        """Whole milliseconds; what is less than one is cut off."""
        return self._nanos // 1_000_000

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self._nanos == other._nanos

    def __hash__(self) -> int:
        return hash(self._nanos)

    def __repr__(self) -> str:
        return f"Duration({self._nanos / 1e9} s)"


class Instant:
    """A point in time: seconds and nanoseconds since the epoch."""

    def __init__(self, seconds: int, nanos: int) -> None:
        self.seconds = seconds
        self.nanos = nanos

    def to_epoch_milli(self) -> int:
        """Milliseconds since 1970-01-01 00:00 UTC; what is less than one is cut off."""
        return self.seconds * 1000 + self.nanos // 1_000_000

    @staticmethod
    def of_epoch_milli(epoch_milli: int) -> Instant:
        """The instant so many milliseconds after 1970-01-01 00:00 UTC."""
        seconds, millis = divmod(epoch_milli, 1000)
        return Instant(seconds, millis * 1_000_000)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instant) and (self.seconds, self.nanos) == (other.seconds, other.nanos)

    def __hash__(self) -> int:
        return hash((self.seconds, self.nanos))

    def __repr__(self) -> str:
        return f"Instant<{self.seconds}, {self.nanos}>"


class Time:
    """A length of time in milliseconds, as window assigners take it."""

    def __init__(self, milliseconds: int) -> None:
        self._milliseconds = milliseconds

    def to_milliseconds(self) -> int:
        """How long it is, in milliseconds."""
        return self._milliseconds

    @staticmethod
    def milliseconds(milliseconds: int) -> Time:
        """Milliseconds."""
        return Time(milliseconds)

    @staticmethod
    def seconds(seconds: int) -> Time:
        """Seconds."""
        return Time(seconds * 1000)

    @staticmethod
    def minutes(minutes: int) -> Time:
        """Minutes."""
        return Time.seconds(minutes * 60)

    @staticmethod
    def hours(hours: int) -> Time:
        """Hours."""
        return Time.minutes(hours * 60)

    @staticmethod
    def days(days: int) -> Time:
        """Days of 24 hours."""
        return Time.hours(days * 24)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Time) and self._milliseconds == other._milliseconds

    def __hash__(self) -> int:
        return hash(self._milliseconds)

    def __repr__(self) -> str:
        return f"Time({self._milliseconds} ms)"


use_flink_names(globals())
