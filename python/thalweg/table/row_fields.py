"""Fields of rows by position, and rows taken apart: what needs the types of expressions before the engine sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalweg.table.expression_tree import Tree, literal
from thalweg.table.nested_types import RowType
from thalweg.table.projection import children, map_children
from thalweg.table.type_text import parse_type
from thalweg.util.exceptions import ValidationException

if TYPE_CHECKING:
    from thalweg._native import Relation


def with_fields(trees: Sequence[Tree], relation: Relation) -> list[Tree]:
    """The list with positions of fields replaced by their names, and a flattened row by its fields."""
    result: list[Tree] = []
    for tree in trees:
        if not _mentions_fields(tree):
            result.append(tree)
        elif tree[0] == "call" and tree[1] == "$FLATTEN":
            row = _named(tree[2][0], relation)
            fields = _fields_of(row, relation)
            result += [row] if fields is None else [("call", ".", (row, literal(field))) for field in fields]
        else:
            result.append(_named(tree, relation))
    return result


def _mentions_fields(tree: Tree) -> bool:
    return any(_mentions_fields(child) for child in children(tree)) or (tree[0] == "call" and tree[1] in (".", "$FLATTEN"))


def _named(tree: Tree, relation: Relation) -> Tree:
    tree = map_children(tree, lambda child: _named(child, relation))
    if tree[0] != "call" or tree[1] != "." or not isinstance(tree[2][1][1], int):
        return tree
    row, position = tree[2][0], tree[2][1][1]
    fields = _fields_of(row, relation)
    if fields is None or not 0 <= position < len(fields):
        raise ValidationException(f"There is no field at position {position} in a value of type {_type_of(row, relation)}")
    return ("call", ".", (row, literal(fields[position])), position)


def _type_of(tree: Tree, relation: Relation) -> str:
    return relation.select([("as", tree, ("x",))]).columns()[0][1]


def _fields_of(tree: Tree, relation: Relation) -> list[str] | None:
    """The names of a row's fields; None where the value is no row."""
    data_type = parse_type(_type_of(tree, relation))
    return [field.name for field in data_type.fields] if isinstance(data_type, RowType) else None
