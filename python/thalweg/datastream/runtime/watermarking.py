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
    """

    holds_watermark = True

    def __init__(self, strategy: WatermarkStrategy, interval_ms: int) -> None:
        self._assigner = own_copy(strategy._timestamp_assigner)
        self._delay = strategy._max_out_of_orderness_ms
        self._idle_ms = strategy._idle_timeout_ms
        self._interval = interval_ms
        self._highest: int | None = None
        self._sent = _MIN
        self._last_record = 0
        self._is_idle = False

    def open(self, context: StreamContext) -> None:
        super().open(context)
        self._last_record = context.now()
        if self._delay is not None and self._interval > 0 and not context.is_batch:
            context.wake_at(self._last_record + self._interval)

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        if self._is_idle:
            self._is_idle = False
            self.context.emit_idle(False)
        if self._idle_ms is not None:
            self._last_record = self.context.now()
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
        known = [time for time in times if time is not None]
        if known:
            highest = max(known)
            self._highest = highest if self._highest is None else max(self._highest, highest)
        self.context.emit_at(records, times)

    def on_wake(self, now: int) -> None:
        """Sends the watermark that was reached, and says when nothing came for long."""
        self.context.wake_at(now + self._interval)
        if self._delay is not None and self._highest is not None:
            watermark = self._highest - self._delay - 1
            if watermark > self._sent:
                self._sent = watermark
                self.context.emit_watermark(watermark)
        if self._idle_ms is not None and not self._is_idle and now - self._last_record >= self._idle_ms:
            self._is_idle = True
            self.context.emit_idle(True)
