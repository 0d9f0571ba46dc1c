"""Types of Python values, for `from_elements` without a schema."""

from __future__ import annotations

import ctypes
import datetime
import decimal
from typing import Any

from thalweg.common.types import Row
from thalweg.table.nested_types import ArrayType, MapType, RowField, RowType
from thalweg.table.simple_types import DataType, NullType
from thalweg.table.types import DataTypes

_BY_CLASS: dict[type, DataType] = {
    type(None): DataTypes.NULL(),
    bool: DataTypes.BOOLEAN(),
    int: DataTypes.BIGINT(),
    float: DataTypes.DOUBLE(),
    str: DataTypes.STRING(),
    bytearray: DataTypes.BYTES(),
    decimal.Decimal: DataTypes.DECIMAL(38, 18),
    datetime.date: DataTypes.DATE(),
    datetime.datetime: DataTypes.TIMESTAMP_LTZ(6),
    datetime.time: DataTypes.TIME(0),
    datetime.timedelta: DataTypes.INTERVAL(DataTypes.DAY(2), DataTypes.SECOND(6)),
}

# The names are Flink's: its tests, and programs that infer types as it does, look into them.
_array_signed_int_typecode_ctype_mappings = {
    "b": ctypes.c_byte, "h": ctypes.c_short, "i": ctypes.c_int, "l": ctypes.c_long, "q": ctypes.c_longlong,
}  # fmt: skip
_array_unsigned_int_typecode_ctype_mappings = {
    "B": ctypes.c_ubyte, "H": ctypes.c_ushort, "I": ctypes.c_uint, "L": ctypes.c_ulong, "Q": ctypes.c_ulonglong,
}  # fmt: skip
_array_type_mappings: dict[str, DataType] = {
    "b": DataTypes.TINYINT(), "h": DataTypes.SMALLINT(), "i": DataTypes.INT(), "l": DataTypes.BIGINT(),
    "q": DataTypes.BIGINT(), "f": DataTypes.FLOAT(), "d": DataTypes.DOUBLE(), "u": DataTypes.CHAR(1),
}  # fmt: skip


def _infer_type(obj: Any) -> DataType:
    """The type of one value."""
    if hasattr(obj, "__UDT__"):
        udt: DataType = obj.__UDT__
        return udt
    data_type = _BY_CLASS.get(type(obj))
    if data_type is not None:
        return data_type
    if isinstance(obj, dict):
        for key, value in obj.items():
            if key is not None and value is not None:
                return MapType(_infer_type(key).not_null(), _infer_type(value))
        return MapType(DataTypes.NULL(), DataTypes.NULL())
    if isinstance(obj, list):
        for value in obj:
            if value is not None:
                return ArrayType(_infer_type(obj[0]))
        return ArrayType(DataTypes.NULL())
    if type(obj).__name__ == "array" and hasattr(obj, "typecode"):
        if obj.typecode in _array_type_mappings:
            return ArrayType(_array_type_mappings[obj.typecode].not_null())
        raise TypeError(f"not supported type: array({obj.typecode})")
    try:
        return _infer_schema(obj)
    except TypeError:
        raise TypeError(f"not supported type: {type(obj)}") from None


def _infer_schema(row: Any, names: list[str] | None = None) -> RowType:
    """The ROW type of a dict, tuple, list, Row or object."""
    if isinstance(row, dict):
        items = sorted(row.items())
    elif isinstance(row, (Row, tuple, list)):
        own = row._names() if isinstance(row, Row) else getattr(row, "_fields", None)
        labels = list(own) if own is not None else list(names or [])
        labels += [f"_{i}" for i in range(len(labels) + 1, len(row) + 1)]
        items = list(zip(labels, row))
    elif hasattr(row, "__dict__"):
        items = sorted(row.__dict__.items())
    else:
        raise TypeError(f"Can not infer schema for type: {type(row)}")
    return RowType([RowField(str(name), _infer_type(value)) for name, value in items])


def _merge_type(a: DataType, b: DataType | None, name: str = "") -> DataType:
    """The type that holds values of both; TypeError where there is none."""
    if isinstance(a, NullType) and b is not None:
        return b
    if isinstance(b, NullType):
        return a
    if b is None or type(a) is not type(b):
        prefix = f"{name}: " if name else ""
        raise TypeError(f"{prefix}Can not merge type {type(a)} and {type(b)}")
    if isinstance(a, RowType) and isinstance(b, RowType):
        return _merge_rows(a, b, name)
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        return ArrayType(_merge_type(a.element_type, b.element_type, f"element in array {name}".strip()))
    if isinstance(a, MapType) and isinstance(b, MapType):
        key = _merge_type(a.key_type, b.key_type, f"key of map {name}".strip())
        return MapType(key, _merge_type(a.value_type, b.value_type, f"value of map {name}".strip()))
    return a


def _merge_rows(a: RowType, b: RowType, name: str) -> RowType:
    others = {field.name: field.data_type for field in b.fields}
    label = f"{{}} in {name}" if name else "{}"
    # A field that only the first row has is none of both, as in Flink; one that only a later row has is.
    fields = [RowField(f.name, _merge_type(f.data_type, others.get(f.name), "field " + label.format(f.name))) for f in a.fields]
    known = set(a.names)
    fields += [RowField(field.name, field.data_type) for field in b.fields if field.name not in known]
    return RowType(fields)


def _has_null(data_type: DataType) -> bool:
    if isinstance(data_type, RowType):
        return any(_has_null(field.data_type) for field in data_type.fields)
    if isinstance(data_type, ArrayType):
        return _has_null(data_type.element_type)
    if isinstance(data_type, MapType):
        return _has_null(data_type.key_type) or _has_null(data_type.value_type)
    return isinstance(data_type, NullType)


def _infer_schema_from_data(elements: list[Any], names: list[str] | None = None) -> RowType:
    """The ROW type that holds all elements."""
    if not elements:
        raise ValueError("can not infer schema from empty data set")
    schema: DataType = _infer_schema(elements[0], names)
    for element in elements[1:]:
        schema = _merge_type(schema, _infer_schema(element, names))
    assert isinstance(schema, RowType)
    if _has_null(schema):
        raise ValueError("Some column types cannot be determined after inferring")
    return schema
