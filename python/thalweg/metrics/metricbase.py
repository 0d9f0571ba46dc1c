"""The interfaces of metrics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from thalweg._flink_names import use_flink_names

__all__ = ["Counter", "Distribution", "Meter", "Metric", "MetricGroup"]


class MetricGroup(ABC):
    """A named place for metrics; a function gets its own from its context.

    ::

        class Parse(MapFunction):
            def open(self, runtime_context):
                self.bad = runtime_context.get_metrics_group().counter("bad_lines")
    """

    @abstractmethod
    def add_group(self, name: str, extra: str | None = None) -> MetricGroup:
        """A group inside this one; with `extra`, the group of value `extra` inside the group of key `name`."""

    @abstractmethod
    def counter(self, name: str) -> Counter:
        """A counter that starts at 0."""

    @abstractmethod
    def gauge(self, name: str, obj: Callable[[], int]) -> None:
        """A gauge whose value is what `obj()` returns, an integer."""

    @abstractmethod
    def meter(self, name: str, time_span_in_seconds: int = 60) -> Meter:
        """A meter of events per second over the last `time_span_in_seconds`."""

    @abstractmethod
    def distribution(self, name: str) -> Distribution:
        """A distribution of integers: count, sum, lowest, highest."""


class Metric(ABC):
    """Base of metrics."""


class Counter(Metric, ABC):
    """Counts up and down."""

    @abstractmethod
    def inc(self, n: int = 1) -> None:
        """Adds `n`."""

    @abstractmethod
    def dec(self, n: int = 1) -> None:
        """Takes `n` away."""

    @abstractmethod
    def get_count(self) -> int:
        """The current count."""


class Meter(Metric, ABC):
    """Measures the rate of events."""

    @abstractmethod
    def mark_event(self, value: int = 1) -> None:
        """Notes `value` events."""

    @abstractmethod
    def get_count(self) -> int:
        """How many events there were in all."""


class Distribution(Metric, ABC):
    """Collects integers."""

    @abstractmethod
    def update(self, value: int) -> None:
        """Adds one value."""


use_flink_names(globals())
