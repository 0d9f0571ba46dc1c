"""Functions on whole rows: what map, flat_map, aggregate and lateral joins make of a function that is given without arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalweg.table.expression import Expression
from thalweg.table.expression_tree import Tree, literal, to_tree
from thalweg.table.function_wrapper import UserDefinedFunctionWrapper
from thalweg.table.nested_types import RowType
from thalweg.table.projection import children
from thalweg.table.type_text import parse_type
from thalweg.util.exceptions import ValidationException

if TYPE_CHECKING:
    from thalweg._native import Relation

_RESULT = "$result"


def function_call(function: Any, columns: Sequence[str], kind: str, operation: str) -> tuple[Tree, tuple[str, ...]]:
    """The call and the names for its results. A function without arguments gets all columns as one Row."""
    if isinstance(function, UserDefinedFunctionWrapper):
        native = function._set_takes_row_as_input()._native_function(function._name, columns)
        tree: Tree = ("python", native, tuple(("col", c) for c in columns))
        names = function._alias_names
    elif isinstance(function, Expression):
        tree, names = to_tree(function), ()
        if tree[0] == "as":
            tree, names = tree[1], tuple(tree[2])
    else:
        raise TypeError(f"{operation} takes a function made by udf, udtf, udaf or udtaf, or a call of one, not {function!r}")
    if tree[0] == "python" and tree[1].kind not in (kind, f"async_{kind}"):
        raise ValidationException(f"Only a {kind.replace('_', ' ')} function can be used in the {operation} operator.")
    return tree, names


def flattened(relation: Relation, kept: Sequence[str], names: Sequence[str], single: str = "f0", prefix: str = "") -> Relation:
    """`kept` columns, then the last column: the fields of a ROW as columns of their own, `prefix` before their names; a column that is
    no ROW is called `single`. `names` renames them."""
    result, type_text = relation.columns()[-1]
    data_type = parse_type(type_text)
    columns: list[Tree] = [("col", c) for c in kept]
    if isinstance(data_type, RowType):
        fields = [field.name for field in data_type.fields]
        if names and len(names) != len(fields):
            raise ValidationException(f"The function gives {len(fields)} columns, but {len(names)} names are given.")
        for field, name in zip(fields, names or [prefix + field for field in fields]):
            columns.append(("as", ("call", ".", (("col", result), literal(field))), (name,)))
    else:
        columns.append(("as", ("col", result), (names[0] if names else single,)))
    return relation.select(columns)


def mapped(relation: Relation, function: Any) -> Relation:
    """Table.map: one row for one row."""
    columns = [name for name, _ in relation.columns()]
    tree, names = function_call(function, columns, "scalar", "map")
    return flattened(relation.select([("as", tree, (_RESULT,))]), (), names)


def flat_mapped(relation: Relation, function: Any) -> Relation:
    """Table.flat_map: any number of rows for one row."""
    columns = [name for name, _ in relation.columns()]
    tree, names = function_call(function, columns, "table", "flatMap")
    made = _result_names(tree)
    # Names that no column has, so that a result may be called as an input column is.
    joined = relation.lateral(("as", tree, tuple(f"$flat{i}" for i in range(len(made)))), "INNER", None)
    added = [name for name, _ in joined.columns()][len(columns) :]
    wanted = names or made or added
    if len(wanted) != len(added):
        raise ValidationException(f"The function gives {len(added)} columns, but {len(wanted)} names are given.")
    return joined.select([("as", ("col", column), (name,)) for column, name in zip(added, wanted)])


def _result_names(tree: Tree) -> tuple[str, ...]:
    if tree[0] != "python":
        return ()
    data_type = parse_type(tree[1].result_type)
    return tuple(f.name for f in data_type.fields) if isinstance(data_type, RowType) else ("f0",)


def lateral_call(function: Any, columns: Sequence[str]) -> Tree:
    """The call of a lateral join with the names of its results."""
    tree, names = function_call(function, columns, "table", "join_lateral")
    return ("as", tree, tuple(names))


def aggregated(
    relation: Relation, keys: Sequence[Tree], extra: Sequence[Tree], function: Any, operation: str = "aggregate"
) -> tuple[Relation, tuple[str, ...]]:
    """Keys, `extra` and the function's result as a last column, and the names for the results."""
    columns = [name for name, _ in relation.columns()]
    kind = "table_aggregate" if operation == "flat_aggregate" else "aggregate"
    tree, names = function_call(function, columns, kind, operation)
    shown = [key for key in keys if key[0] == "col"]
    return relation.aggregate(keys, [*shown, *extra, ("as", tree, (_RESULT,))]), names


def flat_aggregated(relation: Relation, keys: Sequence[Tree], extra: Sequence[Tree], function: Any) -> Relation:
    """Keys, `extra` and the columns of the rows that a table aggregate function emits."""
    grouped, names = aggregated(relation, keys, extra, function, "flat_aggregate")
    kept = [name for name, _ in grouped.columns()[:-1]]
    rows = ("call", "$UNNEST_GROUPS", (("col", _RESULT),))
    row_type = parse_type(grouped.columns()[-1][1]).element_type  # type: ignore[attr-defined]
    fields = [field.name for field in row_type.fields]
    if names and len(names) != len(fields):
        raise ValidationException(f"The function gives {len(fields)} columns, but {len(names)} names are given.")
    joined = grouped.lateral(("as", rows, tuple(f"$flat{i}" for i in range(len(fields)))), "INNER", None)
    columns: list[Tree] = [("col", c) for c in kept]
    columns += [("as", ("col", f"$flat{i}"), (name,)) for i, name in enumerate(names or fields)]
    return joined.select(columns)


def aggregates_of(t_env: object) -> set[str]:
    """The names of the Python aggregates that an environment registered: calls by name do not tell what they are."""
    known: set[str] = vars(t_env).setdefault("_aggregate_names", set())
    return known


def marked_aggregates(trees: Sequence[Tree], t_env: object) -> list[Tree]:
    """The calls of such aggregates in the trees, which are named like built-in ones: EXPR$n."""
    names = aggregates_of(t_env)
    found: list[Tree] = []

    def look(tree: Tree) -> None:
        if tree[0] == "call" and tree[1].lower() in names:
            found.append(tree)
        for child in children(tree):
            look(child)

    for tree in trees if names else ():
        look(tree)
    return found
