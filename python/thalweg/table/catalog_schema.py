"""Columns, constraints and schemas as catalogs know them: the resolved half of `pyflink.table.catalog`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from thalweg.table.nested_types import RowField, RowType, quote, sql_type
from thalweg.table.simple_types import DataType

if TYPE_CHECKING:
    from thalweg.table.resolved_expression import ResolvedExpression

__all__ = [
    "Column",
    "ComputedColumn",
    "Constraint",
    "MetadataColumn",
    "PhysicalColumn",
    "ResolvedSchema",
    "UniqueConstraint",
    "WatermarkSpec",
]


class Column:
    """A column of a resolved schema."""

    def __init__(self, j_column: dict[str, Any]) -> None:
        self._name: str = j_column["name"]
        self._type: DataType = j_column["type"]
        self._text: str = j_column.get("text") or sql_type(self._type)
        self._comment: str | None = j_column.get("comment")
        self._extra: Any = j_column.get("extra")

    def _parts(self) -> dict[str, Any]:
        return {"name": self._name, "type": self._type, "text": self._text, "comment": self._comment, "extra": self._extra}

    @staticmethod
    def physical(name: str, data_type: DataType) -> PhysicalColumn:
        """A column that is stored."""
        return PhysicalColumn({"name": name, "type": data_type})

    @staticmethod
    def computed(name: str, resolved_expression: ResolvedExpression) -> ComputedColumn:
        """A column that is computed from others."""
        return ComputedColumn({"name": name, "type": resolved_expression.get_output_data_type(), "extra": resolved_expression})

    @staticmethod
    def metadata(name: str, data_type: DataType, metadata_key: str | None, is_virtual: bool) -> MetadataColumn:
        """A column that the connector gives."""
        return MetadataColumn({"name": name, "type": data_type, "extra": (metadata_key, is_virtual)})

    def with_comment(self, comment: str | None) -> Column:
        """The column with a comment."""
        return self if comment is None else type(self)({**self._parts(), "comment": comment})

    def is_physical(self) -> bool:
        """Whether it is stored."""
        return False

    def is_persisted(self) -> bool:
        """Whether a sink gets it."""
        return False

    def get_data_type(self) -> DataType:
        return self._type

    def get_name(self) -> str:
        return self._name

    def get_comment(self) -> str | None:
        return self._comment

    def as_summary_string(self) -> str:
        """`name` TYPE, as in print_schema."""
        extras = self.explain_extras()
        comment = f" COMMENT '{self._comment}'" if self._comment else ""
        return f"{quote(self._name)} {self._text}" + (f" {extras}" if extras else "") + comment

    def explain_extras(self) -> str | None:
        """What follows the type: AS ..., METADATA ..."""
        return None

    def copy(self, new_type: DataType) -> Column:
        """The column with another type."""
        return type(self)({**self._parts(), "type": new_type, "text": None})

    def rename(self, new_name: str) -> Column:
        """The column with another name."""
        return type(self)({**self._parts(), "name": new_name})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Column) and type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._name)

    def __str__(self) -> str:
        return self.as_summary_string()


class PhysicalColumn(Column):
    """A column that is stored."""

    def __init__(self, j_physical_column: dict[str, Any]) -> None:
        super().__init__(j_physical_column)

    def is_physical(self) -> bool:
        return True

    def is_persisted(self) -> bool:
        return True

    def copy(self, new_data_type: DataType) -> Column:
        """The column with another type."""
        return super().copy(new_data_type)


class ComputedColumn(Column):
    """A column that is computed from others."""

    def __init__(self, j_computed_column: dict[str, Any]) -> None:
        super().__init__(j_computed_column)

    def get_expression(self) -> ResolvedExpression:
        """What it is computed by."""
        expression: ResolvedExpression = self._extra
        return expression

    def explain_extras(self) -> str | None:
        return f"AS {self._extra.as_summary_string()}"

    def copy(self, new_data_type: DataType) -> Column:
        """The column with another type."""
        return super().copy(new_data_type)


class MetadataColumn(Column):
    """A column that the connector gives."""

    def __init__(self, j_metadata_column: dict[str, Any]) -> None:
        super().__init__(j_metadata_column)

    def is_virtual(self) -> bool:
        """Whether a sink leaves it out."""
        return bool(self._extra[1])

    def get_metadata_key(self) -> str | None:
        """The connector's name for it, where that is another."""
        key: str | None = self._extra[0]
        return key

    def is_persisted(self) -> bool:
        return not self.is_virtual()

    def explain_extras(self) -> str | None:
        key = "" if self._extra[0] is None else f" FROM '{self._extra[0]}'"
        return f"METADATA{key}" + (" VIRTUAL" if self.is_virtual() else "")

    def copy(self, new_data_type: DataType) -> Column:
        """The column with another type."""
        return super().copy(new_data_type)


class WatermarkSpec:
    """Which column is event time, and its watermark."""

    def __init__(self, j_watermark_spec: tuple[str, ResolvedExpression]) -> None:
        self._attribute, self._expression = j_watermark_spec

    @staticmethod
    def of(rowtime_attribute: str, watermark_expression: ResolvedExpression) -> WatermarkSpec:
        """A watermark for a column."""
        return WatermarkSpec((rowtime_attribute, watermark_expression))

    def get_rowtime_attribute(self) -> str:
        return self._attribute

    def get_watermark_expression(self) -> ResolvedExpression:
        return self._expression

    def as_summary_string(self) -> str:
        """WATERMARK FOR `ts`: TIMESTAMP(3) AS ..."""
        return f"WATERMARK FOR {quote(self._attribute)}: {self._expression._text_of_type()} AS {self._expression.as_summary_string()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WatermarkSpec) and (self._attribute, self._expression) == (other._attribute, other._expression)

    def __hash__(self) -> int:
        return hash(self._attribute)

    def __str__(self) -> str:
        return self.as_summary_string()


