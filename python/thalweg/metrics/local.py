"""Metrics of one operator's subtask, as the engine reads them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import monotonic

from thalweg.metrics.metricbase import Counter, Distribution, Meter, Metric, MetricGroup

__all__ = ["LocalMetricGroup"]


class LocalMetricGroup(MetricGroup):
    """A group in a registry of one subtask: {"group.name": metric}. Each metric answers `read()` with its present value.

    A name that is registered twice keeps its first metric. `clock` gives seconds; meters use it.
    """

    def __init__(self, registry: dict[str, _Readable] | None = None, scope: str = "", clock: Callable[[], float] = monotonic) -> None:
        self.registry: dict[str, _Readable] = {} if registry is None else registry
        self._scope = scope
        self._clock = clock

    def _full(self, name: str) -> str:
        return f"{self._scope}.{name}" if self._scope else name

    def add_group(self, name: str, extra: str | None = None) -> LocalMetricGroup:
        inner = name if extra is None else f"{name}.{extra}"
        return LocalMetricGroup(self.registry, self._full(inner), self._clock)

    def counter(self, name: str) -> Counter:
        found = self.registry.setdefault(self._full(name), _Counter())
        if not isinstance(found, _Counter):
            raise ValueError(f"Metric {self._full(name)!r} is registered already, and not as a counter")
        return found

    def gauge(self, name: str, obj: Callable[[], int]) -> None:
        self.registry.setdefault(self._full(name), _Gauge(obj))

    def meter(self, name: str, time_span_in_seconds: int = 60) -> Meter:
        found = self.registry.setdefault(self._full(name), _Meter(time_span_in_seconds, self._clock))
        if not isinstance(found, _Meter):
            raise ValueError(f"Metric {self._full(name)!r} is registered already, and not as a meter")
        return found

    def distribution(self, name: str) -> Distribution:
        found = self.registry.setdefault(self._full(name), _Distribution())
        if not isinstance(found, _Distribution):
            raise ValueError(f"Metric {self._full(name)!r} is registered already, and not as a distribution")
        return found

    def snapshot(self) -> dict[str, float]:
        """All values of the registry; a distribution gives its mean."""
        return {name: metric.read() for name, metric in list(self.registry.items())}


class _Readable(Metric):
    """A metric with a value."""

    def read(self) -> float:
        """The present value."""
        raise NotImplementedError


class _Counter(_Readable, Counter):
    def __init__(self) -> None:
        self._count = 0

    def inc(self, n: int = 1) -> None:
        self._count += n

    def dec(self, n: int = 1) -> None:
        self._count -= n

    def get_count(self) -> int:
        return self._count

    def read(self) -> float:
        return self._count


class _Gauge(_Readable):
    def __init__(self, read: Callable[[], int]) -> None:
        self._read = read

    def read(self) -> float:
        return self._read()


class _Meter(_Readable, Meter):
    """Counts events by second over the span; at most one entry a second is kept."""

    def __init__(self, time_span_in_seconds: int, clock: Callable[[], float]) -> None:
        self._span = max(1, time_span_in_seconds)
        self._clock = clock
        self._count = 0
        self._seconds: deque[list[int]] = deque()

    def mark_event(self, value: int = 1) -> None:
        self._count += value
        second = int(self._clock())
        if self._seconds and self._seconds[-1][0] == second:
            self._seconds[-1][1] += value
        else:
            self._seconds.append([second, value])
            self._forget(second)

    def _forget(self, second: int) -> None:
        while self._seconds and self._seconds[0][0] <= second - self._span:
            self._seconds.popleft()

    def get_count(self) -> int:
        return self._count

    def read(self) -> float:
        self._forget(int(self._clock()))
        return sum(count for _, count in self._seconds) / self._span


class _Distribution(_Readable, Distribution):
    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.lowest: int | None = None
        self.highest: int | None = None

    def update(self, value: int) -> None:
        self.count += 1
        self.total += value
        self.lowest = value if self.lowest is None else min(self.lowest, value)
        self.highest = value if self.highest is None else max(self.highest, value)

    def read(self) -> float:
        return self.total / self.count if self.count else 0.0
