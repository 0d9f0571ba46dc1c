"""CSV files that the engine's format cannot read by itself: with a header, or with arrays that each have a separator of their own.

The engine takes the lines apart and gives every value as text; what is here drops the header and makes values of the texts.
"""

from __future__ import annotations

import csv
import decimal
from collections.abc import Callable, Iterator
from typing import Any

from thalweg.common.types import Row
from thalweg.table.types import DataType

__all__ = ["RowDecoder", "joined", "reader_of"]

_INTEGERS = frozenset(["TinyIntType", "SmallIntType", "IntType", "BigIntType"])
_TEXTS = frozenset(["CharType", "VarCharType"])


def reader_of(data_type: DataType, separator: str) -> Callable[[str], Any]:
    """What makes a value of a text; `separator` is between elements of arrays. Raises TypeError for types that CSV does not have."""
    name = type(data_type).__name__
    kind: Any = data_type
    if name in _TEXTS:
        return str
    if name in _INTEGERS:
        return _or_none(int)
    if name in ("FloatType", "DoubleType"):
        return _or_none(float)
    if name == "DecimalType":
        unit = decimal.Decimal(1).scaleb(-kind.scale)
        return _or_none(lambda text: decimal.Decimal(text).quantize(unit, decimal.ROUND_HALF_UP))
    if name == "BooleanType":
        return _or_none(lambda text: text.strip().lower() == "true")
    if name == "ArrayType":
        element = reader_of(kind.element_type, separator)
        return lambda text: [element(part) for part in text.split(separator)] if text else []
    raise TypeError(f"CsvSchema: a column of type {data_type} cannot be read together with headers or several separators")


def _or_none(read: Callable[[str], Any]) -> Callable[[str], Any]:
    return lambda text: read(text) if text.strip() else None


def joined(separator: str, position: int) -> Callable[[Any], str | None]:
    """What makes a text of an array field."""

    def of(record: Any) -> str | None:
        value = record[position]
        return None if value is None else separator.join(_text(element) for element in value)

    return of


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


class RowDecoder:
    """Makes rows of rows of texts; `lead` lines of the file are not data.

    `names` are the columns' names; `strict` says that the first line must be these. Raises ValueError where it is not.
    """

    def __init__(
        self, path: str, names: list[str], readers: list[Callable[[str], Any]], dialect: dict[str, Any], lead: int, strict: bool
    ) -> None:
        self._path = path
        self._names = names
        self._readers = readers
        self._dialect = dialect
        self._lead = lead
        self._strict = strict
        self._to_drop: list[list[str]] | None = None

    def _leading_lines(self) -> list[list[str]]:
        if self._lead == 0:
            return []
        with open(self._path, encoding="utf-8", newline="") as file:
            lines = (line for line in file if not (self._dialect["comments"] and line.startswith("#")))
            found = [cells for cells, _ in zip(csv.reader(lines, **self._dialect["csv"]), range(self._lead))]
        if self._strict and found and found[0] != self._names:
            raise ValueError(f"{self._path}: the header is {found[0]}, and the schema's columns are {self._names}")
        return found

    def __call__(self, row: Any) -> Iterator[Row]:
        if self._to_drop is None:
            self._to_drop = self._leading_lines()
        cells = list(row)
        if self._to_drop and cells[: len(self._to_drop[0])] == self._to_drop[0]:
            del self._to_drop[0]
            return
        made = Row(*[None if cell is None else read(cell) for read, cell in zip(self._readers, cells)])
        made.set_field_names(self._names)
        yield made
