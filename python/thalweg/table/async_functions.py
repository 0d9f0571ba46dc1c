"""Functions that are awaited: many calls are under way at once, results come in the order of the rows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

_UNITS = {"": 1, "ms": 1, "s": 1_000, "sec": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_PREFIX = "table.exec.async-scalar."


class AsyncRunner:
    """Runs the calls of a batch on an event loop of its own."""

    def __init__(self, function: Callable[..., Coroutine[Any, Any, Any]], config: dict[str, str]) -> None:
        self._function = function
        self._capacity = int(config.get(_PREFIX + "max-concurrent-operations", config.get(_PREFIX + "buffer-capacity", "10")))
        self._timeout = milliseconds(config.get(_PREFIX + "timeout", "3 min")) / 1000
        retries = config.get(_PREFIX + "retry-strategy", "FIXED_DELAY").upper() == "FIXED_DELAY"
        self._attempts = int(config.get(_PREFIX + "max-attempts", "3")) if retries else 1
        self._delay = milliseconds(config.get(_PREFIX + "retry-delay", "100 ms")) / 1000
        self._loop = asyncio.new_event_loop()

    def run(self, rows: Sequence[Sequence[Any]]) -> tuple[list[Any], BaseException | None]:
        """The results, and the error of the row behind the last one."""
        outcomes = self._loop.run_until_complete(self._all(rows))
        results: list[Any] = []
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                return results, outcome
            results.append(outcome)
        return results, None

    async def _all(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        room = asyncio.Semaphore(max(1, self._capacity))
        return list(await asyncio.gather(*(self._one(room, row) for row in rows), return_exceptions=True))

    async def _one(self, room: asyncio.Semaphore, row: Sequence[Any]) -> Any:
        """The time limit is for all attempts together."""
        async with room:
            call = asyncio.ensure_future(self._attempts_of(row))
            done, _ = await asyncio.wait({call}, timeout=self._timeout)
            if done:
                return call.result()
            call.cancel()
            raise TimeoutError(f"Async function call has timed out for input: {list(row)}")

    async def _attempts_of(self, row: Sequence[Any]) -> Any:
        for _ in range(1, self._attempts):
            try:
                return await self._function(*row)
            except Exception:  # noqa: BLE001 (a user's function may raise anything; the last attempt shows it)
                await asyncio.sleep(self._delay)
        return await self._function(*row)

    def close(self) -> None:
        """Called after the last row."""
        self._loop.close()


def milliseconds(text: str) -> int:
    """A duration of the configuration: "100 ms", "3 min"."""
    match = re.fullmatch(r"\s*(\d+)\s*([a-z]*)\s*", text.lower())
    unit = match.group(2) if match else ""
    if unit not in _UNITS:
        unit = unit.removesuffix("s")
    if match is None or unit not in _UNITS:
        raise ValueError(f"not a duration: {text!r}")
    return int(match.group(1)) * _UNITS[unit]
