"""Tables half way to an aggregation: grouped, windowed, or with an aggregate function given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalweg.table.expression import Expression
from thalweg.table.expression_tree import Tree, to_tree
from thalweg.table.projection import expand, map_children, name_expressions
from thalweg.table.row_fields import with_fields
from thalweg.table.row_functions import aggregated, flat_aggregated, flattened, marked_aggregates
from thalweg.table.window import GroupWindow, OverWindow
from thalweg.util.exceptions import ValidationException

if TYPE_CHECKING:
    from thalweg._native import Relation
    from thalweg.table.table import Table
    from thalweg.table.table_environment import TableEnvironment

_BOUNDS = ("$START", "$END", "$ROWTIME", "$PROCTIME")


def _table(relation: Relation, t_env: TableEnvironment) -> Table:
    from thalweg.table.table import Table

    return Table(relation, t_env)


def _trees(fields: Sequence[Any]) -> list[Tree]:
    return [("col", f) if isinstance(f, str) else to_tree(f) for f in fields]


def _name_keys(relation: Relation, keys: Sequence[Tree]) -> tuple[Relation, list[Tree]]:
    """Keys with a name of their own become columns, so that `select` can name them."""
    named = [tree for tree in keys if tree[0] == "as"]
    if not named:
        return relation, list(keys)
    columns: list[Tree] = [("col", name) for name, _ in relation.columns()]
    return relation.select([*columns, *named]), [("col", t[2][0]) if t[0] == "as" else t for t in keys]


class GroupedTable:
    """A table grouped by keys."""

    def __init__(self, java_table: Relation, t_env: TableEnvironment, keys: Sequence[Tree] = (), table: Table | None = None) -> None:
        self._relation, self._keys = _name_keys(java_table, keys)
        self._t_env = t_env
        self._table = table

    def select(self, *fields: Expression) -> Table:
        """Keys and aggregates: `tab.group_by(tab.key).select(tab.key, tab.value.avg.alias("mean"))`."""
        columns = [name for name, _ in self._relation.columns()]
        expressions = with_fields(expand(_trees(fields), columns), self._relation)
        named = name_expressions(expressions, marked_aggregates(expressions, self._t_env))
        relation = self._relation.aggregate(self._keys, named)
        if self._table is None:
            return _table(relation, self._t_env)
        return self._table._aggregated(relation, self._keys, expressions)

    def aggregate(self, func: Expression) -> AggregatedTable:
        """Aggregates each group with one function."""
        return AggregatedTable(self._relation, self._t_env, self._keys, func)

    def flat_aggregate(self, func: Expression) -> FlatAggregateTable:
        """Aggregates each group with a table aggregate function."""
        return FlatAggregateTable(self._relation, self._t_env, self._keys, func)


class GroupWindowedTable:
    """A table with a window, not yet grouped."""

    def __init__(self, java_group_windowed_table: Relation, t_env: TableEnvironment, window: GroupWindow | None = None) -> None:
        if not isinstance(window, GroupWindow):
            raise ValidationException(
                f"Table.window takes a group window with a name, Tumble.over(...).on(...).alias('w') for one, not {type(window).__name__}"
            )
        self._relation = java_group_windowed_table
        self._t_env = t_env
        self._window = window

    def group_by(self, *fields: Expression) -> WindowGroupedTable:
        """The keys; the window's name must be one of them."""
        return WindowGroupedTable(self._relation, self._t_env, self._window, _trees(fields))


class WindowGroupedTable:
    """A table grouped by a window and keys."""

    def __init__(
        self,
        java_window_grouped_table: Relation,
        t_env: TableEnvironment,
        window: GroupWindow | None = None,
        keys: Sequence[Tree] = (),
    ) -> None:
        if window is None or ("col", window._alias) not in keys:
            raise ValidationException("GroupBy must contain exactly one window alias.")
        window._check(java_window_grouped_table.columns(), t_env._is_streaming())
        plain = [tree for tree in keys if tree != ("col", window._alias)]
        self._relation, named = _name_keys(java_window_grouped_table, plain)
        self._window = window
        self._keys = [*named, window._key()]
        self._t_env = t_env

    def select(self, *fields: Expression) -> Table:
        """Keys, the window's bounds (`col("w").start`) and aggregates."""
        columns = [name for name, _ in self._relation.columns()]
        expressions = [self._with_bounds(tree) for tree in with_fields(expand(_trees(fields), columns), self._relation)]
        named = name_expressions(expressions, marked_aggregates(expressions, self._t_env))
        return _table(self._relation.aggregate(self._keys, named), self._t_env)

    def aggregate(self, func: Expression) -> WindowAggregatedTable:
        """Aggregates each group and window with one function."""
        return WindowAggregatedTable(self._relation, self._t_env, self._keys, func, self._window)

    def flat_aggregate(self, func: Expression) -> FlatAggregateTable:
        """Aggregates each group and window with a table aggregate function."""
        return FlatAggregateTable(self._relation, self._t_env, self._keys, func, self._window)

    def _with_bounds(self, tree: Tree) -> Tree:
        """`w.start` as SQL's TUMBLE_START(time, size), and so on."""
        if tree[0] == "call" and tree[1] in _BOUNDS and tree[2][0] == ("col", self._window._alias):
            return self._window._bound(tree[1][1:])
        return map_children(tree, self._with_bounds)


