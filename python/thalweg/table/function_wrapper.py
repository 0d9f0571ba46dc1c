"""Functions with their types: what udf, udtf, udaf and udtaf make."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import MapType, RowType
from thalweg.table.simple_types import DataType
from thalweg.table.type_text import to_type_text
from thalweg.table.udf import (
    AggregateFunction,
    AsyncScalarFunction,
    DelegatingAsyncScalarFunction,
    DelegatingPandasAggregateFunction,
    DelegatingScalarFunction,
    DelegationTableFunction,
    ImperativeAggregateFunction,
    PandasAggregateFunctionWrapper,
    ScalarFunction,
    TableAggregateFunction,
    TableFunction,
    UserDefinedFunction,
)

if TYPE_CHECKING:
    from thalweg._native import Function
    from thalweg.table.expression import Expression


class UserDefinedFunctionWrapper:
    """A function with its types; calling it makes an expression."""

    _kind = ""

    def __init__(self, func: Any, input_types: Any, func_type: str, deterministic: bool | None = None, name: str | None = None) -> None:
        if isinstance(func, type) or not (callable(func) or isinstance(func, UserDefinedFunction)):
            raise TypeError(f"Invalid function: not a function or callable (__call__ is not defined): {type(func)}")
        own = func.is_deterministic() if isinstance(func, UserDefinedFunction) else True
        if deterministic is not None and isinstance(func, UserDefinedFunction) and deterministic != own:
            raise ValueError(f"Inconsistent deterministic: {deterministic} and {own}")
        self._func = func
        self._input_types = _input_types(input_types)
        self._name = str(name or getattr(func, "__name__", type(func).__name__))
        self._func_type = func_type
        self._deterministic = own if deterministic is None else deterministic
        self._takes_row_as_input = False
        self._alias_names: tuple[str, ...] = ()
        self._natives: dict[tuple[str, ...] | None, Function] = {}
        self.__doc__ = getattr(func, "__doc__", None)
        self.__name__ = self._name

    def alias(self, *alias_names: str) -> UserDefinedFunctionWrapper:
        """Names the results, for `map` and its kin."""
        self._alias_names = alias_names
        return self

    def _set_takes_row_as_input(self) -> UserDefinedFunctionWrapper:
        self._takes_row_as_input = True
        return self

    def __call__(self, *args: Any) -> Expression:
        from thalweg.table.expression import Expression
        from thalweg.table.expression_tree import to_tree

        return Expression(("python", self._native_function(self._name), tuple(to_tree(a) for a in args)))

    def _native_function(self, name: str, row_names: Sequence[str] | None = None) -> Function:
        """The engine's handle; with `row_names` the function gets all arguments as one Row (or DataFrame) of these names."""
        key = None if row_names is None else tuple(row_names)
        if key not in self._natives:
            from thalweg import _native

            self._natives[key] = _native.Function(
                self._name or name,
                self._kind,
                self._delegate(),
                self._result_text(),
                None if self._input_types is None else [to_type_text(t) for t in self._input_types],
                self._deterministic,
                self._func_type == "pandas",
                self._arity(),
                None if key is None else list(key),
            )
        return self._natives[key]

    def _delegate(self) -> Any:
        return self._func if isinstance(self._func, UserDefinedFunction) else self._create_delegate_function()

    def _create_delegate_function(self) -> UserDefinedFunction:
        raise NotImplementedError

    def _result_text(self) -> str:
        raise NotImplementedError

    def _method(self) -> tuple[Callable[..., Any], int]:
        """What is called with the arguments, and how many parameters come before them."""
        return (self._func.eval, 0) if isinstance(self._func, UserDefinedFunction) else (self._func, 0)  # type: ignore[attr-defined]

    def _arity(self) -> tuple[int, int]:
        """The least and the greatest number of arguments; -1 for no limit."""
        method, before = self._method()
        try:
            parameters = list(inspect.signature(method).parameters.values())
        except (TypeError, ValueError):
            return 0, -1
        positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        most = -1 if any(p.kind == p.VAR_POSITIONAL for p in parameters) else max(0, len(positional) - before)
        return max(0, sum(p.default is p.empty for p in positional) - before), most


class UserDefinedScalarFunctionWrapper(UserDefinedFunctionWrapper):
    """A scalar function."""

    _kind = "scalar"

    def __init__(self, func: Any, input_types: Any, result_type: Any, func_type: str, deterministic: bool | None, name: str | None) -> None:
        super().__init__(func, input_types, func_type, deterministic, name)
        if result_type is None and func_type == "general":
            from thalweg.table.type_hints import result_type_of

            result_type = result_type_of(self._method()[0])
        self._result_type = _checked_type(result_type, "returnType: returnType")

    def _create_delegate_function(self) -> UserDefinedFunction:
        return DelegatingScalarFunction(self._func)

    def _result_text(self) -> str:
        return to_type_text(self._result_type)


class UserDefinedAsyncScalarFunctionWrapper(UserDefinedScalarFunctionWrapper):
    """A scalar function that is awaited."""

    _kind = "async_scalar"

    def _create_delegate_function(self) -> UserDefinedFunction:
        return DelegatingAsyncScalarFunction(self._func)


