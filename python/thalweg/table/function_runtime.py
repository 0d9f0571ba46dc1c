"""What the engine calls to run Python functions in a task: opening them, zones, texts of failures."""

from __future__ import annotations

import contextlib
import copy
import decimal
import json
import os
import sys
import threading
import time
import traceback
import zoneinfo
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from thalweg.common.types import Row
from thalweg.table.function_files import REQUIREMENTS, files_of, install_requirements
from thalweg.table.udf import (
    DelegatingPandasAggregateFunction,
    DelegatingScalarFunction,
    DelegationTableFunction,
    FunctionContext,
    TableAggregateFunction,
    UserDefinedFunction,
)

_OURS = str(Path(__file__).resolve().parents[1]) + os.sep
_SHOWN_CHARACTERS = 200
_PARKING_SECONDS = 0.1
_MEMORY_LIMIT = "_PYTHON_WORKER_MEMORY_LIMIT"


class OpenedFunction:
    """One function in one task, with an object of its own: opened when made, closed by `close`."""

    def __init__(self, name: str, kind: str, instance: UserDefinedFunction, subtask: int, config: dict[str, str]) -> None:
        self.name = name
        self.kind = kind
        self._config = config
        self.is_remote = config.get("python.execution-mode", "thread") == "process"
        self._files = contextlib.ExitStack()
        if self.is_remote:
            from thalweg.table.remote_function import RemoteFunction

            install_requirements(config)
            self.function: Any = RemoteFunction(name, kind, instance, subtask, {**config, REQUIREMENTS: ""})
            return
        with contextlib.ExitStack() as files:
            files.enter_context(files_of(config))
            self._open(name, instance, subtask, config)
            self._files = files.pop_all()

    def _open(self, name: str, instance: UserDefinedFunction, subtask: int, config: dict[str, str]) -> None:
        _tell_memory_limit()
        self.function = _own_copy(instance)
        if isinstance(self.function, DelegatingPandasAggregateFunction):
            from thalweg.table.pandas_functions import PandasAggregate

            self.function = PandasAggregate(self.function)
        elif isinstance(self.function, TableAggregateFunction):
            self.function = _EmittedRows(self.function)
        self.function.open(_context(name, subtask, config))

    @property
    def callable(self) -> Callable[..., Any]:
        """What is called for a row: the user's own callable where there is no object around it."""
        if isinstance(self.function, (DelegatingScalarFunction, DelegationTableFunction)):
            return self.function.func
        if self.is_remote and self.kind == "table":
            return self.function.rows  # type: ignore[no-any-return]
        return self.function.eval  # type: ignore[no-any-return]

    def bind_arguments(self, argument_types: Sequence[str], row_names: Sequence[str] | None) -> None:
        """Tells an aggregate over Series what its arguments are."""
        if hasattr(self.function, "bind"):
            self.function.bind(argument_types, row_names)

    def vectorized(self, argument_types: Sequence[str], result_type: str, row_names: Sequence[str] | None, zone: str) -> Any:
        """What is called for a batch's columns."""
        from thalweg.table.pandas_functions import VectorizedFunction

        return VectorizedFunction(self.name, self.callable, argument_types, result_type, row_names, zone)

    def rows_runner(self) -> Any:
        """What is called for a list of rows: its `run` gives the results, and the error of the row behind the last one."""
        if self.is_remote:
            return _Unclosed(self.function.run)
        if self.kind == "async_scalar":
            from thalweg.table.async_functions import AsyncRunner

            return AsyncRunner(self.callable, self._config)
        return _RowsRunner(self.callable)

    def close(self) -> None:
        with self._files:
            self.function.close()


class _Unclosed:
    """A runner with nothing to close."""

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run

    def close(self) -> None:
        """Called after the last row."""


class _RowsRunner(_Unclosed):
    """Calls a function for one row after the other."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(self._run)
        self._function = function

    def _run(self, rows: Sequence[Sequence[Any]]) -> tuple[list[Any], BaseException | None]:
        results: list[Any] = []
        try:
            for row in rows:
                results.append(self._function(*row))
        except Exception as error:  # noqa: BLE001 (a user's function may raise anything; the job fails with it)
            return results, error
        return results, None


class _EmittedRows:
    """A table aggregate function as an aggregate whose value is the list of the rows that it emits."""

    def __init__(self, function: TableAggregateFunction) -> None:
        self._function = function
        self.open = function.open
        self.close = function.close
        self.create_accumulator = function.create_accumulator
        self.accumulate = function.accumulate
        self.retract = function.retract
        self.merge = function.merge

    def get_value(self, accumulator: Any) -> list[Any]:
        return [row if isinstance(row, (Row, tuple)) else (row,) for row in self._function.emit_value(accumulator) or ()]


def _tell_memory_limit() -> None:
    """Flink's workers find their memory limit, in bytes, in the environment; here it is the machine's."""
    if _MEMORY_LIMIT not in os.environ:
        os.environ[_MEMORY_LIMIT] = str(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def _own_copy(instance: UserDefinedFunction) -> UserDefinedFunction:
    """As Flink, which pickles functions, gives each task an object of its own; what can't be copied (locks, open files) is shared."""
    try:
        return copy.deepcopy(instance)
    except Exception:  # noqa: BLE001
        return instance


