"""What a Table's query is made of, in the words of Flink's Java side: `table._j_table.getQueryOperation().asSummaryString()`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from thalweg.table.expression_summary import summary
from thalweg.table.expression_tree import Tree
from thalweg.table.projection import is_aggregate, map_children
from thalweg.util.notices import unsupported

if TYPE_CHECKING:
    from thalweg._native import Relation
    from thalweg.table.table import Table

__all__ = ["JavaTable", "Operation", "aggregated", "combined", "joined", "limited", "query", "source", "step"]

_INDENT = "    "
_GETTERS = {
    "Project": {"getProjectList": "projections"},
    "Aggregate": {"getGroupingExpressions": "group", "getAggregateExpressions": "agg"},
}


class JavaText(str):
    """A text, or a constant of an enum, that programs ask for `toString()`."""

    __slots__ = ()

    def toString(self) -> str:
        return str(self)


class JavaList(list[Any]):
    """A list with the methods of Java's."""

    def get(self, index: int) -> Any:
        return self[index]

    def size(self) -> int:
        return len(self)

    def toString(self) -> str:
        return f"[{', '.join(str(element) for element in self)}]"

    __str__ = toString


@dataclass(frozen=True)
class Operation:
    """One step of a query: `getX()` and `isX()` give the parameter x."""

    name: str
    parameters: dict[str, Any]
    inputs: tuple[Operation, ...] = ()
    columns: tuple[str, ...] = field(default=(), compare=False)

    def __getattr__(self, getter: str) -> Any:
        plain = getter.removeprefix("get").removeprefix("is")
        parameter = _GETTERS.get(self.name, {}).get(getter, plain[:1].lower() + plain[1:])
        if plain == getter or parameter not in self.parameters:
            raise AttributeError(f"the operation {self.name} has no {getter}; it knows {', '.join(self.parameters)}")
        value = self.parameters[parameter]
        return lambda: value

    def getChildren(self) -> JavaList:
        return JavaList(self.inputs)

    def getResolvedSchema(self) -> JavaSchema:
        return JavaSchema(self.columns)

    def equals(self, other: object) -> bool:
        return self == other

    def asSummaryString(self) -> str:
        """The step with its parameters, and below it those that it stands on."""
        shown = [f"{name}: {_text(value)}" for name, value in self.parameters.items() if name != "type"]
        text = f"{self.name}:" + (f" ({', '.join(shown)})" if shown else "")
        return text + "".join(f"\n{_INDENT}" + child.asSummaryString().replace("\n", f"\n{_INDENT}") for child in self.inputs)


def _text(value: Any) -> str:
    if isinstance(value, JavaList):
        return value.toString()
    return f"[{str(value).lower() if isinstance(value, bool) else value}]"


class JavaSchema:
    """The columns of an operation."""

    def __init__(self, columns: Sequence[str]) -> None:
        self._columns = columns

    def getColumnNames(self) -> JavaList:
        return JavaList(self._columns)


class JavaTable:
    """What Flink calls the Java table behind a Table."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def getQueryOperation(self) -> Operation:
        """How the table was made. What SQL made is one step."""
        if self._table._operation is None:
            raise unsupported("getQueryOperation() of a table that windows, map, flat_map, aggregate or flat_aggregate made")
        return self._table._operation()

    def getResolvedSchema(self) -> JavaSchema:
        return JavaSchema(self._table._columns)


def _of(table: Table) -> Operation:
    return table._j_table.getQueryOperation()


def _columns(relation: Relation) -> tuple[str, ...]:
    return tuple(name for name, _ in relation.columns())


def _plain(tree: Tree) -> str:
    """An expression without the name that it was given."""
    return summary(tree[1] if tree[0] == "as" else tree)


def source(relation: Relation, path: Sequence[str]) -> Operation:
    """A table of a catalog."""
    columns = _columns(relation)
    return Operation("CatalogTable", {"identifier": JavaText(".".join(path)), "fields": JavaList(columns)}, (), columns)


def query(relation: Relation) -> Operation:
    """What SQL made."""
    return Operation("PlannerNode", {}, (), _columns(relation))


def step(table: Table, relation: Relation, name: str, parameters: dict[str, Any]) -> Operation:
    """An operation on one table."""
    shown: dict[str, Any] = {}
    for key, value in parameters.items():
        if isinstance(value, list):
            shown[key] = JavaList(_plain(tree) for tree in value)
        else:
            shown[key] = JavaText(summary(value)) if isinstance(value, tuple) else value
    return Operation(name, shown, (_of(table),), _columns(relation))


def aggregated(table: Table, relation: Relation, keys: Sequence[Tree], expressions: Sequence[Tree]) -> Operation:
    """GROUP BY, and the projection of what it gives: aggregates are called EXPR$0 and so on there."""
    names: dict[Tree, str] = {}

    def named(tree: Tree) -> Tree:
        if is_aggregate(tree):
            return ("col", names.setdefault(tree, f"EXPR${len(names)}"))
        return map_children(tree, named)

    projections = JavaList(_plain(named(tree)) for tree in expressions)
    calls = JavaList(f"as({summary(tree)}, '{name}')" for tree, name in names.items())
    below = Operation("Aggregate", {"group": JavaList(_plain(key) for key in keys), "agg": calls}, (_of(table),))
    return Operation("Project", {"projections": projections}, (below,), _columns(relation))


def limited(table: Table, offset: int, fetch: int | None) -> Operation:
    """LIMIT, which is one operation with the ORDER BY and the OFFSET below it."""
    below = _of(table)
    known = below if below.name == "Sort" and below.parameters["fetch"] < 0 else None
    order = JavaList() if known is None else known.parameters["order"]
    if known is not None and offset == 0:
        offset = max(known.parameters["offset"], 0)
    parameters = {"order": order, "offset": offset, "fetch": -1 if fetch is None else fetch}
    return Operation("Sort", parameters, (below,) if known is None else known.inputs, below.columns)


def joined(table: Table, right: Table | Tree, relation: Relation, kind: str, condition: Tree | None) -> Operation:
    """JOIN with a table, or with the call of a table function."""
    if isinstance(right, tuple):
        call = right[1]
        name = call[1].name if call[0] == "python" else call[1]
        arguments = JavaList(summary(argument) for argument in call[2])
        other = Operation("CalculatedTable", {"function": JavaText(name), "arguments": arguments})
    else:
        other = _of(right)
    parameters = {
        "joinType": JavaText(kind if kind == "INNER" else f"{kind}_OUTER"),
        "condition": JavaText("true" if condition is None else summary(condition)),
        "correlated": isinstance(right, tuple),
    }
    return Operation("Join", parameters, (_of(table), other), _columns(relation))


def combined(table: Table, right: Table, relation: Relation, kind: str, all_rows: bool) -> Operation:
    """UNION, INTERSECT, EXCEPT."""
    name = "MINUS" if kind == "EXCEPT" else kind
    return Operation(name.title(), {"all": all_rows, "type": JavaText(name)}, (_of(table), _of(right)), _columns(relation))
