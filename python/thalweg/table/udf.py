"""Python functions for SQL and the Table API."""

from __future__ import annotations

import abc
import importlib
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names

if TYPE_CHECKING:
    from thalweg._native import Function
    from thalweg.table.function_wrapper import UserDefinedFunctionWrapper

__all__ = [
    "AggregateFunction", "AsyncScalarFunction", "FunctionContext", "ImperativeAggregateFunction", "ScalarFunction",
    "TableAggregateFunction", "TableFunction", "UserDefinedFunction", "udaf", "udf", "udtaf", "udtf",
]  # fmt: skip


class FunctionContext:
    """What a function may ask about where it runs."""

    def __init__(
        self,
        base_metric_group: Any,
        job_parameters: dict[str, str] | None,
        task_name: str = "",
        task_name_with_subtasks: str = "",
        number_of_parallel_subtasks: int = 1,
        max_number_of_parallel_subtasks: int = 128,
        index_of_this_subtask: int = 0,
        attempt_number: int = 0,
    ) -> None:
        self._base_metric_group = base_metric_group
        self._job_parameters = job_parameters or {}
        self._task_name = task_name
        self._task_name_with_subtasks = task_name_with_subtasks
        self._parallelism = number_of_parallel_subtasks
        self._max_parallelism = max_number_of_parallel_subtasks
        self._index = index_of_this_subtask
        self._attempt = attempt_number

    def get_metric_group(self) -> Any:
        """Where the function registers its metrics."""
        if self._base_metric_group is None:
            raise RuntimeError("Metric has not been enabled. You can enable metric with the 'python.metric.enabled' configuration.")
        return self._base_metric_group

    def get_job_parameter(self, key: str, default_value: str) -> str:
        """A value of pipeline.global-job-parameters."""
        return self._job_parameters.get(key, default_value)

    def get_task_name(self) -> str:
        return self._task_name

    def get_task_name_with_subtasks(self) -> str:
        return self._task_name_with_subtasks

    def get_number_of_parallel_subtasks(self) -> int:
        return self._parallelism

    def get_max_number_of_parallel_subtasks(self) -> int:
        return self._max_parallelism

    def get_index_of_this_subtask(self) -> int:
        return self._index

    def get_attempt_number(self) -> int:
        return self._attempt


class UserDefinedFunction(abc.ABC):
    """Base of functions."""

    def open(self, function_context: FunctionContext) -> None:
        """Called before the first row."""

    def close(self) -> None:
        """Called after the last row."""

    def is_deterministic(self) -> bool:
        """Whether equal arguments always give equal results."""
        return True


class ScalarFunction(UserDefinedFunction):
    """One value for one row."""

    @abc.abstractmethod
    def eval(self, *args: Any) -> Any:
        """The value."""


class AsyncScalarFunction(UserDefinedFunction):
    """One value for one row, awaited."""

    @abc.abstractmethod
    async def eval(self, *args: Any) -> Any:
        """The value."""


class TableFunction(UserDefinedFunction):
    """Any number of rows for one row."""

    @abc.abstractmethod
    def eval(self, *args: Any) -> Any:
        """Yields or returns the rows."""


class ImperativeAggregateFunction(UserDefinedFunction):
    """Many rows into an accumulator."""

    @abc.abstractmethod
    def create_accumulator(self) -> Any:
        """An empty accumulator."""

    @abc.abstractmethod
    def accumulate(self, accumulator: Any, *args: Any) -> None:
        """Adds a row."""

    def retract(self, accumulator: Any, *args: Any) -> None:
        """Takes a row out again; needed where the input updates."""
        raise RuntimeError("Method retract is not implemented")

    def merge(self, accumulator: Any, accumulators: Any) -> None:
        """Adds other accumulators; needed for session windows."""
        raise RuntimeError("Method merge is not implemented")

    def get_result_type(self) -> Any:
        """The result's type, where the decorator does not say it."""
        raise RuntimeError("Method get_result_type is not implemented")

    def get_accumulator_type(self) -> Any:
        """The accumulator's type, where the decorator does not say it."""
        raise RuntimeError("Method get_accumulator_type is not implemented")


class AggregateFunction(ImperativeAggregateFunction):
    """One value for many rows."""

    @abc.abstractmethod
    def get_value(self, accumulator: Any) -> Any:
        """The value."""


class TableAggregateFunction(ImperativeAggregateFunction):
    """Any number of rows for many rows."""

    @abc.abstractmethod
    def emit_value(self, accumulator: Any) -> Any:
        """Yields the rows."""


class DelegatingScalarFunction(ScalarFunction):
    """A plain callable as a scalar function."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    def eval(self, *args: Any) -> Any:
        return self.func(*args)


class DelegatingAsyncScalarFunction(AsyncScalarFunction):
    """A plain coroutine function as an async scalar function."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    async def eval(self, *args: Any) -> Any:
        return await self.func(*args)


