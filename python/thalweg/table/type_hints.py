"""SQL types of annotated functions, for `udf` without a result type."""

from __future__ import annotations

import datetime
import decimal
import types
import typing
from collections.abc import Callable
from typing import Any

from thalweg.table.nested_types import ArrayType, MapType
from thalweg.table.simple_types import DataType
from thalweg.table.types import DataTypes

_TYPES: dict[Any, DataType] = {
    bool: DataTypes.BOOLEAN(), int: DataTypes.BIGINT(), float: DataTypes.DOUBLE(), str: DataTypes.STRING(), bytes: DataTypes.BYTES(),
    bytearray: DataTypes.BYTES(), decimal.Decimal: DataTypes.DECIMAL(38, 18), datetime.date: DataTypes.DATE(),
    datetime.time: DataTypes.TIME(), datetime.datetime: DataTypes.TIMESTAMP(3),
}  # fmt: skip


def result_type_of(function: Callable[..., Any]) -> DataType | None:
    """The type of a function's results by its annotation; None where it has none, or none that a column can have."""
    try:
        hint = typing.get_type_hints(function).get("return")
    except Exception:  # noqa: BLE001 (annotations may name what is not there)
        return None
    return None if hint is None else _type_of(hint)


def _type_of(hint: Any) -> DataType | None:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        others = [a for a in arguments if a is not type(None)]
        return _type_of(others[0]) if len(others) == 1 else None
    if origin is list and arguments:
        element = _type_of(arguments[0])
        return None if element is None else ArrayType(element)
    if origin is dict and arguments:
        key, value = _type_of(arguments[0]), _type_of(arguments[1])
        return None if key is None or value is None else MapType(key.not_null(), value)
    return _TYPES.get(hint)