class OverWindowedTable:
    """A table with OVER windows."""

    def __init__(self, java_over_windowed_table: Relation, t_env: TableEnvironment, over_windows: Sequence[OverWindow] = ()) -> None:
        self._relation = java_over_windowed_table
        self._t_env = t_env
        self._windows: dict[str, OverWindow] = {}
        for window in over_windows:
            if not isinstance(window, OverWindow):
                raise ValidationException(
                    f"Table.over_window takes OVER windows with a name, Over.order_by(...).alias('w') for one, not {type(window).__name__}"
                )
            if window._alias in self._windows:
                raise ValidationException(f"Two over windows are named '{window._alias}'.")
            self._windows[window._alias] = window

    def select(self, *fields: Expression) -> Table:
        """Columns and aggregates over the windows: `col("price").avg.over(col("w"))`."""
        columns = [name for name, _ in self._relation.columns()]
        for window in self._windows.values():
            window._check(columns)
        expressions = [self._with_windows(tree) for tree in expand(_trees(fields), columns)]
        return _table(self._relation.select(name_expressions(expressions)), self._t_env)

    def _with_windows(self, tree: Tree) -> Tree:
        if tree[0] == "over_alias":
            window = self._windows.get(tree[2])
            if window is None:
                raise ValidationException(f"Could not resolve over call: there is no window `{tree[2]}`.")
            return window._tree(tree[1])
        return map_children(tree, self._with_windows)


class AggregatedTable:
    """A table with an aggregate function; `select` chooses among keys and results."""

    def __init__(self, java_table: Relation, t_env: TableEnvironment, keys: Sequence[Tree] = (), function: Any = None) -> None:
        self._relation, self._keys = _name_keys(java_table, keys)
        self._t_env = t_env
        self._function = function

    def select(self, *fields: Expression) -> Table:
        """Keys and the function's results, by name."""
        result, names = aggregated(self._relation, self._keys, (), self._function)
        flat = flattened(result, [name for name, _ in result.columns()[:-1]], names, "TMP_0", "TMP_0$")
        columns = [name for name, _ in flat.columns()]
        return _table(flat.select(name_expressions(expand(_trees(fields), columns))), self._t_env)


class WindowAggregatedTable:
    """A windowed table with an aggregate function; `select` chooses among keys, bounds and results."""

    def __init__(self, java_table: Relation, t_env: TableEnvironment, keys: Sequence[Tree], function: Any, window: GroupWindow) -> None:
        self._relation = java_table
        self._t_env = t_env
        self._keys = list(keys)
        self._function = function
        self._window = window

    def select(self, *fields: Expression) -> Table:
        """Keys, the window's bounds and the function's results, by name."""
        trees, bounds = _name_bounds(_trees(fields), self._window)
        extra: list[Tree] = [("as", bound, (name,)) for bound, name in bounds.items()]
        result, names = aggregated(self._relation, self._keys, extra, self._function)
        flat = flattened(result, [name for name, _ in result.columns()[:-1]], names, "TMP_0", "TMP_0$")
        columns = [name for name, _ in flat.columns() if name not in bounds.values()]
        return _table(flat.select(name_expressions(expand(trees, columns))), self._t_env)


class FlatAggregateTable:
    """A table with a table aggregate function; `select` chooses among keys, bounds of the window and the function's columns."""

    def __init__(
        self, java_table: Relation, t_env: TableEnvironment, keys: Sequence[Tree], function: Any, window: GroupWindow | None = None
    ) -> None:
        self._relation, self._keys = _name_keys(java_table, keys)
        self._t_env = t_env
        self._function = function
        self._window = window

    def select(self, *fields: Expression) -> Table:
        """Keys and the function's rows."""
        trees, bounds = _name_bounds(_trees(fields), self._window)
        extra: list[Tree] = [("as", bound, (name,)) for bound, name in bounds.items()]
        flat = flat_aggregated(self._relation, self._keys, extra, self._function)
        columns = [name for name, _ in flat.columns() if name not in bounds.values()]
        return _table(flat.select(name_expressions(expand(trees, columns))), self._t_env)


def _name_bounds(trees: Sequence[Tree], window: GroupWindow | None) -> tuple[list[Tree], dict[Tree, str]]:
    """The expressions with columns in place of the window's bounds, and the bounds by those columns' names."""
    bounds: dict[Tree, str] = {}

    def change(tree: Tree) -> Tree:
        if window is not None and tree[0] == "call" and tree[1] in _BOUNDS and tree[2][0] == ("col", window._alias):
            return ("col", bounds.setdefault(window._bound(tree[1][1:]), f"EXPR${len(bounds)}"))
        return map_children(tree, change)

    return [change(tree) for tree in trees], bounds


for _class in (
    GroupedTable, GroupWindowedTable, WindowGroupedTable, OverWindowedTable, AggregatedTable, WindowAggregatedTable, FlatAggregateTable,
):  # fmt: skip
    _class.__module__ = "pyflink.table.table"
