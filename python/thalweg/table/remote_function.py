"""Functions in worker processes: the side of the job. `python.execution-mode` = `process` makes every function one of these."""

from __future__ import annotations

import io
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

from thalweg.table.udf import UserDefinedFunction

TIMEOUT_OPTION = "python.fn-execution.call-timeout"
_DEFAULT_TIMEOUT_MS = 600_000
_CHUNK = 512
_CLOSE_SECONDS = 5.0
_STEP_SECONDS = 0.2


class RemoteFailureError(Exception):
    """What a function raised in its worker: `trace` is its traceback there."""

    def __init__(self, trace: str) -> None:
        super().__init__(trace)
        self.trace = trace


class RemoteFunction:
    """A function in a worker process of its own, with the methods that the function has."""

    def __init__(self, name: str, kind: str, instance: UserDefinedFunction, subtask: int, config: dict[str, str]) -> None:
        self._name = name
        self._timeout = _timeout_seconds(config)
        pickled = _pickled(name, instance)
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "thalweg.table.function_worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
            )
        self._connection = Connection(ours.detach())
        self._connection.send(sys.path)
        remote_config = {**config, "python.execution-mode": "thread"}
        try:
            self.request("open", name, kind, pickled, subtask, remote_config)
        except BaseException:
            self._kill()
            raise

    def request(self, method: str, *args: Any) -> Any:
        """One request and its answer. A worker that is gone or does not answer is an error."""
        try:
            self._connection.send((method, args))
            self._wait()
            state, value = self._connection.recv()
        except (EOFError, OSError) as error:
            raise RemoteFailureError(f"The worker process of {self._name} ended: {self._exit_text()}") from error
        except KeyboardInterrupt:
            # It is in the middle of a call, and would not hear `close`.
            self._kill()
            raise
        if state == "error":
            raise RemoteFailureError(value)
        return value

    def _wait(self) -> None:
        """Waits for the answer, in short steps, so that the thread can be interrupted."""
        deadline = time.monotonic() + self._timeout
        while not self._connection.poll(min(_STEP_SECONDS, self._timeout)):
            if time.monotonic() >= deadline:
                self._kill()
                raise RemoteFailureError(
                    f"TimeoutError: {self._name} did not come back within {self._timeout:g} s, so its worker was stopped; "
                    f"{TIMEOUT_OPTION} sets the limit"
                )

    def _exit_text(self) -> str:
        try:
            code = self._process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its connection"
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()

    # What an opened function is asked for.
    def bind(self, argument_types: Sequence[str], row_names: Sequence[str] | None) -> None:
        self.request("bind_arguments", list(argument_types), None if row_names is None else list(row_names))

    def eval(self, *args: Any) -> Any:
        return self.request("call", *args)

    def rows(self, *args: Any) -> Any:
        """A table function's rows; those of a generator are fetched as they are needed."""
        given = self.request("start", *args)
        return self._taken() if given is None else given

    def _taken(self) -> Iterator[Any]:
        count = 1
        while chunk := self.request("take", count):
            yield from chunk
            count = min(count * 8, _CHUNK)

    def run(self, rows: list[list[Any]]) -> tuple[list[Any], BaseException | None]:
        results, trace = self.request("rows", rows)
        return results, None if trace is None else RemoteFailureError(trace)

    def create_accumulator(self) -> _Boxed:
        return _Boxed(self.request("create_accumulator"))

    def accumulate(self, accumulator: _Boxed, *args: Any) -> None:
        accumulator.value = self.request("accumulate", accumulator.value, *args)

    def retract(self, accumulator: _Boxed, *args: Any) -> None:
        accumulator.value = self.request("retract", accumulator.value, *args)

    def merge(self, accumulator: _Boxed, accumulators: Sequence[_Boxed]) -> None:
        accumulator.value = self.request("merge", accumulator.value, [other.value for other in accumulators])

    def get_value(self, accumulator: _Boxed) -> Any:
        return self.request("get_value", accumulator.value)

    def close(self) -> None:
        self._timeout = min(self._timeout, _CLOSE_SECONDS)
        try:
            if self._process.poll() is None:
                self.request("close")
        finally:
            self._connection.close()
            try:
                self._process.wait(_CLOSE_SECONDS)
            except subprocess.TimeoutExpired:
                self._kill()


class _Boxed:
    """An accumulator as the worker last gave it."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _timeout_seconds(config: dict[str, str]) -> float:
    from thalweg.table.async_functions import milliseconds

    text = config.get(TIMEOUT_OPTION)
    return (_DEFAULT_TIMEOUT_MS if text is None else milliseconds(text)) / 1000


def _pickled(name: str, instance: UserDefinedFunction) -> bytes:
    """The function for the worker: by cloudpickle where it is there, which takes lambdas and functions of the program itself."""
    try:
        import cloudpickle  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        pass
    else:
        return bytes(cloudpickle.dumps(instance))
    buffer = io.BytesIO()
    try:
        _Pickler(buffer).dump(instance)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise RuntimeError(
            f"the function {name} can't be sent to a worker process ({error}); install cloudpickle, "
            "move the function into a module of its own, or set python.execution-mode to thread"
        ) from error
    return buffer.getvalue()


class _Pickler(pickle.Pickler):
    """Refuses what only this program has: in the worker `__main__` is another module."""

    def reducer_override(self, value: Any) -> Any:
        if getattr(value, "__module__", None) == "__main__" and isinstance(value, (type, type(_pickled))):
            raise pickle.PicklingError(f"{value.__qualname__} is in the program itself")
        return NotImplemented
