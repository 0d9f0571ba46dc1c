"""The host that gives records their times and makes watermarks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thalweg.datastream.runtime.function_copy import own_copy
from thalweg.datastream.runtime.host import Host

if TYPE_CHECKING:
    from thalweg._native import StreamContext
    from thalweg.common.watermark_strategy import WatermarkStrategy

__all__ = ["WatermarkHost"]

_MIN = -(2**63)


class WatermarkHost(Host):
    """Periodic watermarks by the wall clock, as Flink's TimestampsAndWatermarksOperator makes them.

    Watermarks from before are dropped but for the last one, which says that no more records come; in batch mode it is the only one.
    Behind a source (`per_split`) the watermark is the lowest of its splits', as a split may be read long after another.
    """

    holds_watermark = True

    def __init__(self, strategy: WatermarkStrategy, interval_ms: int, per_split: bool = False) -> None:
        self._assigner = own_copy(strategy._timestamp_assigner)
        self._delay = strategy._max_out_of_orderness_ms
        self._idle_ms = strategy._idle_timeout_ms
        self._interval = interval_ms
        self._per_split = per_split
        # By split: the highest time, or None before the first record; the clock at the last record.
        self._highest: dict[str | None, int | None] = {} if per_split else {None: None}
        self._last_record: dict[str | None, int] = {}
        self._sent = _MIN
        self._is_idle = False

    def open(self, context: StreamContext) -> None:
        super().open(context)
        if not self._per_split:
            self._last_record[None] = context.now()
        if self._delay is not None and self._interval > 0 and not context.is_batch:
            context.wake_at(context.now() + self._interval)

    def on_split(self, split: str, ended: bool) -> None:
        """A split begins, or has no more records."""
        if not self._per_split:
            return
        if ended:
            self._highest.pop(split, None)
        else:
            self._highest.setdefault(split, None)
            self._last_record[split] = self.context.now()

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if self._is_idle:
            self._is_idle = False
            self.context.emit_idle(False)
        given = self.context.timestamps()
        if self._assigner is None:
            self._send(records, given)
            return
        times: list[int | None] = []
        assign = self._assigner.extract_timestamp
        try:
            for record, before in zip(records, given):
                time = assign(record, _MIN if before is None else before)
                if time is None:
                    raise TypeError("a TimestampAssigner must return milliseconds since the epoch, not None")
                times.append(int(time))
        finally:
            self._send(records[: len(times)], times)

    def _send(self, records: list[Any], times: list[int | None]) -> None:
        split = self.context.split() if self._per_split else None
        if self._idle_ms is not None:
            self._last_record[split] = self.context.now()
        known = [time for time in times if time is not None]
        if known:
            before = self._highest.get(split)
            highest = max(known)
            self._highest[split] = highest if before is None else max(before, highest)
        self.context.emit_at(records, times)

    def on_wake(self, now: int) -> None:
        """Sends the watermark that was reached, and says when nothing came for long."""
        self.context.wake_at(now + self._interval)
        awake = [split for split in self._highest if self._idle_ms is None or now - self._last_record[split] < self._idle_ms]
        reached = [self._highest[split] for split in awake]
        highest = [time for time in reached if time is not None]
        if self._delay is not None and highest and len(highest) == len(reached):
            watermark = min(highest) - self._delay - 1
            if watermark > self._sent:
                self._sent = watermark
                self.context.emit_watermark(watermark)
        # A reader without splits holds back nobody.
        if not awake and (self._highest or self._per_split) and not self._is_idle:
            self._is_idle = True
            self.context.emit_idle(True)