class UserDefinedTableFunctionWrapper(UserDefinedFunctionWrapper):
    """A table function."""

    _kind = "table"

    def __init__(self, func: Any, input_types: Any, result_types: Any, deterministic: bool | None = None, name: str | None = None) -> None:
        super().__init__(func, input_types, "general", deterministic, name)
        if isinstance(result_types, RowType):
            result_types = result_types.field_types()
        elif isinstance(result_types, DataType):
            result_types = [result_types]
        elif not isinstance(result_types, str):
            result_types = list(result_types) if result_types is not None else [None]
        for result_type in [result_types] if isinstance(result_types, str) else result_types:
            _checked_type(result_type, "result_type: result_type")
        self._result_types: str | list[Any] = result_types

    def _create_delegate_function(self) -> UserDefinedFunction:
        return DelegationTableFunction(self._func)

    def _result_text(self) -> str:
        if isinstance(self._result_types, str):
            return self._result_types
        return "ROW<{}>".format(", ".join(f"`f{i}` {to_type_text(t)}" for i, t in enumerate(self._result_types)))


class UserDefinedAggregateFunctionWrapper(UserDefinedFunctionWrapper):
    """An aggregate or table aggregate function."""

    def __init__(self, func: Any, input_types: Any, result_type: Any, accumulator_type: Any, func_type: str, deterministic: bool | None,
                 name: str | None, is_table_aggregate: bool = False) -> None:  # fmt: skip
        super().__init__(func, input_types, func_type, deterministic, name)
        needed = TableAggregateFunction if is_table_aggregate else AggregateFunction
        if func_type == "general" and not isinstance(func, needed):
            raise TypeError(f"Invalid function: a general function of this kind is a {needed.__name__}, not {type(func).__name__}")
        if accumulator_type is None and func_type == "general":
            accumulator_type = func.get_accumulator_type()
        if result_type is None and isinstance(func, ImperativeAggregateFunction):
            result_type = func.get_result_type()
        self._result_type = _checked_type(result_type, "returnType: returnType")
        if func_type == "pandas" and isinstance(result_type, MapType):
            raise TypeError(f"Invalid returnType: Pandas UDAF doesn't support DataType type {result_type} currently")
        if accumulator_type is not None:
            _checked_type(accumulator_type, "accumulator_type: accumulator_type")
        self._accumulator_type = accumulator_type
        self._is_table_aggregate = is_table_aggregate
        self._kind = "table_aggregate" if is_table_aggregate else "aggregate"

    def _delegate(self) -> Any:
        if self._func_type != "pandas":
            return self._func
        if isinstance(self._func, AggregateFunction):
            return DelegatingPandasAggregateFunction(PandasAggregateFunctionWrapper(self._func))  # type: ignore[arg-type]
        return DelegatingPandasAggregateFunction(self._func)

    def _result_text(self) -> str:
        text = to_type_text(self._result_type)
        # A table aggregate's value is the list of its rows, which a step behind it spreads.
        return f"ARRAY<{text if text.upper().startswith('ROW') else f'ROW<`f0` {text}>'}>" if self._is_table_aggregate else text

    def _method(self) -> tuple[Callable[..., Any], int]:
        if isinstance(self._func, ImperativeAggregateFunction):
            return self._func.accumulate, 1
        return self._func, 0


def wrap_object(function: UserDefinedFunction) -> UserDefinedFunctionWrapper:
    """A function object that says its types itself."""
    if isinstance(function, AggregateFunction):
        return UserDefinedAggregateFunctionWrapper(function, None, None, None, "general", None, None)
    if isinstance(function, TableAggregateFunction):
        return UserDefinedAggregateFunctionWrapper(function, None, None, None, "general", None, None, True)
    if isinstance(function, AsyncScalarFunction):
        return UserDefinedAsyncScalarFunctionWrapper(function, None, None, "general", None, None)
    if isinstance(function, ScalarFunction):
        return UserDefinedScalarFunctionWrapper(function, None, None, "general", None, None)
    if isinstance(function, TableFunction):
        raise TypeError(f"give the result types: udtf({type(function).__name__}(), result_types=[...])")
    raise TypeError(f"not a function of SQL: {function!r}")


def _input_types(input_types: Any) -> list[Any] | None:
    if input_types is None:
        return None
    if isinstance(input_types, RowType):
        input_types = input_types.field_types()
    elif isinstance(input_types, (DataType, str)):
        input_types = [input_types]
    else:
        input_types = list(input_types)
    for input_type in input_types:
        _checked_type(input_type, "input_type: input_type")
    return list(input_types)


def _checked_type(data_type: Any, what: str) -> Any:
    if not isinstance(data_type, (DataType, str)):
        verb = "contains" if what.startswith("input") else "is"
        raise TypeError(f"Invalid {what} should be DataType or str but {verb} {data_type}")
    return data_type


use_flink_names(globals(), "pyflink.table.udf")
