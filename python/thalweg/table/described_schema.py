"""Schemas with what a table says of its columns besides names and types: what computes them, the watermark, the key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalweg.table.catalog_schema import (
    Column,
    ComputedColumn,
    MetadataColumn,
    PhysicalColumn,
    ResolvedSchema,
    UniqueConstraint,
    WatermarkSpec,
    shown_type,
)
from thalweg.table.nested_types import quote
from thalweg.table.resolved_expression import ResolvedExpression
from thalweg.table.type_text import parse_type

if TYPE_CHECKING:
    from thalweg._native import Session
    from thalweg.table.schema import Schema

_METADATA = re.compile(r"METADATA(?: FROM '(.*)')?( VIRTUAL)?")


def described_schema(session: Session, path: Sequence[str]) -> ResolvedSchema:
    """Of a registered table or view, as DESCRIBE tells it."""
    described = session.execute("DESCRIBE " + ".".join(map(quote, path)))
    columns, watermarks, key = [], [], ""
    while (rows := described.next_rows(1000)) is not None:
        for _, (name, text, nullable, keys, extras, watermark, *comment) in rows:
            how: tuple[Any, ...] = ("computed", extras[3:]) if extras.startswith("AS ") else ("column",)
            if metadata := _METADATA.fullmatch(extras):
                how = ("metadata", metadata[1], metadata[2] is not None)
            columns.append(_column(name, text if nullable else f"{text} NOT NULL", how, comment[0] if comment else None))
            if watermark:
                watermarks.append(_watermark(columns[-1], watermark))
            key = keys or key
    names = key.removeprefix("PRI(").removesuffix(")").split(", ") if key else []
    return ResolvedSchema(columns, watermarks, _primary_key(names))


def declared_schema(columns: Sequence[tuple[str, str]], schema: Schema) -> ResolvedSchema:
    """Of a stream's table: its columns, with what the program declared of them."""
    parts = schema._parts
    how: dict[str, tuple[Any, ...]] = {part[1]: ("computed", part[2]) for part in parts if part[0] == "computed"}
    how |= {part[1]: ("metadata", part[3] or None, part[4] == "VIRTUAL") for part in parts if part[0] == "metadata"}
    resolved = [_column(name, text, how.get(name, ("column",)), None) for name, text in columns]
    by_name = {column.get_name(): column for column in resolved}
    watermarks = [_watermark(by_name[part[1]], part[2]) for part in parts if part[0] == "watermark"]
    names = [name for part in parts if part[0] == "key" for name in part[2:]]
    return ResolvedSchema(resolved, watermarks, _primary_key(names))


def _column(name: str, text: str, how: tuple[Any, ...], comment: str | None) -> Column:
    parts: dict[str, Any] = {"name": name, "type": parse_type(text), "text": shown_type(text), "comment": comment or None}
    if how[0] == "computed":
        return ComputedColumn({**parts, "extra": ResolvedExpression((("sql", how[1]), parts["type"]))})
    if how[0] == "metadata":
        return MetadataColumn({**parts, "extra": how[1:]})
    return PhysicalColumn(parts)


def _watermark(column: Column, expression: str) -> WatermarkSpec:
    return WatermarkSpec.of(column.get_name(), ResolvedExpression((("sql", expression), column.get_data_type())))


def _primary_key(names: list[str]) -> UniqueConstraint | None:
    return UniqueConstraint.primary_key("PK_" + "_".join(names), names) if names else None
