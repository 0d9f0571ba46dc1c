"""Checks that Python values fit SQL types, before they enter the engine."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from typing import Any

from thalweg.table import nested_types as nested
from thalweg.table import simple_types as simple
from thalweg.table.simple_types import DataType

_ACCEPTED: dict[type[DataType], tuple[type, ...]] = {
    simple.BooleanType: (bool,),
    simple.TinyIntType: (int,),
    simple.SmallIntType: (int,),
    simple.IntType: (int,),
    simple.BigIntType: (int,),
    simple.FloatType: (float,),
    simple.DoubleType: (float,),
    simple.DecimalType: (decimal.Decimal,),
    simple.CharType: (str,),
    simple.VarCharType: (str,),
    simple.BinaryType: (bytearray, bytes),
    simple.VarBinaryType: (bytearray, bytes),
    simple.BitmapType: (bytearray, bytes),
    simple.DateType: (datetime.date, datetime.datetime),
    simple.TimeType: (datetime.time,),
    simple.TimestampType: (datetime.datetime,),
    simple.LocalZonedTimestampType: (datetime.datetime,),
    simple.ZonedTimestampType: (datetime.datetime,),
    simple.DayTimeIntervalType: (datetime.timedelta,),
}

# As in Flink, what no BIGINT holds is found later, when the value is used.
_INTEGER_BITS: dict[type[DataType], int] = {simple.TinyIntType: 8, simple.SmallIntType: 16, simple.IntType: 32, simple.BigIntType: 1000}


def _create_type_verifier(data_type: DataType, name: str | None = None) -> Callable[[Any], None]:
    """A check of one value; it raises TypeError or ValueError with the field's name in front."""

    def label(message: str) -> str:
        return message if name is None else f"field {name}: {message}"

    inner = _value_check(data_type, label, name)

    def verify(obj: Any) -> None:
        if obj is not None:
            inner(obj)
        elif not data_type._nullable:
            raise ValueError(label("This field is not nullable, but got None"))

    return verify


def _value_check(data_type: DataType, label: Callable[[str], str], name: str | None) -> Callable[[Any], None]:
    if isinstance(data_type, nested.UserDefinedType):
        return _user_defined_check(data_type, label, name)
    if isinstance(data_type, nested.ArrayType):
        return _array_check(data_type, label, name)
    if isinstance(data_type, nested.MapType):
        return _map_check(data_type, label, name)
    if isinstance(data_type, nested.RowType):
        return _row_check(data_type, label, name)
    bits = _INTEGER_BITS.get(type(data_type))
    if bits is not None:
        return _integer_check(data_type, bits, label)
    accepted = _ACCEPTED.get(type(data_type))

    def check(obj: Any) -> None:
        if accepted is not None and not (isinstance(obj, accepted) and not (isinstance(obj, bool) and bool not in accepted)):
            raise TypeError(label(f"{data_type} can not accept object {obj!r} in type {type(obj)}"))

    return check


def _user_defined_check(data_type: nested.UserDefinedType, label: Callable[[str], str], name: str | None) -> Callable[[Any], None]:
    inner = _value_check(data_type.sql_type(), label, name)

    def check(obj: Any) -> None:
        if getattr(obj, "__UDT__", None) != data_type:
            raise ValueError(label(f"{obj!r} is not an instance of type {data_type!r}"))
        inner(data_type.to_sql_type(obj))

    return check


def _integer_check(data_type: DataType, bits: int, label: Callable[[str], str]) -> Callable[[Any], None]:
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1

    def check(obj: Any) -> None:
        if isinstance(obj, bool) or not isinstance(obj, int):
            raise TypeError(label(f"{data_type} can not accept object {obj!r} in type {type(obj)}"))
        if not low <= obj <= high:
            raise ValueError(label(f"object of {data_type.__class__.__name__} out of range, got: {obj}"))

    return check


def _array_check(data_type: nested.ArrayType, label: Callable[[str], str], name: str | None) -> Callable[[Any], None]:
    verify = _create_type_verifier(data_type.element_type, f"element in array {name or ''}".strip())

    def check(obj: Any) -> None:
        if not isinstance(obj, list) and type(obj).__name__ != "array":
            raise TypeError(label(f"{data_type} can not accept object {obj!r} in type {type(obj)}"))
        for value in obj:
            verify(value)

    return check


def _map_check(data_type: nested.MapType, label: Callable[[str], str], name: str | None) -> Callable[[Any], None]:
    verify_key = _create_type_verifier(data_type.key_type, f"key of map {name or ''}".strip())
    verify_value = _create_type_verifier(data_type.value_type, f"value of map {name or ''}".strip())

    def check(obj: Any) -> None:
        if not isinstance(obj, dict):
            raise TypeError(label(f"{data_type} can not accept object {obj!r} in type {type(obj)}"))
        for key, value in obj.items():
            verify_key(key)
            verify_value(value)

    return check


def _row_check(data_type: nested.RowType, label: Callable[[str], str], name: str | None) -> Callable[[Any], None]:
    inner = f" in {name}" if name else ""
    verifiers = [_create_type_verifier(field.data_type, field.name + inner) for field in data_type.fields]

    def check(obj: Any) -> None:
        if isinstance(obj, dict):
            values = [obj.get(field) for field in data_type.names]
        elif isinstance(obj, (tuple, list)) or hasattr(obj, "_is_retract_msg"):
            values = list(obj)
            if len(values) != len(verifiers):
                raise ValueError(label(f"Length of object ({len(values)}) does not match with length of fields ({len(verifiers)})"))
        elif hasattr(obj, "__dict__"):
            values = [obj.__dict__.get(field) for field in data_type.names]
        else:
            raise TypeError(label(f"{data_type!r} can not accept object {obj!r} in type {type(obj)}"))
        for verify, value in zip(verifiers, values):
            verify(value)

    return check
