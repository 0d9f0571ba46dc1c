"""Columns and schemas as catalogs know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import RowField, RowType, quote, sql_type
from thalweg.table.simple_types import DataType

__all__ = ["Column", "ComputedColumn", "MetadataColumn", "ObjectPath", "PhysicalColumn", "ResolvedSchema"]


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
    def computed(name: str, resolved_expression: Any) -> ComputedColumn:
        """A column that is computed from others."""
        return ComputedColumn({"name": name, "type": resolved_expression.get_output_data_type(), "extra": str(resolved_expression)})

    @staticmethod
    def metadata(name: str, data_type: DataType, metadata_key: str | None, is_virtual: bool) -> MetadataColumn:
        """A column that the connector gives."""
        return MetadataColumn({"name": name, "type": data_type, "extra": (metadata_key, is_virtual)})

    def with_comment(self, comment: str | None) -> Column:
        return self if comment is None else type(self)({**self._parts(), "comment": comment})

    def is_physical(self) -> bool:
        return False

    def is_persisted(self) -> bool:
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
        return None

    def copy(self, new_type: DataType) -> Column:
        return type(self)({**self._parts(), "type": new_type, "text": None})

    def rename(self, new_name: str) -> Column:
        return type(self)({**self._parts(), "name": new_name})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Column) and type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._name)

    def __str__(self) -> str:
        return self.as_summary_string()


class PhysicalColumn(Column):
    """A column that is stored."""

    def is_physical(self) -> bool:
        return True

    def is_persisted(self) -> bool:
        return True


class ComputedColumn(Column):
    """A column that is computed from others."""

    def get_expression(self) -> Any:
        return self._extra

    def explain_extras(self) -> str | None:
        return f"AS {self._extra}"


class MetadataColumn(Column):
    """A column that the connector gives."""

    def is_virtual(self) -> bool:
        return bool(self._extra[1])

    def get_metadata_key(self) -> str | None:
        key: str | None = self._extra[0]
        return key

    def is_persisted(self) -> bool:
        return not self.is_virtual()

    def explain_extras(self) -> str | None:
        key = "" if self._extra[0] is None else f" FROM '{self._extra[0]}'"
        return f"METADATA{key}" + (" VIRTUAL" if self.is_virtual() else "")


class ResolvedSchema:
    """The columns of a table, with types."""

    def __init__(
        self,
        columns: list[Column] | None = None,
        watermark_specs: list[Any] | None = None,
        primary_key: Any = None,
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

    def get_watermark_specs(self) -> list[Any]:
        return list(self._watermark_specs)

    def get_primary_key(self) -> Any:
        return self._primary_key

    def get_primary_key_indexes(self) -> list[int]:
        if self._primary_key is None:
            return []
        return [self.get_column_names().index(name) for name in self._primary_key.get_columns()]

    def _row(self, columns: Sequence[Column]) -> RowType:
        return RowType([RowField(c.get_name(), c.get_data_type()) for c in columns], False)

    def to_source_row_data_type(self) -> RowType:
        return self._row(self._columns)

    def to_physical_row_data_type(self) -> RowType:
        return self._row([c for c in self._columns if c.is_physical()])

    def to_sink_row_data_type(self) -> RowType:
        return self._row([c for c in self._columns if c.is_persisted()])

    def __str__(self) -> str:
        lines = [column.as_summary_string() for column in self._columns]
        return "(\n" + ",\n".join("  " + line for line in lines) + "\n)"

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ResolvedSchema) and self._columns == other._columns

    def __hash__(self) -> int:
        return hash(str(self))


class ObjectPath:
    """A database and an object in it."""

    def __init__(
        self, database_name: str | None = None, object_name: str | None = None, j_object_path: tuple[str, str] | None = None
    ) -> None:
        self._database, self._object = j_object_path or (str(database_name), str(object_name))

    def get_database_name(self) -> str:
        return self._database

    def get_object_name(self) -> str:
        return self._object

    def get_full_name(self) -> str:
        return f"{self._database}.{self._object}"

    def compare_to(self, other: ObjectPath) -> bool:
        return self == other

    @staticmethod
    def from_string(full_name: str) -> ObjectPath:
        """Reads `database.object`."""
        database, dot, name = full_name.partition(".")
        if not dot:
            raise ValueError(f"Cannot split '{full_name}' to get databaseName and objectName")
        return ObjectPath(database, name)

    def __str__(self) -> str:
        return self.get_full_name()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectPath) and self.get_full_name() == other.get_full_name()

    def __hash__(self) -> int:
        return hash(self.get_full_name())


def resolved_schema_of(columns: Sequence[tuple[str, str]]) -> ResolvedSchema:
    """The schema of columns whose types are given as text."""
    from thalweg.table.type_text import parse_type

    return ResolvedSchema(
        j_resolved_schema=[PhysicalColumn({"name": name, "type": parse_type(text), "text": text}) for name, text in columns]
    )


use_flink_names(globals())
