"""Types of the Table API as types of stream records."""

from __future__ import annotations

from typing import Any

from thalweg.common.typeinfo import TypeInformation, Types
from thalweg.table.types import DataType

__all__ = ["type_info_of"]

_SIMPLE = {
    "BooleanType": Types.BOOLEAN, "TinyIntType": Types.BYTE, "SmallIntType": Types.SHORT, "IntType": Types.INT,
    "BigIntType": Types.LONG, "FloatType": Types.FLOAT, "DoubleType": Types.DOUBLE, "DecimalType": Types.BIG_DEC,
    "CharType": Types.STRING, "VarCharType": Types.STRING, "DateType": Types.SQL_DATE, "TimeType": Types.SQL_TIME,
    "TimestampType": Types.SQL_TIMESTAMP, "LocalZonedTimestampType": Types.INSTANT,
}  # fmt: skip


def type_info_of(data_type: DataType) -> TypeInformation:
    """The type of a record's field of that SQL type. Raises TypeError for types that records do not have."""
    kind: Any = data_type
    name = type(data_type).__name__
    if name in _SIMPLE:
        return _SIMPLE[name]()
    if name in ("BinaryType", "VarBinaryType"):
        return Types.PRIMITIVE_ARRAY(Types.BYTE())
    if name == "ArrayType":
        return Types.OBJECT_ARRAY(type_info_of(kind.element_type))
    if name in ("MapType", "MultisetType"):
        value = type_info_of(kind.value_type) if name == "MapType" else Types.INT()
        return Types.MAP(type_info_of(kind.key_type if name == "MapType" else kind.element_type), value)
    if name == "RowType":
        return Types.ROW_NAMED([field.name for field in kind.fields], [type_info_of(field.data_type) for field in kind.fields])
    raise TypeError(f"Records of streams have no fields of type {data_type}")
