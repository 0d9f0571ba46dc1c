"""The host of async functions: an event loop on a thread of its own a subtask."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from thalweg.datastream.async_functions import AsyncFunctionDescriptor
from thalweg.datastream.runtime.host import FunctionHost

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from thalweg._native import StreamContext
    from thalweg.common.typeinfo import TypeInformation

__all__ = ["AsyncHost"]

_LOOK_MS = 5
"""How often results are looked for while no records come."""


class _Loop:
    """An event loop that runs on its own thread until `close`."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Starts a coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Ends the loop, and what still runs on it."""

        def stop() -> None:
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.call_soon(self._loop.stop)

        self._loop.call_soon_threadsafe(stop)
        self._thread.join()
        self._loop.close()


class AsyncHost(FunctionHost):
    """Keeps up to `capacity` records under way. Watermarks, barriers and the end wait until none is."""

    def __init__(self, descriptor: AsyncFunctionDescriptor, output_type: TypeInformation | None) -> None:
        super().__init__(descriptor.async_function, output_type)
        self._timeout = descriptor.timeout.to_milliseconds() / 1000
        self._capacity = descriptor.capacity
        self._strategy = descriptor.async_retry_strategy
        self._ordered = descriptor.output_mode is AsyncFunctionDescriptor.OutputMode.ORDERED
        # (record, its time, its results to come), the oldest first.
        self._under_way: deque[tuple[Any, int | None, Future[Any]]] = deque()
        self._finished = threading.Event()

    def open(self, context: StreamContext) -> None:
        self._loop = _Loop(context.name)
        super().open(context)

    def close(self) -> None:
        if hasattr(self, "_loop"):
            self._loop.close()
        super().close()

    def process(self, input_number: int, records: list[Any], keys: Any, states: Any) -> None:
        for record, time in zip(records, self.context.timestamps()):
            while len(self._under_way) >= self._capacity:
                self._wait()
            future = self._loop.submit(self._ask(record))
            self._under_way.append((record, time, future))
            future.add_done_callback(lambda _: self._finished.set())
        self._send_finished()
        self._look_again()

    def on_wake(self, now: int) -> None:
        """Sends what has come since."""
        self._send_finished()
        self._look_again()

    def on_watermark(self, watermark: int) -> None:
        """No result may come behind it."""
        self._drain()

    def on_end(self, input_number: int) -> None:
        """The last results."""
        self._drain()

    def snapshot(self) -> None:
        """Records under way are no state: they are worked off before a checkpoint."""
        self._drain()

    def _look_again(self) -> None:
        if self._under_way:
            self.context.wake_at(self.context.now() + _LOOK_MS)

    def _drain(self) -> None:
        while self._under_way:
            self._wait()

    def _wait(self) -> None:
        """Until something could be sent."""
        while not self._send_finished():
            self._finished.wait(0.1)

    def _send_finished(self) -> bool:
        """Sends the results that are there, as far as the order allows; whether there were any."""
        self._finished.clear()
        under_way = self._under_way
        done: list[tuple[Any, int | None, Future[Any]]] = []
        if self._ordered:
            while under_way and under_way[0][2].done():
                done.append(under_way.popleft())
        else:
            left: deque[tuple[Any, int | None, Future[Any]]] = deque()
            for one in under_way:
                (done if one[2].done() else left).append(one)
            self._under_way = left
        results: list[Any] = []
        times: list[int | None] = []
        try:
            for record, time, future in done:  # noqa: B007 (the record is shown with a failure)
                found = future.result()
                results.extend(found)
                times.extend([time] * len(found))
        finally:
            if results:
                self.context.emit_at(self.convert(results), times)
        return bool(done)

    async def _ask(self, record: Any) -> list[Any]:
        """The results for one record, within the time-out."""
        task = asyncio.ensure_future(self._try(record))
        finished, _ = await asyncio.wait({task}, timeout=self._timeout)
        if not finished:
            task.cancel()
        results = task.result() if finished else self.function.timeout(record)
        if not isinstance(results, list):
            raise TypeError(
                f"The result of an AsyncFunction should be of list type, not {type(results).__name__}: please check the methods "
                f"'async_invoke' and 'timeout' of AsyncFunction '{type(self.function).__name__}'."
            )
        return results

    async def _try(self, record: Any) -> Any:
        """Asks, and asks again where the strategy says so."""
        predicate = self._strategy.get_retry_predicate()
        on_result, on_exception = predicate.result_predicate(), predicate.exception_predicate()
        attempts = 1
        while True:
            try:
                results = await self.function.async_invoke(record)
                again = on_result is not None and on_result(results)
            except Exception as error:
                if on_exception is None or not on_exception(error) or not self._strategy.can_retry(attempts):
                    raise
                again = True
            if not again or not self._strategy.can_retry(attempts):
                return results
            await asyncio.sleep(self._strategy.get_backoff_time_millis(attempts) / 1000)
            attempts += 1
