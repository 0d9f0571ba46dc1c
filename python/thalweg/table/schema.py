"""Schemas of tables that are not yet resolved against anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from thalweg._flink_names import use_flink_names
from thalweg.table.expression import Expression
from thalweg.table.nested_types import RowType, quote
from thalweg.table.simple_types import DataType

__all__ = ["Schema"]


def _sql(expression: str | Expression) -> str:
    """An expression as SQL text."""
    if isinstance(expression, str):
        return expression
    from thalweg import _native

    return _native.unparse(expression._tree)


class Schema:
    """Columns, watermark and primary key, as the lines of a CREATE TABLE."""

    def __init__(self, j_schema: Sequence[tuple[str, ...]], shown: Mapping[tuple[str, str], str] | None = None) -> None:
        self._parts = tuple(j_schema)
        self._shown = dict(shown or {})

    @staticmethod
    def new_builder() -> Schema.Builder:
        """A builder."""
        return Schema.Builder()

    def _ddl_lines(self) -> list[str]:
        """The lines between the parentheses of a CREATE TABLE."""
        return [_ddl_line(part) for part in self._parts]

    def _column_names(self) -> list[str]:
        return [part[1] for part in self._parts if part[0] in ("column", "computed", "metadata")]

    def __str__(self) -> str:
        """As Flink shows an unresolved schema: what was given as text is in brackets; watermark and key come last."""
        order = {"watermark": 1, "key": 2}
        parts = sorted(self._parts, key=lambda part: order.get(part[0], 0))
        return "(\n" + ",\n".join("  " + self._line(part) for part in parts) + "\n)"

    def _line(self, part: tuple[str, ...]) -> str:
        kind, name, *rest = part
        if kind in ("key", "metadata"):
            if kind == "key":
                return _ddl_line((kind, name or "PK_" + "_".join(rest), *rest))
            origin = f" FROM '{rest[1]}'" if rest[1] else ""
            return f"{quote(name)} METADATA{origin} {rest[2]}".rstrip() + _comment(rest)
        text = self._shown.get((kind, name)) or (rest[0] if kind == "column" else f"[{rest[0]}]")
        words = {"column": "", "computed": "AS ", "watermark": "AS "}[kind]
        before = "WATERMARK FOR " if kind == "watermark" else ""
        return f"{before}{quote(name)} {words}{text}{_comment(rest)}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Schema) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)

    class Builder:
        """Collects columns, the watermark and the key."""

        def __init__(self) -> None:
            self._parts: list[tuple[str, ...]] = []
            self._shown: dict[tuple[str, str], str] = {}

        def from_schema(self, unresolved_schema: Schema) -> Schema.Builder:
            """Adds everything of another schema."""
            self._parts += unresolved_schema._parts
            self._shown.update(unresolved_schema._shown)
            return self

        def from_row_data_type(self, data_type: DataType) -> Schema.Builder:
            """Adds the fields of a ROW as columns."""
            assert isinstance(data_type, RowType), f"a ROW is needed, not {data_type!r}"
            for field in data_type.fields:
                self.column(field.name, field.data_type)
            return self

        def from_fields(self, field_names: list[str], field_data_types: list[DataType]) -> Schema.Builder:
            """Adds columns of these names and types."""
            assert len(field_names) == len(field_data_types), "as many names as types are needed"
            for name, data_type in zip(field_names, field_data_types):
                self.column(name, data_type)
            return self

        def column(self, column_name: str, data_type: str | DataType) -> Schema.Builder:
            """Adds a stored column."""
            from thalweg.table.type_text import to_type_text

            self._parts.append(("column", column_name, to_type_text(data_type)))
            if isinstance(data_type, str):
                self._shown["column", column_name] = f"[{data_type}]"
            return self

        def column_by_expression(self, column_name: str, expr: str | Expression) -> Schema.Builder:
            """Adds a computed column."""
            self._parts.append(("computed", column_name, _sql(expr)))
            self._show("computed", column_name, expr)
            return self

        def column_by_metadata(
            self, column_name: str, data_type: DataType | str, metadata_key: str | None = None, is_virtual: bool = False
        ) -> Schema.Builder:
            """Adds a column that the connector gives, by its own name or by `metadata_key`."""
            from thalweg.table.type_text import to_type_text

            self._parts.append(("metadata", column_name, to_type_text(data_type), metadata_key or "", "VIRTUAL" if is_virtual else ""))
            return self

        def watermark(self, column_name: str, watermark_expr: str | Expression) -> Schema.Builder:
            """Makes a column the event time, with a watermark such as `ts - INTERVAL '5' SECOND`."""
            self._parts.append(("watermark", column_name, _sql(watermark_expr)))
            self._show("watermark", column_name, watermark_expr)
            return self

        def _show(self, kind: str, name: str, expression: str | Expression) -> None:
            if not isinstance(expression, str):
                self._shown[kind, name] = f"[{expression}]" if expression._tree[0] == "sql" else str(expression)

        def primary_key(self, *column_names: str) -> Schema.Builder:
            """The primary key, not enforced."""
            return self.primary_key_named("", *column_names)

        def primary_key_named(self, constraint_name: str, *column_names: str) -> Schema.Builder:
            """The primary key, with the constraint's name."""
            self._parts.append(("key", constraint_name, *column_names))
            return self

        def with_comment(self, comment: str) -> Schema.Builder:
            """A comment for the column added last."""
            kind, *rest = self._parts[-1]
            self._parts[-1] = (kind, *rest, "COMMENT " + comment)
            return self

        def build(self) -> Schema:
            return Schema(self._parts, self._shown)


def _comment(rest: Sequence[str]) -> str:
    """The comment of a column, which is the last of its parts where there is one."""
    if not rest or not rest[-1].startswith("COMMENT "):
        return ""
    return " COMMENT '" + rest[-1][8:].replace("'", "''") + "'"


def _ddl_line(part: tuple[str, ...]) -> str:
    kind, name, *rest = part
    comment = ""
    if kind != "key" and rest and rest[-1].startswith("COMMENT "):
        comment = " COMMENT '" + rest.pop()[8:].replace("'", "''") + "'"
    if kind == "column":
        return f"{quote(name)} {rest[0]}{comment}"
    if kind == "computed":
        return f"{quote(name)} AS {rest[0]}{comment}"
    if kind == "metadata":
        origin = f" FROM '{rest[1]}'" if rest[1] else ""
        return f"{quote(name)} {rest[0]} METADATA{origin} {rest[2]}".rstrip() + comment
    if kind == "watermark":
        return f"WATERMARK FOR {quote(name)} AS {rest[0]}"
    constraint = f"CONSTRAINT {quote(name)} " if name else ""
    return f"{constraint}PRIMARY KEY ({', '.join(quote(c) for c in rest)}) NOT ENFORCED"


use_flink_names(globals())