class DelegationTableFunction(TableFunction):
    """A plain callable as a table function."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    def eval(self, *args: Any) -> Any:
        return self.func(*args)


class DelegatingPandasAggregateFunction(AggregateFunction):
    """A plain callable over pandas Series as an aggregate function."""

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    def create_accumulator(self) -> list[Any]:
        return []

    def accumulate(self, accumulator: Any, *args: Any) -> None:
        accumulator.append(self.func(*args))

    def get_value(self, accumulator: Any) -> Any:
        return accumulator[0]


class PandasAggregateFunctionWrapper:
    """An aggregate function over pandas Series, called once for all rows of a group."""

    def __init__(self, func: AggregateFunction) -> None:
        self.func = func

    def open(self, function_context: FunctionContext) -> None:
        self.func.open(function_context)

    def eval(self, *args: Any) -> Any:
        accumulator = self.func.create_accumulator()
        self.func.accumulate(accumulator, *args)
        return self.func.get_value(accumulator)

    def close(self) -> None:
        self.func.close()


def native_function(function: Any, name: str, row_names: Sequence[str] | None = None) -> Function:
    """The engine's handle on a wrapped function or on a function object."""
    from thalweg.table.function_wrapper import UserDefinedFunctionWrapper, wrap_object

    wrapper = wrap_object(function) if isinstance(function, UserDefinedFunction) else function
    if not isinstance(wrapper, UserDefinedFunctionWrapper):
        raise TypeError(f"a function made by udf, udtf, udaf or udtaf is needed, not {function!r}")
    return wrapper._native_function(name, row_names)


def load_function(identifier: str) -> Function:
    """The function that `CREATE FUNCTION f AS 'package.module.name' LANGUAGE PYTHON` means."""
    module_name, _, name = identifier.rpartition(".")
    if not module_name:
        raise ValueError(f"write it as 'module.name', not {identifier!r}")
    found = getattr(importlib.import_module(module_name), name)
    if isinstance(found, type) and issubclass(found, UserDefinedFunction):
        found = found()
    return native_function(found, name)


def _check_function_type(func_type: str) -> None:
    if func_type not in ("general", "pandas"):
        raise ValueError(f"The func_type must be one of 'general, pandas', got {func_type}.")


def udf(f: Any = None, input_types: Any = None, result_type: Any = None, deterministic: bool | None = None, name: str | None = None,
        func_type: str = "general", udf_type: str | None = None) -> Any:  # fmt: skip
    """Makes a scalar function of a callable, a coroutine function or a (Async)ScalarFunction.

    ::

        @udf(result_type=DataTypes.BIGINT())
        def plus_one(x: int) -> int:
            return x + 1

    Types may be SQL text; without `result_type` the function's annotation says it. `func_type` "pandas": Series in, a Series out.
    """
    from thalweg.table.function_wrapper import UserDefinedAsyncScalarFunctionWrapper, UserDefinedScalarFunctionWrapper

    kind = udf_type or func_type
    _check_function_type(kind)

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        if isinstance(func, AsyncScalarFunction) or inspect.iscoroutinefunction(func):
            if kind == "pandas":
                raise ValueError("Async scalar functions do not support pandas func_type: a coroutine gets one row, use 'general'")
            return UserDefinedAsyncScalarFunctionWrapper(func, input_types, result_type, kind, deterministic, name)
        return UserDefinedScalarFunctionWrapper(func, input_types, result_type, kind, deterministic, name)

    return wrap if f is None else wrap(f)


def udtf(f: Any = None, input_types: Any = None, result_types: Sequence[Any] | Any = None, deterministic: bool | None = None,
         name: str | None = None) -> Any:  # fmt: skip
    """Makes a table function of a callable or a TableFunction.

    What it gives: None for no row; a list, range, generator or iterator of rows; anything else for one row. A row is a Row or a
    tuple, or for one column its value.
    """
    from thalweg.table.function_wrapper import UserDefinedTableFunctionWrapper

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedTableFunctionWrapper(func, input_types, result_types, deterministic, name)

    return wrap if f is None else wrap(f)


def udaf(f: Any = None, input_types: Any = None, result_type: Any = None, accumulator_type: Any = None,
         deterministic: bool | None = None, name: str | None = None, func_type: str = "general") -> Any:  # fmt: skip
    """Makes an aggregate function of an AggregateFunction, or with func_type "pandas" of a callable over Series."""
    from thalweg.table.function_wrapper import UserDefinedAggregateFunctionWrapper

    _check_function_type(func_type)

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedAggregateFunctionWrapper(func, input_types, result_type, accumulator_type, func_type, deterministic, name)

    return wrap if f is None else wrap(f)


def udtaf(f: Any = None, input_types: Any = None, result_type: Any = None, accumulator_type: Any = None,
          deterministic: bool | None = None, name: str | None = None, func_type: str = "general") -> Any:  # fmt: skip
    """Makes a table aggregate function of a TableAggregateFunction."""
    from thalweg.table.function_wrapper import UserDefinedAggregateFunctionWrapper

    if func_type != "general":
        raise ValueError(f"The func_type must be 'general', got {func_type}.")

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedAggregateFunctionWrapper(
            func, input_types, result_type, accumulator_type, func_type, deterministic, name, is_table_aggregate=True
        )

    return wrap if f is None else wrap(f)


_LATER = ("udptf", "table_arg", "value_state")


def __getattr__(name: str) -> Any:
    """The wrappers, which Flink has in this module."""
    if name in _LATER or name.startswith("ProcessTableFunction"):
        raise ImportError(
            f"cannot import name {name!r} from 'pyflink.table.udf': process table functions in Python are not part of Flink 2.3; "
            "use a table function (udtf) for row after row, or a KeyedProcessFunction of the DataStream API for state and timers"
        )
    if name.startswith("UserDefined") and name.endswith("Wrapper"):
        from thalweg.table import function_wrapper

        return getattr(function_wrapper, name)
    raise AttributeError(name)


use_flink_names(globals())
