"""Avro schemas as columns.

The engine derives a reader's and writer's schema from the columns, so only schemas that can be told by columns are taken: records,
numbers, texts, bytes, booleans, arrays, maps, and unions of null with one of these, null first.
"""

from __future__ import annotations

import json
from operator import itemgetter
from typing import Any

from thalweg.common.typeinfo import RowTypeInfo, TypeInformation, Types
from thalweg.datastream.connectors.description import Column

__all__ = ["columns_of_avro", "row_type_of_avro"]

_PRIMITIVE = {
    "boolean": ("BOOLEAN", Types.BOOLEAN), "int": ("INT", Types.INT), "long": ("BIGINT", Types.LONG), "float": ("FLOAT", Types.FLOAT),
    "double": ("DOUBLE", Types.DOUBLE), "string": ("STRING", Types.STRING),
    "bytes": ("BYTES", lambda: Types.PRIMITIVE_ARRAY(Types.BYTE())),
}  # fmt: skip
_LOGICAL = {
    "date": ("DATE", Types.SQL_DATE),
    "time-millis": ("TIME(3)", Types.SQL_TIME),
    "timestamp-millis": ("TIMESTAMP(3)", Types.SQL_TIMESTAMP),
    "timestamp-micros": ("TIMESTAMP(6)", Types.SQL_TIMESTAMP),
}


def _parsed(text: str) -> dict[str, Any]:
    try:
        schema = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"Invalid Avro schema: {error}") from None
    if not isinstance(schema, dict) or schema.get("type") != "record":
        raise ValueError("The Avro schema of records must be of type 'record'")
    return schema


def columns_of_avro(text: str) -> tuple[Column, ...]:
    """The columns of a record schema, in its order. Raises ValueError for what columns cannot tell."""
    fields = _parsed(text).get("fields", [])
    return tuple(
        Column(field["name"], _read(field["name"], field["type"])[0], of=itemgetter(position)) for position, field in enumerate(fields)
    )


def row_type_of_avro(text: str) -> RowTypeInfo:
    """The type of the rows of a record schema."""
    fields = _parsed(text).get("fields", [])
    return RowTypeInfo([_read(field["name"], field["type"])[1] for field in fields], [field["name"] for field in fields])


def _read(place: str, schema: Any) -> tuple[str, TypeInformation]:
    """(SQL type with its NOT NULL, type of the record's field)"""
    if isinstance(schema, list):
        if len(schema) != 2 or schema[0] != "null":
            raise ValueError(f'Avro schema: the union of {place!r} is not ["null", TYPE], and no column type is like it')
        sql, kind = _read(place, schema[1])
        return sql.removesuffix(" NOT NULL"), kind
    if isinstance(schema, str):
        schema = {"type": schema}
    name = schema["type"]
    logical = _LOGICAL.get(schema.get("logicalType"))
    if logical is not None:
        return f"{logical[0]} NOT NULL", logical[1]()
    if schema.get("logicalType") == "decimal" and name == "bytes":
        return f"DECIMAL({schema['precision']}, {schema.get('scale', 0)}) NOT NULL", Types.BIG_DEC()
    if name in _PRIMITIVE:
        sql, make = _PRIMITIVE[name]
        return f"{sql} NOT NULL", make()
    return _nested(place, name, schema)


def _nested(place: str, name: Any, schema: dict[str, Any]) -> tuple[str, TypeInformation]:
    if isinstance(name, (dict, list)):
        return _read(place, name)
    if name == "array":
        sql, kind = _read(f"{place}[]", schema["items"])
        return f"ARRAY<{sql}> NOT NULL", Types.OBJECT_ARRAY(kind)
    if name == "map":
        sql, kind = _read(f"{place}{{}}", schema["values"])
        return f"MAP<STRING NOT NULL, {sql}> NOT NULL", Types.MAP(Types.STRING(), kind)
    if name == "record":
        parts = [(field["name"], *_read(f"{place}.{field['name']}", field["type"])) for field in schema["fields"]]
        inner = ", ".join(f"`{field}` {sql}" for field, sql, _ in parts)
        return f"ROW<{inner}> NOT NULL", RowTypeInfo([kind for _, _, kind in parts], [field for field, _, _ in parts])
    raise ValueError(f"Avro schema: {place!r} is of type {name!r}, and no column type is like it")
