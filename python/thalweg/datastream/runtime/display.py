"""How print() and results as text show records: untyped ones as Python does, typed ones as Java does."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from thalweg.common.time import Instant
from thalweg.common.typeinfo import (
    BasicArrayTypeInfo,
    BasicType,
    BasicTypeInfo,
    InstantTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PickledBytesTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    SqlTimeTypeInfo,
    TupleTypeInfo,
    TypeInformation,
)

__all__ = ["java_float", "java_text", "line_text"]

Texter = Callable[[Any], str]


def java_float(value: float) -> str:
    """Java's Double.toString."""
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    text = repr(value)
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return text if "." in text else text + ".0"
    mantissa, e, exponent = text.partition("e")
    if not e:
        # A number of at least eight digits before the point.
        whole, _, fraction = mantissa.lstrip("-").partition(".")
        digits = (whole + fraction).rstrip("0")
        mantissa = f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:] or '0'}"
        exponent = str(len(whole) - 1)
    if "." not in mantissa:
        mantissa += ".0"
    return f"{mantissa}E{int(exponent)}"


def _java_single(value: float) -> str:
    """Java's Float.toString: as few digits as tell the float from its neighbours."""
    import struct

    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if struct.pack("f", float(text)) == struct.pack("f", value):
            return java_float(float(text))
    return java_float(value)


def _timestamp(value: datetime.datetime) -> str:
    text = value.strftime("%Y-%m-%d %H:%M:%S")
    fraction = f"{value.microsecond:06d}".rstrip("0")
    return f"{text}.{fraction or '0'}"


def _time(value: datetime.time) -> str:
    return value.strftime("%H:%M:%S")


def _instant(value: Instant) -> str:
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=value.seconds)
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    nanos = value.nanos
    if nanos == 0:
        return text + "Z"
    digits = f"{nanos:09d}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f"{text}.{digits}Z"


def _nullable(text: Texter) -> Texter:
    return lambda value: "null" if value is None else text(value)


def _basic(kind: str) -> Texter:
    if kind == BasicType.BOOLEAN:
        return lambda value: "true" if value else "false"
    if kind == BasicType.DOUBLE:
        return lambda value: java_float(float(value))
    if kind == BasicType.FLOAT:
        return lambda value: _java_single(float(value))
    return str


def _joined(parts: list[Texter], begin: str, separator: str, end: str) -> Texter:
    return lambda value: begin + separator.join([part(v) for part, v in zip(parts, value)]) + end


def _list(element: Texter) -> Texter:
    return lambda value: "[" + ", ".join([element(v) for v in value]) + "]"


def _map(key: Texter, item: Texter) -> Texter:
    return lambda value: "{" + ", ".join([f"{key(k)}={item(v)}" for k, v in value.items()]) + "}"


def _row(parts: list[Texter]) -> Texter:
    return lambda value: f"{value.get_row_kind()}[" + ", ".join([part(v) for part, v in zip(parts, value)]) + "]"


def _object(value: Any) -> str:
    """Objects that Java does not look into: bytes as an array, others as Python shows them."""
    if isinstance(value, (bytes, bytearray)):
        return "[" + ", ".join([str(byte - 256 if byte > 127 else byte) for byte in value]) + "]"
    return str(value)


def java_text(type_info: TypeInformation) -> Texter:
    """Java's toString for values of the type."""
    text: Texter = _object
    if isinstance(type_info, BasicTypeInfo):
        text = _basic(type_info._parts[0])
    elif isinstance(type_info, TupleTypeInfo):
        text = _joined([java_text(part) for part in type_info.get_field_types()], "(", ",", ")")
    elif isinstance(type_info, RowTypeInfo):
        text = _row([java_text(part) for part in type_info.get_field_types()])
    elif isinstance(type_info, MapTypeInfo):
        text = _map(java_text(type_info._parts[0]), java_text(type_info._parts[1]))
    elif isinstance(type_info, (ListTypeInfo, BasicArrayTypeInfo, ObjectArrayTypeInfo, PrimitiveArrayTypeInfo)):
        text = _list(java_text(type_info._parts[0]))
    elif isinstance(type_info, SqlTimeTypeInfo):
        temporal: dict[str, Texter] = {"Timestamp": _timestamp, "Time": _time}
        text = temporal.get(str(type_info), str)
    elif isinstance(type_info, InstantTypeInfo):
        text = _instant
    return _nullable(text)


def _row_line(value: Any) -> str:
    """Flink's print() of typed rows: the values as Python shows them."""
    return f"{value.get_row_kind()}[" + ",".join([str(item) for item in value]) + "]"


def line_text(type_info: TypeInformation | None) -> Texter:
    """The text of a record on a line of print()."""
    if type_info is None or isinstance(type_info, PickledBytesTypeInfo):
        return str
    if isinstance(type_info, RowTypeInfo):
        return _row_line
    return java_text(type_info)
