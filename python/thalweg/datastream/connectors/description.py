"""What a connector's Python object says to the engine: which table it is, and how records become its rows.

The engine's connectors are those of SQL, so a source is a table that is read and a sink one that is written: connector, options and
columns as CREATE TABLE would give them. What a table cannot say stands in the other fields; whoever translates a description must
heed or refuse each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from thalweg.common.typeinfo import TypeInformation

__all__ = ["Column", "FileNames", "SinkDescription", "SourceDescription", "refused"]


@dataclass(frozen=True)
class Column:
    """A column of the table.

    `metadata` is the key of a metadata column. `of` gives the column's value for a record of the stream (sinks only).
    """

    name: str
    sql_type: str
    metadata: str | None = None
    of: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class SourceDescription:
    """A source.

    `record`: "value" makes the first column the record, "row" a Row of all columns that are not metadata, "dict" a dict of them.
    `produced_type`: the type of the records, None for Python objects.
    `time_column`: the TIMESTAMP_LTZ(3) column with the records' time, which a watermark strategy without assigner uses.
    `partitions`: only the records whose columns `topic` and `partition` are among these.
    `parts`: the source is these, all together, or one after another where `in_turn` is set; the other fields are those of the first.
    `bounded`: whether it ends.
    `decode`: makes records of type `produced_type` of those that `record` and `columns` describe; to be called in their order.
    """

    connector: str
    options: Mapping[str, str]
    columns: tuple[Column, ...]
    record: Literal["value", "row", "dict"] = "value"
    produced_type: TypeInformation | None = None
    time_column: str | None = None
    partitions: frozenset[tuple[str, int]] | None = None
    parts: tuple[SourceDescription, ...] = ()
    in_turn: bool = False
    bounded: bool = True
    decode: Callable[[Any], Iterable[Any]] | None = None


@dataclass(frozen=True)
class FileNames:
    """How the files of a file sink are called, and in which folder below the base path each goes.

    `bucket` is a pattern of Java's DateTimeFormatter for the clock's time in `zone` (None: the machine's), such as
    "yyyy-MM-dd--HH"; None writes into the base path itself.
    """

    prefix: str = "part"
    suffix: str = ""
    bucket: str | None = None
    zone: str | None = None


@dataclass(frozen=True)
class SinkDescription:
    """A sink. A record is written as the row of `column.of(record)` for each column; `of` is None where the record itself is meant."""

    connector: str
    options: Mapping[str, str]
    columns: tuple[Column, ...]
    files: FileNames | None = None
    accepted: tuple[str, ...] = field(default=())


def refused(name: str, service: str, instead: str) -> NotImplementedError:
    """The error for a connector or format that the engine does not have."""
    return NotImplementedError(f"{name}: this version of Thalweg has no {service}. {instead}")
