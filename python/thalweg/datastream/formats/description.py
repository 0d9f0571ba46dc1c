"""What a format's Python object says to the engine: a format of SQL, its options, and the columns of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal

from thalweg.common.typeinfo import RowTypeInfo, TypeInformation
from thalweg.datastream.connectors.description import Column

__all__ = ["FormatDescription", "columns_of_row", "sql_type_of"]


@dataclass(frozen=True)
class FormatDescription:
    """A format.

    `decoder(path)` gives what makes records of those that the columns describe, for formats that need a look at each file.
    `options` carry no prefix: {"ignore-parse-errors": "true"}. `columns` give their values from a record. `record` and
    `produced_type` are as in SourceDescription.
    """

    name: str
    options: Mapping[str, str]
    columns: tuple[Column, ...]
    record: Literal["value", "row", "dict"] = "value"
    produced_type: TypeInformation | None = None
    decoder: Callable[[str], Callable[[Any], Iterable[Any]]] | None = None

    def prefixed(self, prefix: str = "") -> dict[str, str]:
        """{"PREFIXformat": "json", "PREFIXjson.ignore-parse-errors": "true"}"""
        return {f"{prefix}format": self.name, **{f"{prefix}{self.name}.{key}": value for key, value in self.options.items()}}


def sql_type_of(owner: str, name: str, type_info: TypeInformation) -> str:
    """The SQL type of a field. Raises TypeError for fields that are Python objects: a format has to know what it writes."""
    text = type_info.sql_text()
    if text is None:
        raise TypeError(f"{owner}: field {name!r} is of type {type_info}, which has no SQL type; name its type, such as Types.STRING()")
    return text


def columns_of_row(owner: str, row_type: Any) -> tuple[Column, ...]:
    """The columns of a row type, each taking its field by position. Raises TypeError for what is not a row type."""
    if not isinstance(row_type, RowTypeInfo):
        raise TypeError(f"{owner}: a type made by Types.ROW or Types.ROW_NAMED is needed, not {row_type}")
    fields = zip(row_type.get_field_names(), row_type.get_field_types())
    return tuple(Column(name, sql_type_of(owner, name, kind), of=itemgetter(position)) for position, (name, kind) in enumerate(fields))
