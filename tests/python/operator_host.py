"""A stand-in for the engine around one operator's subtask: state by key, timers, a clock in hand, what was sent."""

from __future__ import annotations

import pickle
from typing import Any

from thalweg.metrics.local import LocalMetricGroup

MIN_LONG, MAX_LONG = -(2**63), 2**63 - 1


class OperatorHost:
    """Runs an operator as the engine does: timers in order of time, those set meanwhile included; empty state leaves."""

    def __init__(self, operator: Any, now: int = 0) -> None:
        self.operator = operator
        self.time = now
        self.current_watermark = MIN_LONG
        self.row = 0
        self.subtask, self.parallelism = 0, 1
        self.metric_group = LocalMetricGroup()
        self.states: dict[Any, dict[str, Any]] = {}
        self.timers: set[tuple[str, int, Any, bytes]] = set()
        self.sent: list[Any] = []
        self.sent_with_time: list[tuple[Any, int | None]] = []
        self.aside: dict[int, list[Any]] = {}
        self._keys: list[Any] = []
        operator.open(self)

    # --- the engine's context
    def emit(self, records: list[Any], timestamps: list[int | None], tag: int = 0) -> None:
        assert len(records) == len(timestamps)
        if tag == 0:
            self.sent += records
            self.sent_with_time += list(zip(records, timestamps))
        else:
            self.aside.setdefault(tag, []).extend(records)

    def now(self) -> int:
        return self.time

    def register_timer(self, domain: str, time: int, namespace: bytes) -> None:
        self.timers.add((domain, time, self._keys[self.row], namespace))

    def delete_timer(self, domain: str, time: int, namespace: bytes) -> None:
        self.timers.discard((domain, time, self._keys[self.row], namespace))

    # --- what a test does
    def feed(self, *records: tuple[Any, Any, int | None]) -> None:
        """Records as (key, value, timestamp), in one batch."""
        self._keys = [key for key, _, _ in records]
        states = [self.states.setdefault(key, {}) for key in self._keys]
        try:
            self.operator.process(0, [value for _, value, _ in records], [time for _, _, time in records], self._keys, states)
        finally:
            self._erase_empty()

    def watermark(self, watermark: int) -> None:
        self.current_watermark = watermark
        self.operator.on_watermark(watermark)
        self._fire("event", watermark)

    def clock(self, now: int) -> None:
        self.time = now
        self._fire("processing", now)

    def end(self) -> None:
        self.watermark(MAX_LONG)
        self.operator.on_end(0)
        self.operator.close()

    def snapshot_and_restore(self) -> None:
        """State and timers as a restart would find them."""
        self.states = pickle.loads(pickle.dumps(self.states))

    def _fire(self, domain: str, until: int) -> None:
        while due := sorted(timer for timer in self.timers if timer[0] == domain and timer[1] <= until):
            time = due[0][1]
            batch = [timer for timer in due if timer[1] == time]
            self.timers.difference_update(batch)
            self._keys = [key for _, _, key, _ in batch]
            states = [self.states.setdefault(key, {}) for key in self._keys]
            self.operator.on_timers(domain, time, self._keys, states, [namespace for _, _, _, namespace in batch])
            self._erase_empty()

    def _erase_empty(self) -> None:
        self.states = {key: state for key, state in self.states.items() if state}
