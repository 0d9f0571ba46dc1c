"""Expressions whose names and types are settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalweg._flink_names import use_flink_names
from thalweg.table.expression import Expression
from thalweg.table.expression_summary import summary
from thalweg.table.expression_tree import Tree

if TYPE_CHECKING:
    from thalweg.table.simple_types import DataType

__all__ = ["ResolvedExpression"]


class ResolvedExpression(Expression):
    """An expression with a type: the watermark and the computed columns of a resolved schema."""

    __slots__ = ("_data_type",)

    def __init__(self, j_resolved_expr: tuple[Tree, DataType]) -> None:
        tree, self._data_type = j_resolved_expr
        super().__init__(tree)

    def get_output_data_type(self) -> DataType:
        """The type of its values."""
        return self._data_type

    def _text_of_type(self) -> str:
        from thalweg.table.nested_types import sql_type

        return sql_type(self._data_type)

    def get_resolved_children(self) -> list[ResolvedExpression]:
        """Its operands, as far as their types are known here: literals and casts."""
        from thalweg.table.projection import children
        from thalweg.table.type_text import parse_type

        found = []
        for child in children(self._tree):
            if child[0] in ("lit", "cast", "try_cast"):
                found.append(ResolvedExpression((child, parse_type(child[2]))))
        return found

    def as_serializable_string(self) -> str:
        """As SQL text."""
        if self._tree[0] == "sql":
            return str(self._tree[1])
        from thalweg import _native

        return _native.unparse(self._tree)

    def as_summary_string(self) -> str:
        """A short text of it."""
        return str(self._tree[1]) if self._tree[0] == "sql" else summary(self._tree)

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        return isinstance(other, ResolvedExpression) and (self._tree, self._data_type) == (other._tree, other._data_type)

    def __hash__(self) -> int:
        return hash(str(self._tree))


use_flink_names(globals())
