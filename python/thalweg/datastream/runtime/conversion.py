"""What a declared type does to the records of a stream: numbers are checked, tuples and rows get their shape."""

from __future__ import annotations

import enum
import struct
from collections.abc import Callable
from typing import Any

from thalweg.common.typeinfo import (
    BasicArrayTypeInfo,
    BasicType,
    BasicTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PickledBytesTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    TupleTypeInfo,
    TypeInformation,
)
from thalweg.common.types import Row

__all__ = ["BatchConverter", "Purpose", "batch_converter", "state_converter", "value_converter"]

BatchConverter = Callable[[list[Any]], list[Any]]
Converter = Callable[[Any], Any]


class Purpose(enum.Enum):
    """What a value is converted for."""

    RECORD = enum.auto()
    INPUT = enum.auto()
    STATE = enum.auto()


_RANGES = {
    BasicType.BYTE: (-(2**7), 2**7 - 1),
    BasicType.SHORT: (-(2**15), 2**15 - 1),
    BasicType.INT: (-(2**31), 2**31 - 1),
    BasicType.LONG: (-(2**63), 2**63 - 1),
}
_single = struct.Struct("f")


def _wrong(value: Any, wanted: object) -> TypeError:
    return TypeError(f"a value of the declared type {wanted} was expected, not {value!r} of {type(value).__name__}")


def _integer(kind: str, purpose: Purpose) -> Converter:
    low, high = _RANGES[kind]

    def convert(value: Any) -> Any:
        if value is None or (type(value) is int and low <= value <= high):
            return value
        if not hasattr(value, "__index__"):
            raise _wrong(value, kind)
        number = value.__index__()
        if purpose is Purpose.INPUT:
            # As Java narrows what a program hands over.
            return (number - low) % (high - low + 1) + low
        if not low <= number <= high:
            raise OverflowError(f"{number} is out of the range of {kind}")
        return number

    return convert


