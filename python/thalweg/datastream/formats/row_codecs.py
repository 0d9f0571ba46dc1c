"""Rows to bytes and back in Python, one at a time: what schemas are when a program calls them itself. Jobs use the engine's formats.

Fields may be texts, numbers, booleans, and rows and arrays of these; others raise NotImplementedError.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from thalweg.common.typeinfo import BasicTypeInfo, RowTypeInfo, TypeInformation, _ArrayTypeInfo
from thalweg.common.types import Row

__all__ = ["CsvCodec", "JsonCodec"]

_LONGEST_CHECKED = 24
"""Longer texts are quoted without a look, as Flink does."""
_INTEGERS = ("Byte", "Short", "Integer", "Long", "BigInteger")
_READERS: dict[str, Callable[[Any], Any]] = {
    "String": str, "Character": str, "Float": float, "Double": float, "BigDecimal": lambda value: Decimal(str(value)),
    "Boolean": lambda value: value if isinstance(value, bool) else str(value).strip().lower() == "true",
    **dict.fromkeys(_INTEGERS, int),
}  # fmt: skip


def _refused(owner: str, kind: TypeInformation) -> NotImplementedError:
    return NotImplementedError(f"{owner}: fields of type {kind} cannot be converted outside of a job; run one")


def _named_row(kind: RowTypeInfo, values: list[Any]) -> Row:
    row = Row(*values)
    row.set_field_names(kind.get_field_names())
    return row


class _RowCodec:
    """What both have in common."""

    def __init__(self, owner: str, row_type: TypeInformation) -> None:
        if not isinstance(row_type, RowTypeInfo):
            raise TypeError(f"{owner}: a type made by Types.ROW or Types.ROW_NAMED is needed, not {row_type}")
        self._owner = owner
        self._type = row_type

    def open(self, context: Any) -> None:
        """Accepted: nothing has to be made ready."""
        del context


class JsonCodec(_RowCodec):
    """Rows as JSON objects."""

    def serialize(self, row: Any) -> bytes:
        """The object in UTF-8, without blanks. `row` is anything that gives its fields by position."""
        return json.dumps(self._plain(self._type, row), separators=(",", ":"), ensure_ascii=False).encode()

    def deserialize(self, data: bytes) -> Row:
        """The row; fields that the object does not have are None. Raises ValueError where the bytes are not JSON."""
        row: Row = self._value(self._type, json.loads(data))
        return row

    def _plain(self, kind: TypeInformation, value: Any) -> Any:
        if value is None:
            return None
        if isinstance(kind, RowTypeInfo):
            names, types = kind.get_field_names(), kind.get_field_types()
            return {name: self._plain(types[i], value[i]) for i, name in enumerate(names)}
        if isinstance(kind, _ArrayTypeInfo):
            return [self._plain(kind._parts[0], element) for element in value]
        if isinstance(kind, BasicTypeInfo):
            return float(value) if isinstance(value, Decimal) else value
        raise _refused(self._owner, kind)

    def _value(self, kind: TypeInformation, plain: Any) -> Any:
        if plain is None:
            return None
        if isinstance(kind, RowTypeInfo):
            fields = zip(kind.get_field_names(), kind.get_field_types())
            return _named_row(kind, [self._value(part, plain.get(name)) for name, part in fields])
        if isinstance(kind, _ArrayTypeInfo):
            return [self._value(kind._parts[0], element) for element in plain]
        if isinstance(kind, BasicTypeInfo):
            return _READERS[str(kind)](plain)
        raise _refused(self._owner, kind)


class CsvCodec(_RowCodec):
    """Rows as lines of comma-separated values. `options` are those of the format."""

    def __init__(self, owner: str, row_type: TypeInformation, options: Mapping[str, str]) -> None:
        super().__init__(owner, row_type)
        self._delimiter = options.get("field-delimiter", ",")
        self._inner = options.get("array-element-delimiter", ";")
        self._quote = None if options.get("disable-quote-character") == "true" else options.get("quote-character", '"')
        self._escape = options.get("escape-character")
        self._null = options.get("null-literal")

    def serialize(self, row: Any) -> bytes:
        """The line in UTF-8, with its end. `row` is anything that gives its fields by position."""
        kinds = self._type.get_field_types()
        return (self._delimiter.join(self._cell(kind, row[i]) for i, kind in enumerate(kinds)) + "\n").encode()

    def deserialize(self, data: bytes) -> Row:
        """The row. Raises ValueError where the line has fewer values than the row has fields, or others than its types."""
        look: dict[str, Any] = {"delimiter": self._delimiter, "escapechar": self._escape}
        look |= {"quoting": csv.QUOTE_NONE} if self._quote is None else {"quotechar": self._quote}
        cells = next(csv.reader([data.decode()], **look))
        kinds = self._type.get_field_types()
        if len(cells) != len(kinds):
            raise ValueError(f"{self._owner}: Row length mismatch. {len(kinds)} fields expected but was {len(cells)}.")
        return _named_row(self._type, [self._value(kind, cell) for kind, cell in zip(kinds, cells)])

    def _cell(self, kind: TypeInformation, value: Any) -> str:
        if value is None:
            return self._null or ""
        if isinstance(kind, (RowTypeInfo, _ArrayTypeInfo)):
            kinds = kind.get_field_types() if isinstance(kind, RowTypeInfo) else [kind._parts[0]] * len(value)
            return self._quoted(self._inner.join(self._text(part, value[i]) for i, part in enumerate(kinds)))
        text = self._text(kind, value)
        return self._quoted(text) if isinstance(value, str) else text

    def _text(self, kind: TypeInformation, value: Any) -> str:
        if value is None:
            return self._null or ""
        if not isinstance(kind, BasicTypeInfo):
            raise _refused(self._owner, kind)
        return str(value).lower() if isinstance(value, bool) else str(value)

    def _quoted(self, text: str) -> str:
        """The text in quotes where any of its characters is not above the delimiter and the quote, as Flink decides it."""
        quote = self._quote
        if quote is None:
            return text
        least_safe = max(self._delimiter, quote, "\n")
        if len(text) <= _LONGEST_CHECKED and not any(one <= least_safe or one == self._escape for one in text):
            return text
        doubled = text.replace(quote, quote * 2)
        return quote + (doubled.replace(self._escape, self._escape * 2) if self._escape else doubled) + quote

    def _value(self, kind: TypeInformation, cell: str) -> Any:
        if self._null is not None and cell == self._null:
            return None
        if isinstance(kind, RowTypeInfo):
            parts = cell.split(self._inner)
            return _named_row(kind, [self._value(part, text) for part, text in zip(kind.get_field_types(), parts)])
        if isinstance(kind, _ArrayTypeInfo):
            return [self._value(kind._parts[0], text) for text in cell.split(self._inner)] if cell else []
        if isinstance(kind, BasicTypeInfo):
            texts = str(kind) in ("String", "Character")
            return _READERS[str(kind)](cell) if cell or texts else None
        raise _refused(self._owner, kind)
