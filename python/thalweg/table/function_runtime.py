"""Runs Python functions for the engine: a batch of rows in, a list of results out."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from thalweg.common.types import Row
from thalweg.table.nested_types import ArrayType, MapType, RowType
from thalweg.table.simple_types import DataType
from thalweg.table.type_text import parse_type
from thalweg.table.udf import FunctionContext, UserDefinedFunction

_OURS = __name__.partition(".")[0]


class ScalarRunner:
    """One scalar function in one task: opened when made, closed by `close`."""

    def __init__(
        self, name: str, instance: UserDefinedFunction, argument_types: Sequence[str], result_type: str, vectorized: bool, subtask: int
    ) -> None:
        self._name = name
        self._function = _own_copy(instance, subtask)
        self._arguments = [_argument(parse_type(text)) for text in argument_types]
        self._result_type = parse_type(result_type)
        self._result = _result(self._result_type)
        self._vectorized = vectorized
        self._function.open(FunctionContext(None, None, index_of_this_subtask=subtask))

    def run(self, rows: list[tuple[Any, ...]]) -> tuple[list[Any], str | None]:
        """(results, error): fewer results than rows mean that the row after the last result failed, with that error."""
        if any(self._arguments):
            rows = [tuple(c(v) if c is not None else v for c, v in zip(self._arguments, row)) for row in rows]
        if self._vectorized:
            return self._run_vectorized(rows)
        results: list[Any] = []
        evaluate: Callable[..., Any] = self._function.eval  # type: ignore[attr-defined]
        convert = self._result
        try:
            for row in rows:
                results.append(convert(evaluate(*row)))
        except Exception as error:  # noqa: BLE001 (a user's function may raise anything; the job fails with it)
            return results, self._describe(error, rows[len(results)])
        return results, None

    def _run_vectorized(self, rows: list[tuple[Any, ...]]) -> tuple[list[Any], str | None]:
        import pandas as pd

        try:
            columns = [pd.Series(list(column)) for column in zip(*rows)]
            found = self._function.eval(*columns)  # type: ignore[attr-defined]
            values = found.tolist() if hasattr(found, "tolist") else list(found)
            if len(values) != len(rows):
                raise ValueError(f"the function gave {len(values)} values for {len(rows)} rows")
            return [None if _is_missing(value) else self._result(value) for value in values], None
        except Exception as error:  # noqa: BLE001
            return [], self._describe(error, rows[0])

    def _describe(self, error: Exception, row: tuple[Any, ...]) -> str:
        """The user's own frames, the error, the function and the row that it failed on."""
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f"/{_OURS}/table/function_runtime" not in f.filename]
        frames = [f for f in frames if f"/{_OURS}/table/udf" not in f.filename]
        text = "".join(traceback.format_list(frames)) + "".join(traceback.format_exception_only(type(error), error))
        arguments = ", ".join(repr(value) for value in row)
        return f"{self._name}({arguments}) failed:\nTraceback (most recent call last):\n{text.rstrip()}"

    def close(self) -> None:
        self._function.close()


def _own_copy(instance: UserDefinedFunction, subtask: int) -> UserDefinedFunction:
    """Each task has a function object of its own, so that state in it is not shared; what can't be copied is."""
    if subtask == 0:
        return instance
    try:
        return copy.deepcopy(instance)
    except Exception:  # noqa: BLE001 (locks, modules, open files)
        return instance


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _argument(data_type: DataType) -> Callable[[Any], Any] | None:
    """How the engine's value becomes the function's; None where it is the same."""
    if isinstance(data_type, RowType):
        names = data_type.names
        fields = [_argument(field.data_type) for field in data_type.fields]

        def make_row(value: Any) -> Any:
            if value is None:
                return None
            row = Row(*[c(v) if c is not None else v for c, v in zip(fields, value)])
            row.set_field_names(names)
            return row

        return make_row
    if isinstance(data_type, ArrayType):
        element = _argument(data_type.element_type)
        return None if element is None else lambda value: None if value is None else [element(v) for v in value]
    if isinstance(data_type, MapType):
        item = _argument(data_type.value_type)
        return None if item is None else lambda value: None if value is None else {k: item(v) for k, v in value.items()}
    return None


def _result(data_type: DataType) -> Callable[[Any], Any]:
    """How the function's value becomes the engine's: rows may be Row, tuple, list or dict."""
    if not isinstance(data_type, RowType):
        return lambda value: value
    fields = [_result(field.data_type) for field in data_type.fields]
    names = data_type.names

    def make_tuple(value: Any) -> Any:
        if value is None:
            return None
        values = [value.get(name) for name in names] if isinstance(value, dict) else list(value)
        return tuple(convert(v) for convert, v in zip(fields, values))

    return make_tuple
