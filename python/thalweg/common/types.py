"""Rows, and what a row of a changelog means."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any

from thalweg._flink_names import use_flink_names
from thalweg._native import RowBase, set_row_class

__all__ = ["Row", "RowKind"]


class RowKind(Enum):
    """The kind of change that a row stands for in a changelog."""

    INSERT = 0
    UPDATE_BEFORE = 1
    UPDATE_AFTER = 2
    DELETE = 3

    def __str__(self) -> str:
        return ("+I", "-U", "+U", "-D")[self.value]

    def to_j_row_kind(self) -> RowKind:
        """The kind itself: there is no Java side."""
        return self


_CODES = {kind.value: kind for kind in RowKind}


def _make_row(fields: Sequence[str], values: Sequence[Any]) -> Row:
    row = Row(*values)
    row.set_field_names(list(fields))
    return row


class Row(RowBase):
    """A row: values by position, and by name where the row has names.

    ::

        Row("Alice", 11)                    # positions
        Row(name="Alice", age=11)           # names
        Person = Row("name", "age")         # a row of names builds rows with these names
        Person("Alice", 11)
    """

    __slots__ = ()

    def _names(self) -> list[str] | None:
        return getattr(self, "_fields", None)  # unset where there are no names, as in Flink

    def as_dict(self, recursive: bool = False) -> dict[str, Any]:
        """The fields as a dict; `recursive` turns rows inside the values into dicts too."""
        fields = self._names()
        if fields is None:
            raise TypeError("Cannot convert a Row class into dict")
        if not recursive:
            return dict(zip(fields, self._values))
        return {name: _to_dicts(value) for name, value in zip(fields, self._values)}

    def get_row_kind(self) -> RowKind:
        """Whether it is added or taken back."""
        return self._row_kind

    def set_row_kind(self, row_kind: RowKind) -> None:
        """Says whether it is added or taken back."""
        self._row_kind = row_kind

    def set_field_names(self, field_names: list[str]) -> None:
        """Names the fields, in order."""
        self._fields = list(field_names)

    def get_fields_by_names(self, names: list[str]) -> list[Any]:
        """The values of the named fields, in the order of `names`."""
        fields = self._names()
        if fields is None or not all(name in fields for name in names):
            raise Exception(f"All the field names should be found in the Row: {fields}, {names}")
        return [self._values[fields.index(name)] for name in names]

    @staticmethod
    def of_kind(row_kind: RowKind, *args: Any, **kwargs: Any) -> Row:
        """A row of the given kind."""
        row = Row(*args, **kwargs)
        row.set_row_kind(row_kind)
        return row

    def _is_retract_msg(self) -> bool:
        return self._row_kind in (RowKind.UPDATE_BEFORE, RowKind.DELETE)

    def _is_accumulate_msg(self) -> bool:
        return self._row_kind in (RowKind.UPDATE_AFTER, RowKind.INSERT)

    def __call__(self, *args: Any) -> Row:
        """A row with the values `args`, this row's values being the names."""
        if len(args) > len(self):
            raise ValueError(f"Can not create Row with fields {self}, expected {len(self)} values but got {args}")
        return _make_row(self._values, args)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle_row, (self._names(), self._values, self._row_kind.value, self._from_dict)

    def __repr__(self) -> str:
        fields = self._names()
        if fields is not None:
            return "Row({})".format(", ".join(f"{k}={v!r}" for k, v in zip(fields, self._values)))
        return "<Row({})>".format(", ".join(repr(field) for field in self._values))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return False
        return self._names() == other._names() and self._row_kind == other._row_kind and self._values == other._values

    def __hash__(self) -> int:
        return hash(tuple(self._values))


set_row_class(Row, RowKind.INSERT)


def _unpickle_row(fields: list[str] | None, values: list[Any], kind: int, from_dict: bool) -> Row:
    row = Row(*values)
    if fields is not None:
        row._fields = fields
    row._from_dict = from_dict
    row._row_kind = _CODES[kind]
    return row


def _to_dicts(value: Any) -> Any:
    if isinstance(value, Row):
        return value.as_dict(True)
    if isinstance(value, list):
        return [_to_dicts(v) for v in value]
    if isinstance(value, dict):
        return {k: _to_dicts(v) for k, v in value.items()}
    return value


use_flink_names(globals())