def _context(name: str, subtask: int, config: dict[str, str]) -> FunctionContext:
    from thalweg.metrics.local import LocalMetricGroup

    enabled = config.get("python.metric.enabled", "true").lower() == "true"
    group = LocalMetricGroup(scope=name) if enabled else None
    parallelism = int(config.get("parallelism.default", "1"))
    return FunctionContext(group, job_parameters(config), name, f"{name} ({subtask + 1}/{parallelism})", parallelism, 128, subtask)


def job_parameters(config: dict[str, str]) -> dict[str, str]:
    """The pairs of pipeline.global-job-parameters: `a:1,b:2`, YAML's `{a: 1, b: 2}`, or keys of their own below it."""
    key = "pipeline.global-job-parameters"
    found = {k[len(key) + 1 :]: v for k, v in config.items() if k.startswith(key + ".")}
    text = config.get(key, "").strip()
    if text.startswith("{"):
        try:
            return {**found, **{str(k): str(v) for k, v in json.loads(text).items()}}
        except ValueError:
            text = text[1:-1]
    for pair in text.split(","):
        name, colon, value = pair.partition(":")
        if colon:
            found[_unquoted(name)] = _unquoted(value)
    return found


def _unquoted(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def zone_of(name: str) -> Any:
    """The zone that a TIMESTAMP_LTZ carries: pytz's, as in Flink, where it is installed."""
    try:
        import pytz
    except ImportError:
        return None if name == "UTC" else _Zone(name)
    try:
        return pytz.timezone(name)
    except pytz.UnknownTimeZoneError:
        return _Zone(name)


class _Zone:
    """pytz's `localize` for a zone of the standard library."""

    def __init__(self, name: str) -> None:
        self._zone = zoneinfo.ZoneInfo(name)

    def localize(self, time: Any) -> Any:
        return time.replace(tzinfo=self._zone)


def decimal_digits(value: Any, precision: int, scale: int) -> str:
    """A number's digits, rounded half to even as PyFlink's coder does."""
    context = decimal.Context(prec=max(precision, 1), rounding=decimal.ROUND_HALF_EVEN)
    return format(decimal.Decimal(value).quantize(decimal.Decimal(1).scaleb(-scale), context=context), "f")


def failure_text(name: str, error: BaseException, arguments: Sequence[Any]) -> str:
    """The user's own frames, the error, the function and what it was called with."""
    shown = ", ".join(_shown(value) for value in arguments)
    return f"{name}({shown}) failed:\n{trace_text(error)}"


def open_failure_text(name: str, error: BaseException) -> str:
    """The same for a function that could not be opened."""
    return f"The function {name} could not be opened:\n{trace_text(error)}"


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001 (a user's __repr__)
        text = f"<{type(value).__name__} whose repr failed: {error!r}>"
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "..."


def trace_text(error: BaseException) -> str:
    """A traceback with the user's own frames alone."""
    if hasattr(error, "trace"):
        return str(error.trace)
    shown = traceback.TracebackException.from_exception(error)
    _cut_frames(shown)
    return "".join(shown.format()).rstrip()


def _cut_frames(shown: traceback.TracebackException | None) -> None:
    """Our own frames help nobody."""
    while shown is not None:
        shown.stack = traceback.StackSummary.from_list([f for f in shown.stack if not f.filename.startswith(_OURS)])
        _cut_frames(shown.__cause__)
        shown = shown.__context__


def running_functions(interrupt: bool) -> int:
    """How many threads of the engine are in a function; with `interrupt`, KeyboardInterrupt is raised in each, once it is in Python."""
    return _raise_in_functions(KeyboardInterrupt if interrupt else None)


class _Parked(BaseException):
    """What its thread never gets past: it waits for the end of the process."""

    def __new__(cls) -> _Parked:
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
        return super().__new__(cls)


def park_functions() -> None:
    """At the end of the program: functions that were left behind do not come back to the engine any more."""
    _raise_in_functions(_Parked)
    time.sleep(_PARKING_SECONDS)


def _raise_in_functions(exception: type[BaseException] | None) -> int:
    import ctypes

    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    known = {thread.ident for thread in threading.enumerate()}
    running = [ident for ident in sys._current_frames() if ident not in known]
    for ident in running if exception is not None else ():
        raise_in(ctypes.c_ulong(ident), ctypes.py_object(exception))
    return len(running)
