"""Avro messages of a Confluent-protocol schema registry as JSON text."""

from __future__ import annotations

import json
import struct
from typing import Any

_LOGICAL_MILLIS = ("timestamp-millis", "local-timestamp-millis")


class ConfluentAvro:
    """Decodes messages by the schemas that a registry has."""

    def __init__(self, registry: str) -> None:
        self._registry = registry.rstrip("/")
        self._schemas: dict[int, tuple[Any, dict[str, Any]]] = {}

    def text(self, message: bytes) -> str:
        """The message as JSON. The first byte is 0, four bytes are the schema's id, the rest is Avro."""
        if len(message) < 5 or message[0] != 0:
            raise ValueError("a message is not in Confluent's Avro framing (it starts with a zero byte and the schema's id)")
        schema, names = self._schema(int.from_bytes(message[1:5], "big"))
        return json.dumps(_Reader(message, 5, names).value(schema), ensure_ascii=False)

    def _schema(self, number: int) -> tuple[Any, dict[str, Any]]:
        if number not in self._schemas:
            import urllib.error
            import urllib.request

            url = f"{self._registry}/schemas/ids/{number}"
            try:
                with urllib.request.urlopen(url, timeout=10) as answer:
                    schema = json.loads(json.load(answer)["schema"])
            except urllib.error.URLError as error:
                raise ValueError(f"the schema registry did not give schema {number}: {url}: {error}") from None
            names: dict[str, Any] = {}
            _collect_names(schema, names)
            self._schemas[number] = (schema, names)
        return self._schemas[number]


def _collect_names(schema: Any, names: dict[str, Any], space: str = "") -> None:
    if isinstance(schema, list):
        for branch in schema:
            _collect_names(branch, names, space)
    elif isinstance(schema, dict):
        space = schema.get("namespace", space)
        if "name" in schema:
            names[schema["name"]] = schema
            names[f"{space}.{schema['name']}"] = schema
        for field in schema.get("fields", []):
            _collect_names(field["type"], names, space)
        for part in ("items", "values"):
            if part in schema:
                _collect_names(schema[part], names, space)


class _Reader:
    """Reads Avro's binary encoding."""

    def __init__(self, data: bytes, position: int, names: dict[str, Any]) -> None:
        self._data = data
        self._position = position
        self._names = names

    def _take(self, count: int) -> bytes:
        if self._position + count > len(self._data):
            raise ValueError("an Avro message ends too early for its schema")
        self._position += count
        return self._data[self._position - count : self._position]

    def _long(self) -> int:
        result, shift = 0, 0
        while True:
            byte = self._take(1)[0]
            result |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return (result >> 1) ^ -(result & 1)

    def value(self, schema: Any) -> Any:
        """One value."""
        if isinstance(schema, list):
            return self.value(schema[self._long()])
        if isinstance(schema, str):
            return self._named(schema)
        kind = schema["type"]
        if kind == "record":
            return {field["name"]: self.value(field["type"]) for field in schema["fields"]}
        if kind == "array":
            return self._blocks(lambda: self.value(schema["items"]))
        if kind == "map":
            return dict(self._blocks(lambda: (self.value("string"), self.value(schema["values"]))))
        if kind == "enum":
            return schema["symbols"][self._long()]
        if kind == "fixed":
            return self._take(schema["size"]).hex()
        value = self.value(kind)
        return _logical(value, schema)

    def _named(self, name: str) -> Any:
        if name == "null":
            return None
        if name == "boolean":
            return self._take(1)[0] != 0
        if name in ("int", "long"):
            return self._long()
        if name == "float":
            return struct.unpack("<f", self._take(4))[0]
        if name == "double":
            return struct.unpack("<d", self._take(8))[0]
        if name == "string":
            return self._take(self._long()).decode("utf-8", "replace")
        if name == "bytes":
            return self._take(self._long())
        return self.value(self._names[name])

    def _blocks(self, read: Any) -> list[Any]:
        items: list[Any] = []
        while count := self._long():
            if count < 0:
                self._long()
                count = -count
            items += [read() for _ in range(count)]
        return items


def _logical(value: Any, schema: dict[str, Any]) -> Any:
    logical = schema.get("logicalType")
    if logical in _LOGICAL_MILLIS:
        from datetime import datetime, timezone

        return datetime.fromtimestamp(value / 1000, timezone.utc).isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")
    if logical == "decimal":
        from decimal import Decimal

        return str(Decimal(int.from_bytes(value, "big", signed=True)).scaleb(-schema.get("scale", 0)))
    return value.hex() if isinstance(value, bytes) else value
