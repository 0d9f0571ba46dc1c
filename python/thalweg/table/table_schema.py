"""Names and types of a table's columns."""

from __future__ import annotations

from collections.abc import Sequence

from thalweg._flink_names import use_flink_names
from thalweg.table.nested_types import RowField, RowType, sql_type
from thalweg.table.simple_types import DataType

__all__ = ["TableSchema"]


class TableSchema:
    """The columns of a table: names and types, in order."""

    def __init__(
        self,
        field_names: list[str] | None = None,
        data_types: list[DataType] | None = None,
        j_table_schema: list[tuple[str, DataType, str]] | None = None,
    ) -> None:
        if j_table_schema is not None:
            self._j_table_schema = list(j_table_schema)
        else:
            self._j_table_schema = [(n, t, sql_type(t)) for n, t in zip(field_names or [], data_types or [])]

    def _columns(self) -> list[tuple[str, DataType]]:
        return [(name, data_type) for name, data_type, _ in self._j_table_schema or ()]

    def copy(self) -> TableSchema:
        return TableSchema(j_table_schema=self._j_table_schema)

    def get_field_data_types(self) -> list[DataType]:
        return [data_type for _, data_type, _ in self._j_table_schema]

    def get_field_data_type(self, field: int | str) -> DataType | None:
        """The type of a column given by position or name; None where there is none."""
        if not isinstance(field, (int, str)):
            raise TypeError(f"Expected field index or field name, got {type(field)}")
        if isinstance(field, int):
            return self._j_table_schema[field][1] if 0 <= field < len(self._j_table_schema) else None
        return next((data_type for name, data_type, _ in self._j_table_schema if name == field), None)

    def get_field_count(self) -> int:
        return len(self._j_table_schema)

    def get_field_names(self) -> list[str]:
        return [name for name, _, _ in self._j_table_schema]

    def get_field_name(self, field_index: int) -> str | None:
        return self._j_table_schema[field_index][0] if 0 <= field_index < len(self._j_table_schema) else None

    def to_row_data_type(self) -> RowType:
        return RowType([RowField(name, data_type) for name, data_type, _ in self._j_table_schema], False)

    def __str__(self) -> str:
        return "root\n" + "".join(f" |-- {name}: {text}\n" for name, _, text in self._j_table_schema)

    def __repr__(self) -> str:
        return str(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TableSchema) and self._columns() == other._columns()

    def __hash__(self) -> int:
        return hash(str(self))

    @classmethod
    def builder(cls) -> TableSchema.Builder:
        return TableSchema.Builder()

    class Builder:
        """Collects columns."""

        def __init__(self) -> None:
            self._names: list[str] = []
            self._types: list[DataType] = []

        def field(self, name: str, data_type: DataType) -> TableSchema.Builder:
            """Adds a column."""
            self._names.append(name)
            self._types.append(data_type)
            return self

        def build(self) -> TableSchema:
            return TableSchema(self._names, self._types)


def schema_of(columns: Sequence[tuple[str, str]]) -> TableSchema:
    """The schema of columns whose types are given as text."""
    from thalweg.table.catalog_schema import shown_type
    from thalweg.table.type_text import parse_type

    return TableSchema(j_table_schema=[(name, parse_type(text), shown_type(text)) for name, text in columns])


use_flink_names(globals())
