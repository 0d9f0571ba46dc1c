"""Python functions for SQL and the Table API."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names

if TYPE_CHECKING:
    from thalweg._native import Function
    from thalweg.table.expression import Expression

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


class UserDefinedFunctionWrapper:
    """A function with its types; calling it makes an expression."""

    def __init__(self, func: Any, kind: str, result_type: Any, input_types: Any = None, accumulator_type: Any = None,
                 deterministic: bool | None = None, name: str | None = None, func_type: str = "general") -> None:  # fmt: skip
        if func_type not in ("general", "pandas"):
            raise ValueError(f"The func_type must be one of 'general, pandas', got {func_type}.")
        if isinstance(func, type) or not (callable(func) or isinstance(func, UserDefinedFunction)):
            raise TypeError(f"Invalid function: not a function or callable (__call__ is not defined): {type(func)}")
        self._func = func
        self._kind = kind
        self._result_type = result_type
        self._input_types = input_types if input_types is None or isinstance(input_types, (list, tuple)) else [input_types]
        self._accumulator_type = accumulator_type
        self._name = str(name or getattr(func, "__name__", type(func).__name__))
        self._func_type = func_type
        own = func.is_deterministic() if isinstance(func, UserDefinedFunction) else True
        self._deterministic = own if deterministic is None else deterministic
        self._native: Function | None = None
        self.__doc__ = getattr(func, "__doc__", None)
        self.__name__ = self._name

    def alias(self, *alias_names: str) -> UserDefinedFunctionWrapper:
        """Names the results, for `map` and its kin."""
        self._alias_names = alias_names
        return self

    def __call__(self, *args: Any) -> Expression:
        from thalweg.table.expression import Expression
        from thalweg.table.expression_tree import to_tree

        return Expression(("python", native_function(self, self._name), tuple(to_tree(a) for a in args)))


def native_function(function: Any, name: str) -> Function:
    """The engine's handle on a wrapped function or on a function object."""
    if isinstance(function, UserDefinedFunction):
        function = _wrap_object(function)
    if not isinstance(function, UserDefinedFunctionWrapper):
        raise TypeError(f"a function made by udf, udtf, udaf or udtaf is needed, not {function!r}")
    if function._native is None:
        from thalweg import _native

        function._native = _native.Function(
            name,
            function._kind,
            _instance(function),
            _type_text(_result_type(function)),
            None if function._input_types is None else [_type_text(t) for t in function._input_types],
            function._deterministic,
            function._func_type == "pandas",
        )
    return function._native


def _wrap_object(function: UserDefinedFunction) -> UserDefinedFunctionWrapper:
    if isinstance(function, AggregateFunction):
        return UserDefinedFunctionWrapper(function, "aggregate", None)
    if isinstance(function, TableAggregateFunction):
        return UserDefinedFunctionWrapper(function, "table_aggregate", None)
    raise TypeError(f"give the result type: udf({type(function).__name__}(), result_type=...)")


def _instance(function: UserDefinedFunctionWrapper) -> UserDefinedFunction:
    func = function._func
    if isinstance(func, UserDefinedFunction):
        return func
    if function._kind == "scalar":
        return DelegatingScalarFunction(func)
    return DelegationTableFunction(func) if function._kind == "table" else DelegatingPandasAggregateFunction(func)


def _result_type(function: UserDefinedFunctionWrapper) -> Any:
    if function._result_type is not None:
        return function._result_type
    if isinstance(function._func, ImperativeAggregateFunction):
        return function._func.get_result_type()
    raise TypeError(f"the function {function._name} needs a result_type")


def _type_text(data_type: Any) -> str:
    from thalweg.table.type_text import to_type_text

    if isinstance(data_type, (list, tuple)):
        fields = [f"`f{i}` {to_type_text(t)}" for i, t in enumerate(data_type)]
        return fields[0].partition(" ")[2] if len(fields) == 1 else f"ROW<{', '.join(fields)}>"
    return to_type_text(data_type)


def udf(f: Any = None, input_types: Any = None, result_type: Any = None, deterministic: bool | None = None, name: str | None = None,
        func_type: str = "general", udf_type: str | None = None) -> Any:  # fmt: skip
    """Makes a scalar function of a callable or a ScalarFunction: `@udf(result_type=DataTypes.BIGINT())`."""
    kind = udf_type or func_type

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedFunctionWrapper(func, "scalar", result_type, input_types, None, deterministic, name, kind)

    return wrap if f is None else wrap(f)


def udtf(f: Any = None, input_types: Any = None, result_types: Sequence[Any] | Any = None, deterministic: bool | None = None,
         name: str | None = None) -> Any:  # fmt: skip
    """Makes a table function of a callable or a TableFunction."""

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedFunctionWrapper(func, "table", result_types, input_types, None, deterministic, name)

    return wrap if f is None else wrap(f)


def udaf(f: Any = None, input_types: Any = None, result_type: Any = None, accumulator_type: Any = None,
         deterministic: bool | None = None, name: str | None = None, func_type: str = "general") -> Any:  # fmt: skip
    """Makes an aggregate function of an AggregateFunction, or with func_type "pandas" of a callable."""

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedFunctionWrapper(func, "aggregate", result_type, input_types, accumulator_type, deterministic, name, func_type)

    return wrap if f is None else wrap(f)


def udtaf(f: Any = None, input_types: Any = None, result_type: Any = None, accumulator_type: Any = None,
          deterministic: bool | None = None, name: str | None = None, func_type: str = "general") -> Any:  # fmt: skip
    """Makes a table aggregate function of a TableAggregateFunction."""
    if func_type != "general":
        raise ValueError(f"The func_type must be 'general', got {func_type}.")

    def wrap(func: Any) -> UserDefinedFunctionWrapper:
        return UserDefinedFunctionWrapper(func, "table_aggregate", result_type, input_types, accumulator_type, deterministic, name)

    return wrap if f is None else wrap(f)


use_flink_names(globals())