def _text(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    raise _wrong(value, "String")


def _double(value: Any) -> Any:
    if value is None or type(value) is float:
        return value
    if isinstance(value, str):
        raise _wrong(value, "Double")
    return float(value)


def _float(value: Any) -> Any:
    return None if value is None else _single.unpack(_single.pack(_double(value)))[0]


def _boolean(value: Any) -> Any:
    return None if value is None else bool(value)


def _basic(kind: str, purpose: Purpose) -> Converter | None:
    if kind in _RANGES:
        return _integer(kind, purpose)
    # PyFlink's cache of state gives back what was put into it, before it is ever narrowed.
    single = _double if purpose is Purpose.STATE else _float
    return {BasicType.STRING: _text, BasicType.DOUBLE: _double, BasicType.FLOAT: single, BasicType.BOOLEAN: _boolean}.get(kind)


def _sequence_of(parts: list[TypeInformation], purpose: Purpose) -> Callable[[Any], list[Any]]:
    converters = [value_converter(part, purpose) for part in parts]

    def convert(value: Any) -> list[Any]:
        values = list(value)
        if len(values) != len(converters):
            raise ValueError(f"a record of {len(converters)} fields was expected, not {value!r}")
        return [v if c is None else c(v) for c, v in zip(converters, values)]

    return convert


def _tuple(type_info: TupleTypeInfo, purpose: Purpose) -> Converter:
    fields = _sequence_of(type_info.get_field_types(), purpose)
    return lambda value: None if value is None else tuple(fields(value))


def _row(type_info: RowTypeInfo, purpose: Purpose) -> Converter:
    fields = _sequence_of(type_info.get_field_types(), purpose)
    names = type_info.get_field_names()

    def convert(value: Any) -> Any:
        if value is None:
            return None
        if isinstance(value, dict):
            value = [value.get(name) for name in names]
        elif not isinstance(value, (Row, tuple, list)):
            raise _wrong(value, type_info)
        row = Row(*fields(value))
        row.set_field_names(names)
        if isinstance(value, Row):
            row.set_row_kind(value.get_row_kind())
        return row

    return convert


def _list(element: TypeInformation, purpose: Purpose) -> Converter:
    converter = value_converter(element, purpose)
    if converter is None:
        return lambda value: None if value is None else list(value)
    return lambda value: None if value is None else [converter(v) for v in value]


def _map(type_info: MapTypeInfo, purpose: Purpose) -> Converter:
    key, item = (value_converter(part, purpose) or (lambda value: value) for part in type_info._parts)
    return lambda value: None if value is None else {key(k): item(v) for k, v in value.items()}


def value_converter(type_info: TypeInformation | None, purpose: Purpose = Purpose.RECORD) -> Converter | None:
    """Makes a value what the type says; raises TypeError, ValueError or OverflowError. None: every value is left as it is.

    For input, integers out of range lose their upper bits instead.
    """
    if type_info is None or isinstance(type_info, PickledBytesTypeInfo):
        return None
    if isinstance(type_info, BasicTypeInfo):
        return _basic(type_info._parts[0], purpose)
    if isinstance(type_info, TupleTypeInfo):
        return _tuple(type_info, purpose)
    if isinstance(type_info, RowTypeInfo):
        return _row(type_info, purpose)
    if isinstance(type_info, MapTypeInfo):
        return _map(type_info, purpose)
    if isinstance(type_info, PrimitiveArrayTypeInfo) and str(type_info._parts[0]) == "Byte":
        return None
    if isinstance(type_info, (BasicArrayTypeInfo, ListTypeInfo, ObjectArrayTypeInfo, PrimitiveArrayTypeInfo)):
        return _list(type_info._parts[0], purpose)
    return None


def _same(value: Any) -> Any:
    return value


_LETTERS = {
    BasicType.BYTE: "b", BasicType.SHORT: "h", BasicType.INT: "i", BasicType.LONG: "l", BasicType.DOUBLE: "d", BasicType.STRING: "s",
    BasicType.BOOLEAN: "z",
}  # fmt: skip


def _shape(type_info: TypeInformation) -> str | None:
    """The shape, as the engine checks it, of records that need no conversion; None for types that have none."""
    if isinstance(type_info, PickledBytesTypeInfo):
        return "o"
    if isinstance(type_info, BasicTypeInfo):
        return _LETTERS.get(type_info._parts[0])
    if isinstance(type_info, TupleTypeInfo):
        fields = [_shape(part) for part in type_info.get_field_types()]
        return None if None in fields else "(" + "".join([field for field in fields if field is not None]) + ")"
    return None


def state_converter(name: str, type_info: TypeInformation) -> Converter:
    """Makes what is put into the state `name` what its type says; the error names the state."""
    convert = value_converter(type_info, Purpose.STATE)
    if convert is None:
        return _same

    def converted(value: Any) -> Any:
        try:
            return convert(value)
        except (TypeError, ValueError, OverflowError) as error:
            raise type(error)(f"the state {name!r}: {error}") from None

    return _quick(type_info, converted)


_EXACT = {BasicType.STRING: str, BasicType.FLOAT: float, BasicType.DOUBLE: float, BasicType.BOOLEAN: bool}


def _quick(type_info: TypeInformation, converted: Converter) -> Converter:
    """The same, with what needs no conversion let through first: state is written for every record."""
    kind = type_info._parts[0] if isinstance(type_info, BasicTypeInfo) else None
    if kind in _RANGES:
        low, high = _RANGES[kind]
        return lambda value: value if type(value) is int and low <= value <= high else converted(value)
    if kind in _EXACT:
        exact = _EXACT[kind]
        return lambda value: value if type(value) is exact else converted(value)
    shape = _shape(type_info)
    if shape is None:
        return converted
    from thalweg import _native

    has_shape = _native.has_shape
    return lambda value: value if has_shape([value], shape) else converted(value)


def batch_converter(type_info: TypeInformation | None, purpose: Purpose = Purpose.RECORD) -> BatchConverter | None:
    """As value_converter, for the records of a batch; on an error the records before it are lost with it."""
    convert = value_converter(type_info, purpose)
    if convert is None or type_info is None:
        return None
    shape = _shape(type_info)
    if shape is None:
        return lambda records: [convert(record) for record in records]
    from thalweg import _native

    has_shape = _native.has_shape
    return lambda records: records if has_shape(records, shape) else [convert(record) for record in records]
