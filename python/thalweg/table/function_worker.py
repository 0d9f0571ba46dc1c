"""A worker process that runs one function: what `python.execution-mode` = `process` starts for each function of a task.

It answers requests on the socket that it inherits, one at a time, until the socket closes. A request is (method, arguments), an answer
("ok", value) or ("error", traceback text).
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from thalweg.table.function_runtime import OpenedFunction, trace_text


class Worker:
    """The function and, for a table function, what the row begun still gives."""

    def __init__(self) -> None:
        self._opened: OpenedFunction | None = None
        self._results: Iterator[Any] = iter(())
        self._runner: Any = None

    @property
    def _function(self) -> OpenedFunction:
        if self._opened is None:
            raise RuntimeError("the function is not open")
        return self._opened

    def open(self, name: str, kind: str, function: bytes, subtask: int, config: dict[str, str]) -> None:
        self._opened = OpenedFunction(name, kind, pickle.loads(function), subtask, config)

    def bind_arguments(self, argument_types: list[str], row_names: list[str] | None) -> None:
        self._function.bind_arguments(argument_types, row_names)

    def rows(self, rows: list[list[Any]]) -> tuple[list[Any], str | None]:
        """The results, and the traceback of the row behind the last one."""
        if self._runner is None:
            self._runner = self._function.rows_runner()
        results, error = self._runner.run(rows)
        return results, None if error is None else trace_text(error)

    def call(self, *args: Any) -> Any:
        return self._function.callable(*args)

    def start(self, *args: Any) -> Any:
        """Calls a table function; a generator stays here and is read by `take`."""
        given = self._function.callable(*args)
        if given is None or isinstance(given, (list, range)) or not hasattr(given, "__next__"):
            return given
        self._results = given
        return None

    def take(self, count: int) -> list[Any]:
        return list(islice(self._results, count))

    def create_accumulator(self) -> Any:
        return self._function.function.create_accumulator()

    def accumulate(self, accumulator: Any, *args: Any) -> Any:
        self._function.function.accumulate(accumulator, *args)
        return accumulator

    def retract(self, accumulator: Any, *args: Any) -> Any:
        self._function.function.retract(accumulator, *args)
        return accumulator

    def merge(self, accumulator: Any, accumulators: Any) -> Any:
        self._function.function.merge(accumulator, accumulators)
        return accumulator

    def get_value(self, accumulator: Any) -> Any:
        return self._function.function.get_value(accumulator)

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()
        self._function.close()


def serve(connection: Connection) -> None:
    """Answers until the other side goes."""
    sys.path[:] = connection.recv()
    worker = Worker()
    while True:
        try:
            method, args = connection.recv()
        except EOFError:
            return
        try:
            answer = ("ok", getattr(worker, method)(*args))
        except Exception as error:  # noqa: BLE001 (a user's function may raise anything; the job fails with it)
            answer = ("error", trace_text(error))
        try:
            connection.send(answer)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            connection.send(("error", f"What the function gave can't be sent to the job: {error}"))


def _die_with(parent: int) -> None:
    """Ends the worker once the process that started it is gone, even while a function runs."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Started with the number of the inherited socket."""
    # Ctrl-C goes to the program, which closes its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with(os.getppid())
    with Connection(int(sys.argv[1])) as connection:
        serve(connection)


if __name__ == "__main__":
    main()