class Constraint:
    """A rule that a table's rows keep."""

    class ConstraintType(Enum):
        """Kinds of constraints."""

        PRIMARY_KEY = 0
        UNIQUE_KEY = 1

    def __init__(self, j_constraint: tuple[str, Sequence[str]] = ("", ())) -> None:
        self._name, columns = j_constraint
        self._columns = list(columns)

    def get_name(self) -> str:
        return self._name

    def is_enforced(self) -> bool:
        """Always False: keys are declared, not checked."""
        return False

    def get_type(self) -> Constraint.ConstraintType:
        return Constraint.ConstraintType.PRIMARY_KEY

    def as_summary_string(self) -> str:
        """CONSTRAINT `pk` PRIMARY KEY (`a`) NOT ENFORCED."""
        return f"CONSTRAINT {quote(self._name)} PRIMARY KEY ({', '.join(quote(c) for c in self._columns)}) NOT ENFORCED"

    def __str__(self) -> str:
        return self.as_summary_string()


class UniqueConstraint(Constraint):
    """A primary key."""

    def __init__(self, j_unique_constraint: tuple[str, Sequence[str]] = ("", ())) -> None:
        super().__init__(j_unique_constraint)

    @staticmethod
    def primary_key(name: str, columns: list[str]) -> UniqueConstraint:
        """A primary key over columns."""
        return UniqueConstraint((name, columns))

    def get_columns(self) -> list[str]:
        return list(self._columns)

    def get_type_string(self) -> str:
        return "PRIMARY KEY"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UniqueConstraint) and (self._name, self._columns) == (other._name, other._columns)

    def __hash__(self) -> int:
        return hash(self._name)


class ResolvedSchema:
    """The columns of a table, with types, watermarks and the primary key."""

    def __init__(
        self,
        columns: list[Column] | None = None,
        watermark_specs: list[WatermarkSpec] | None = None,
        primary_key: UniqueConstraint | None = None,
        j_resolved_schema: list[Column] | None = None,
    ) -> None:
        self._columns = list(j_resolved_schema if j_resolved_schema is not None else columns or [])
        self._watermark_specs = list(watermark_specs or [])
        self._primary_key = primary_key

    @staticmethod
    def of(columns: list[Column]) -> ResolvedSchema:
        """A schema of these columns."""
        return ResolvedSchema(columns)

    @staticmethod
    def physical(column_names: list[str], column_data_types: list[DataType]) -> ResolvedSchema:
        """A schema of stored columns."""
        return ResolvedSchema([Column.physical(n, t) for n, t in zip(column_names, column_data_types)])

    def get_column_count(self) -> int:
        return len(self._columns)

    def get_columns(self) -> list[Column]:
        return list(self._columns)

    def get_column_names(self) -> list[str]:
        return [column.get_name() for column in self._columns]

    def get_column_data_types(self) -> list[DataType]:
        return [column.get_data_type() for column in self._columns]

    def get_column(self, column_index_or_name: int | str) -> Column | None:
        """A column by position or name; None where there is none."""
        if isinstance(column_index_or_name, int):
            in_range = 0 <= column_index_or_name < len(self._columns)
            return self._columns[column_index_or_name] if in_range else None
        return next((c for c in self._columns if c.get_name() == column_index_or_name), None)

    def get_watermark_specs(self) -> list[WatermarkSpec]:
        return list(self._watermark_specs)

    def get_primary_key(self) -> UniqueConstraint | None:
        return self._primary_key

    def get_primary_key_indexes(self) -> list[int]:
        """Where the key's columns stand."""
        if self._primary_key is None:
            return []
        return [self.get_column_names().index(name) for name in self._primary_key.get_columns()]

    def _row(self, columns: Sequence[Column]) -> RowType:
        return RowType([RowField(c.get_name(), c.get_data_type()) for c in columns], False)

    def to_source_row_data_type(self) -> RowType:
        """All columns as a ROW."""
        return self._row(self._columns)

    def to_physical_row_data_type(self) -> RowType:
        """The stored columns as a ROW."""
        return self._row([c for c in self._columns if c.is_physical()])

    def to_sink_row_data_type(self) -> RowType:
        """The columns that a sink gets as a ROW."""
        return self._row([c for c in self._columns if c.is_persisted()])

    def __str__(self) -> str:
        lines = [column.as_summary_string() for column in self._columns]
        lines += [spec.as_summary_string() for spec in self._watermark_specs]
        if self._primary_key is not None:
            lines.append(self._primary_key.as_summary_string())
        return "(\n" + ",\n".join("  " + line for line in lines) + "\n)"

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ResolvedSchema) and (self._columns, self._watermark_specs, self._primary_key) == (
            other._columns,
            other._watermark_specs,
            other._primary_key,
        )

    def __hash__(self) -> int:
        return hash(str(self))


def shown_type(text: str) -> str:
    """A column's type as a schema shows it: NOT NULL stands before the mark of a time attribute."""
    return re.sub(r"( \*\w+\*) NOT NULL$", r" NOT NULL\1", text)


def resolved_schema_of(columns: Sequence[tuple[str, str]]) -> ResolvedSchema:
    """The schema of columns whose types are given as text."""
    from thalweg.table.type_text import parse_type

    return ResolvedSchema(
        j_resolved_schema=[PhysicalColumn({"name": name, "type": parse_type(text), "text": shown_type(text)}) for name, text in columns]
    )


for _class in (Column, PhysicalColumn, ComputedColumn, MetadataColumn, WatermarkSpec, Constraint, UniqueConstraint, ResolvedSchema):
    _class.__module__ = "pyflink.table.catalog"
