"""A result that comes later."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from thalweg._flink_names import use_flink_names

__all__ = ["CompletableFuture"]


class CompletableFuture:
    """Wraps a call that may wait. The call runs when the result is first asked for, or at once with `started`."""

    def __init__(self, j_completable_future: Callable[[], Any], py_class: Callable[[Any], Any] | None = None) -> None:
        self._call = j_completable_future
        self._convert = py_class
        self._lock = threading.Lock()
        self._done = False
        self._cancelled = False
        self._value: Any = None
        self._error: BaseException | None = None

    @classmethod
    def started(cls, call: Callable[[], Any], py_class: Callable[[Any], Any] | None = None) -> CompletableFuture:
        """A future whose call already runs on a thread of its own."""
        future = cls(call, py_class)
        threading.Thread(target=future._run, daemon=True).start()
        return future

    def cancel(self) -> bool:
        """Cancels it where it has not started; whether that worked."""
        if self._done or self._lock.locked():
            return False
        self._cancelled = self._done = True
        return True

    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self._cancelled

    def done(self) -> bool:
        """Whether there is a result, or an error."""
        return self._done

    def result(self) -> Any:
        """Waits for the result; raises what the call raised."""
        self._run()
        if self._error is not None:
            raise self._error
        return self._value if self._convert is None or self._value is None else self._convert(self._value)

    def exception(self) -> BaseException | None:
        """What the call raised, or None. Does not wait."""
        return self._error

    def set_result(self, result: Any) -> None:
        """Completes it by hand."""
        self._value, self._done = result, True

    def set_exception(self, exception: BaseException) -> None:
        """Completes it by hand with an error."""
        self._error, self._done = exception, True

    def _run(self) -> None:
        with self._lock:
            if self._done:
                return
            try:
                self._value = self._call()
            except BaseException as error:  # noqa: BLE001 (handed to whoever asks)
                self._error = error
            self._done = True

    def __str__(self) -> str:
        return f"CompletableFuture(done={self._done})"


use_flink_names(globals())
