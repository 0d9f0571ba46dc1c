"""Flink's text of a data type, read into a Python `DataType`."""

from __future__ import annotations

import re
from typing import Any

from thalweg.table.nested_types import ArrayType, MapType, MultisetType, RawType, RowField, RowType, StructuredType, sql_type
from thalweg.table.types import DataType, DataTypes

_TOKEN = re.compile(r"\s*(?:(`(?:[^`]|``)*`)|('(?:[^']|'')*')|(\*\w+\*)|(\w+)|([<>(),]))")
_LENGTHS = {
    "CHAR": (1, DataTypes.CHAR),
    "BINARY": (1, DataTypes.BINARY),
    "VARCHAR": (1, DataTypes.VARCHAR),
    "VARBINARY": (1, DataTypes.VARBINARY),
}
_SIMPLE = {
    "STRING": DataTypes.STRING, "BYTES": DataTypes.BYTES, "BOOLEAN": DataTypes.BOOLEAN, "TINYINT": DataTypes.TINYINT,
    "SMALLINT": DataTypes.SMALLINT, "INT": DataTypes.INT, "INTEGER": DataTypes.INT, "BIGINT": DataTypes.BIGINT,
    "FLOAT": DataTypes.FLOAT, "DOUBLE": DataTypes.DOUBLE, "DATE": DataTypes.DATE, "BITMAP": DataTypes.BITMAP,
    "VARIANT": DataTypes.VARIANT,
}  # fmt: skip


class _Reader:
    """Reads a type by recursive descent."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens: list[str] = []
        position = 0
        stripped = text.rstrip()
        while position < len(stripped):
            match = _TOKEN.match(text, position)
            if match is None:
                raise ValueError(f"not a data type: {text!r}")
            self._tokens.append(match.group().strip())
            position = match.end()
        self._next = 0

    def peek(self) -> str:
        return self._tokens[self._next].upper() if self._next < len(self._tokens) else ""

    def take(self) -> str:
        if self._next >= len(self._tokens):
            raise ValueError(f"not a data type: {self._text!r}")
        self._next += 1
        return self._tokens[self._next - 1]

    def accept(self, *words: str) -> bool:
        if [t.upper() for t in self._tokens[self._next : self._next + len(words)]] == list(words):
            self._next += len(words)
            return True
        return False

    def expect(self, word: str) -> None:
        if not self.accept(word):
            raise ValueError(f"not a data type: {self._text!r}; expected {word!r} before {self.peek()!r}")

    def numbers(self) -> list[int]:
        if not self.accept("("):
            return []
        found = [int(self.take())]
        while self.accept(","):
            found.append(int(self.take()))
        self.expect(")")
        return found

    def read(self) -> DataType:
        base = self.base(self.take().upper())
        while self.accept("ARRAY"):
            base = ArrayType(base)
        if self.peek().startswith("*"):
            self.take()  # *ROWTIME* or *PROCTIME*
        if self.accept("NOT", "NULL"):
            return base.not_null()
        self.accept("NULL")
        return base

    def base(self, name: str) -> DataType:
        if name in _SIMPLE:
            return _SIMPLE[name]()  # type: ignore[no-untyped-call,operator]
        if name in _LENGTHS:
            length, make = _LENGTHS[name]
            given = self.numbers()
            return make(given[0] if given else length)
        if name in ("DECIMAL", "DEC", "NUMERIC"):
            given = self.numbers() or [10]
            return DataTypes.DECIMAL(given[0], given[1] if len(given) > 1 else 0)
        if name in ("ARRAY", "MULTISET", "MAP", "ROW"):
            return self.nested(name)
        if name == "STRUCTURED":
            return self.structured()
        return self.temporal(name)

    def temporal(self, name: str) -> DataType:
        if name == "TIME":
            return DataTypes.TIME((self.numbers() or [0])[0])
        if name in ("TIMESTAMP", "TIMESTAMP_LTZ"):
            precision = (self.numbers() or [6])[0]
            if self.accept("WITH", "LOCAL", "TIME", "ZONE"):
                name = "TIMESTAMP_LTZ"
            self.accept("WITHOUT", "TIME", "ZONE")
            return DataTypes.TIMESTAMP(precision) if name == "TIMESTAMP" else DataTypes.TIMESTAMP_LTZ(precision)
        if name == "INTERVAL":
            upper = self.resolution()
            return DataTypes.INTERVAL(upper, self.resolution()) if self.accept("TO") else DataTypes.INTERVAL(upper)
        if name == "NULL":
            return DataTypes.NULL()
        if name == "DOUBLE":
            self.accept("PRECISION")
            return DataTypes.DOUBLE()
        if name == "RAW":
            while self.take() != ")":
                pass
            return RawType()
        raise ValueError(f"not a data type: {self._text!r}; {name!r} is unknown")

    def resolution(self) -> Any:
        unit = self.take().upper()
        given = self.numbers()
        return getattr(DataTypes, unit)(*(given[:1] if unit in ("DAY", "YEAR", "SECOND") else []))

    def nested(self, name: str) -> DataType:
        close = ">"
        if not self.accept("<"):
            self.expect("(")
            close = ")"
        if name == "ROW":
            return self.row(close)
        first = self.read()
        if name == "MAP":
            self.expect(",")
            result: DataType = MapType(first, self.read())
        else:
            result = ArrayType(first) if name == "ARRAY" else MultisetType(first)
        self.expect(close)
        return result

    def structured(self) -> DataType:
        self.expect("<")
        class_name = self.take()[1:-1]
        self.accept(",")
        return StructuredType(class_name, self.fields(">"))

    def row(self, close: str) -> DataType:
        return RowType(self.fields(close))

    def fields(self, close: str) -> list[RowField]:
        fields: list[RowField] = []
        while not self.accept(close):
            if fields:
                self.expect(",")
            name = self.take()
            name = name[1:-1].replace("``", "`") if name.startswith("`") else name
            data_type = self.read()
            description = self.take()[1:-1].replace("''", "'") if self.peek().startswith("'") else None
            fields.append(RowField(name, data_type, description))
        return fields

    def done(self) -> bool:
        return self._next == len(self._tokens)


def parse_type(text: str) -> DataType:
    """The type that `text` spells, for example "ROW<a INT NOT NULL, b ARRAY<STRING>>"."""
    reader = _Reader(text)
    result = reader.read()
    if not reader.done():
        raise ValueError(f"not a data type: {text!r}")
    return result


def to_type_text(data_type: DataType | str) -> str:
    """The text of a type that may be given as text already."""
    return data_type if isinstance(data_type, str) else sql_type(data_type)


def _to_java_data_type(data_type: DataType) -> str:
    """Flink's name; there is no Java side, so it gives the type's text."""
    return sql_type(data_type)


def _from_java_data_type(j_data_type: str) -> DataType:
    """Flink's name: reads a type's text."""
    return parse_type(j_data_type)
