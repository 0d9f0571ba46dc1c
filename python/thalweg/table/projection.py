"""From the expressions of a select to what the engine takes: column ranges expanded, every expression named.

Names follow Flink: a column keeps its name, an aggregate or a window's bound is EXPR$n (counted over all of them), anything
else is _cN with its place in the list.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from thalweg.table.expression_tree import Tree
from thalweg.util.exceptions import ValidationException

if TYPE_CHECKING:
    from thalweg._native import Relation

AGGREGATES = frozenset({
    "SUM", "$SUM0", "MIN", "MAX", "COUNT", "AVG", "FIRST_VALUE", "LAST_VALUE", "LISTAGG", "STDDEV_POP", "STDDEV_SAMP", "VAR_POP",
    "VAR_SAMP", "COLLECT", "ARRAY_AGG", "DISTINCT", "PERCENTILE", "JSON_OBJECTAGG", "JSON_ARRAYAGG", "BITMAP_AND_AGG",
    "BITMAP_AND_CARDINALITY_AGG", "BITMAP_BUILD_AGG", "BITMAP_BUILD_CARDINALITY_AGG", "BITMAP_OR_AGG", "BITMAP_OR_CARDINALITY_AGG",
    "BITMAP_XOR_AGG", "BITMAP_XOR_CARDINALITY_AGG",
})  # fmt: skip
_WINDOW_BOUNDS = frozenset(f"{w}_{b}" for w in ("TUMBLE", "HOP", "SESSION") for b in ("START", "END", "ROWTIME", "PROCTIME"))


def is_aggregate(tree: Tree) -> bool:
    """Whether the tree itself is an aggregate call."""
    if tree[0] == "python":
        return bool(tree[1].kind in ("aggregate", "table_aggregate"))
    return tree[0] == "call" and tree[1].upper() in AGGREGATES


def has_aggregate(tree: Tree) -> bool:
    """Whether an aggregate occurs in the tree, outside of OVER."""
    if tree[0] in ("over", "over_alias"):
        return False
    return is_aggregate(tree) or any(has_aggregate(child) for child in children(tree))


def children(tree: Tree) -> tuple[Tree, ...]:
    """The operands of a node."""
    kind = tree[0]
    if kind in ("call", "python"):
        return tuple(tree[2])
    if kind in ("as", "cast", "try_cast", "asc", "desc", "in_table", "over_alias"):
        return (tree[1],)
    if kind == "over":
        return (tree[1], *tree[2], *tree[3])
    if kind == "named_arg":
        return (tree[2],)
    return ()


def map_children(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """The node with `change` done to its operands."""
    kind = tree[0]
    if kind in ("call", "python"):
        return (kind, tree[1], tuple(change(c) for c in tree[2]), *tree[3:])
    if kind in ("as", "cast", "try_cast", "asc", "desc", "in_table", "over_alias"):
        return (kind, change(tree[1]), *tree[2:])
    if kind == "named_arg":
        return (kind, tree[1], change(tree[2]))
    return tree


def name_of(tree: Tree) -> str | None:
    """The name a column of this expression has by itself."""
    kind = tree[0]
    if kind == "col":
        return str(tree[1])
    if kind == "as":
        return str(tree[2][0])
    if kind in ("cast", "try_cast"):
        return name_of(tree[1])
    if kind == "call" and tree[1] == "." and tree[2][0][0] == "col":
        # A field that was given by its position is called by it.
        return f"{tree[2][0][1]}${tree[3] if len(tree) > 3 else tree[2][1][1]}"
    return None


def refuse_ambiguous(names: Iterable[str | None]) -> None:
    """Names that a program gives to columns are different."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValidationException(f"Ambiguous column name: {name}")
        if name is not None:
            seen.add(name)


def name_expressions(expressions: Sequence[Tree], aggregates: Sequence[Tree] = ()) -> list[Tree]:
    """Every expression with a name that is unique in the list; `aggregates` are calls that are some, besides those known by name."""
    numbers: dict[Tree, int] = {}
    for tree in expressions:
        _refuse_over(tree)
        _number_aggregates(tree, numbers, aggregates)
    result = []
    refuse_ambiguous(name_of(tree) for tree in expressions)
    for position, tree in enumerate(expressions):
        name = name_of(tree)
        if name is None:
            name = f"EXPR${numbers[tree]}" if tree in numbers else f"_c{position}"
        result.append(tree if tree[0] in ("col", "as") else ("as", tree, (name,)))
    return result


def _number_aggregates(tree: Tree, numbers: dict[Tree, int], aggregates: Sequence[Tree]) -> None:
    if is_aggregate(tree) or tree in aggregates or (tree[0] == "call" and tree[1] in _WINDOW_BOUNDS):
        numbers.setdefault(tree, len(numbers))
        return
    if tree[0] != "over":
        for child in children(tree):
            _number_aggregates(child, numbers, aggregates)


def _refuse_over(tree: Tree) -> None:
    """`select` of a table with OVER windows has put them in place of their names; nothing else knows any."""
    if tree[0] == "over_alias":
        raise _unknown_window(tree)
    for child in children(tree):
        _refuse_over(child)


def _unknown_window(tree: Tree) -> ValidationException:
    return ValidationException(f"No over window is named '{tree[2]}': call over_window(Over....alias('{tree[2]}')) before select().")


class ColumnNames(list[str]):
    """The names of a relation's columns, with the relation to ask for types."""

    def __init__(self, relation: Relation) -> None:
        super().__init__(name for name, _ in relation.columns())
        self.relation = relation


