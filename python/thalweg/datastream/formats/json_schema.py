"""JSON schemas as row types."""

from __future__ import annotations

import json
from typing import Any

from thalweg.common.typeinfo import RowTypeInfo, TypeInformation, Types

__all__ = ["row_type_of"]


def row_type_of(text: str) -> TypeInformation:
    """The type of an object schema. Raises ValueError where the schema is no object, or says a thing that has no type here."""
    try:
        root = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"Invalid JSON schema: {error}") from None
    found = _type_of("<root>", root)
    if not isinstance(found, RowTypeInfo):
        raise ValueError("The root of a JSON schema must be of type 'object'")
    return found


def _type_of(place: str, node: Any) -> TypeInformation:
    if not isinstance(node, dict):
        raise ValueError(f"Invalid JSON schema: {place} is not an object")
    kind = node.get("type")
    kinds = [one for one in kind if one != "null"] if isinstance(kind, list) else [kind]
    if len(kinds) != 1:
        raise ValueError(f"JSON schema: {place} may be of several types, {kind}; a field has one type beside 'null'")
    if kinds[0] == "object":
        properties = node.get("properties")
        if not isinstance(properties, dict) or not properties:
            raise ValueError(f"JSON schema: {place} is an object without 'properties'")
        return Types.ROW_NAMED(list(properties), [_type_of(f"{place}.{name}", one) for name, one in properties.items()])
    if kinds[0] == "array":
        return _array_of(place, node.get("items"))
    if kinds[0] == "string":
        return _text_of(node)
    if kinds[0] in ("number", "integer"):
        return Types.BIG_DEC()
    if kinds[0] == "boolean":
        return Types.BOOLEAN()
    raise ValueError(f"JSON schema: {place} is of type {kinds[0]!r}, which is not supported here")


def _array_of(place: str, items: Any) -> TypeInformation:
    if isinstance(items, list):  # a tuple: each position has its own type
        return Types.ROW([_type_of(f"{place}[{position}]", one) for position, one in enumerate(items)])
    return Types.OBJECT_ARRAY(_type_of(f"{place}[]", items))


def _text_of(node: dict[str, Any]) -> TypeInformation:
    formats = {"date-time": Types.SQL_TIMESTAMP, "date": Types.SQL_DATE, "time": Types.SQL_TIME}
    if node.get("contentEncoding") == "base64":
        return Types.PRIMITIVE_ARRAY(Types.BYTE())
    return formats.get(str(node.get("format")), Types.STRING)()