def expand(expressions: Sequence[Tree], columns: Sequence[str]) -> list[Tree]:
    """The list with `*`, ranges and with_columns/without_columns replaced by the columns they stand for, and flattened rows
    by their fields; `+` of texts is CONCAT."""
    try:
        return _expanded(expressions, columns)
    except RecursionError:
        text = "The expression is too deep for Python's recursion limit: write comparisons of one column as in_(...)"
        raise ValidationException(f"{text}, or call sys.setrecursionlimit() with more than {sys.getrecursionlimit()}.") from None


def _expanded(expressions: Sequence[Tree], columns: Sequence[str]) -> list[Tree]:
    result: list[Tree] = []
    for tree in expressions:
        if tree == ("col", "*"):
            result += [("col", c) for c in columns]
        elif tree[0] == "call" and tree[1] in ("$RANGE", "$WITH_COLUMNS", "$WITHOUT_COLUMNS"):
            result += [("col", c) for c in _selected(tree, columns)]
        else:
            result.append(map_children(tree, lambda child: _expand_child(child, columns)))
    trees = _spread_calls(result)
    if not isinstance(columns, ColumnNames):
        return trees
    for tree in trees:
        check_columns(tree, columns)
    from thalweg.table.row_fields import with_fields

    return [_concatenate(tree, columns.relation) for tree in with_fields(trees, columns.relation)]


def check_columns(tree: Tree, columns: Sequence[str]) -> None:
    """An unknown column is told in the words of Flink's Table API."""
    if tree[0] == "col" and tree[1] not in columns:
        raise ValidationException(f"Cannot resolve field [{tree[1]}], input field list:[{', '.join(columns)}].")
    if tree[0] == "over_alias":
        raise _unknown_window(tree)
    for child in children(tree):
        check_columns(child, columns)


def _concatenate(tree: Tree, relation: Relation) -> Tree:
    """SQL's `+` is for numbers and times; the Table API's plus also joins texts."""
    tree = map_children(tree, lambda child: _concatenate(child, relation))
    if tree[0] == "call" and tree[1] == "+" and len(tree[2]) == 2 and any(_is_text(operand, relation) for operand in tree[2]):
        return ("call", "CONCAT", tuple(o if _is_text(o, relation) else ("cast", o, "STRING") for o in tree[2]))
    return tree


_NEVER_TEXT = frozenset({"+", "-", "*", "/", "%", "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT", "SUM", "COUNT", "AVG"})


def _is_text(tree: Tree, relation: Relation) -> bool:
    if tree[0] == "lit":
        return isinstance(tree[1], str) and str(tree[2]).startswith("CHAR")
    if tree[0] == "interval" or (tree[0] == "call" and tree[1] in _NEVER_TEXT):
        return False
    if tree[0] == "call" and tree[1] in ("CONCAT", "UPPER", "LOWER"):
        return True
    try:
        _, found = relation.select([("as", tree, ("x",))]).columns()[0]
    except Exception:  # noqa: BLE001 (an aggregate, or an error that is told where the whole expression is bound)
        return False
    return found.startswith(("STRING", "VARCHAR", "CHAR"))


def _expand_child(tree: Tree, columns: Sequence[str]) -> Tree:
    if tree[0] == "call" and tree[1] in ("$RANGE", "$WITH_COLUMNS", "$WITHOUT_COLUMNS"):
        return ("spread", tuple(("col", c) for c in _selected(tree, columns)))
    return map_children(tree, lambda child: _expand_child(child, columns))


def _spread_calls(trees: Sequence[Tree]) -> list[Tree]:
    """Puts the columns of a range inside a call's arguments in their place."""

    def spread(tree: Tree) -> Tree:
        tree = map_children(tree, spread)
        if tree[0] not in ("call", "python") or not any(a[0] == "spread" for a in tree[2]):
            return tree
        arguments = tuple(x for a in tree[2] for x in (a[1] if a[0] == "spread" else (a,)))
        return (tree[0], tree[1], arguments, *tree[3:])

    return [spread(tree) for tree in trees]


def _selected(tree: Tree, columns: Sequence[str]) -> list[str]:
    if tree[1] == "$RANGE":
        first, last = (_place(end, columns) for end in tree[2])
        if first > last:
            raise ValidationException(f"The start of the column range is after its end: {tree[2][0][1]} to {tree[2][1][1]}.")
        return list(columns[first : last + 1])
    if tree[1] == "$WITH_COLUMNS":
        return [c for part in tree[2] for c in _part(part, columns)]
    left_out = {c for part in tree[2] for c in _part(part, columns)}
    return [c for c in columns if c not in left_out]


def _part(tree: Tree, columns: Sequence[str]) -> list[str]:
    if tree == ("col", "*"):
        return list(columns)
    if tree[0] == "call" and tree[1] in ("$RANGE", "$WITH_COLUMNS", "$WITHOUT_COLUMNS"):
        return _selected(tree, columns)
    return [columns[_place(tree, columns)]]


def _place(tree: Tree, columns: Sequence[str]) -> int:
    name = tree[1]
    if tree[0] == "lit" and isinstance(name, int):
        if not 1 <= name <= len(columns):
            raise ValidationException(f"There is no column {name}: the table has {len(columns)} columns.")
        return name - 1
    if name not in columns:
        raise ValidationException(f"Cannot resolve field [{name}], input field list:[{', '.join(columns)}].")
    return list(columns).index(name)
