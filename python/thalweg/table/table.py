"""Tables of the Table API: a Table stands for a query, and every method makes another one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.table.expression import Expression
from thalweg.table.expression_tree import Tree, to_tree
from thalweg.table.grouped_table import (
    AggregatedTable,
    FlatAggregateTable,
    GroupedTable,
    GroupWindowedTable,
    OverWindowedTable,
    WindowAggregatedTable,
    WindowGroupedTable,
)
from thalweg.table.projection import ColumnNames, expand, has_aggregate, name_expressions, name_of, refuse_ambiguous
from thalweg.util.exceptions import ValidationException

if TYPE_CHECKING:
    from thalweg._native import Relation
    from thalweg.table.catalog import ResolvedSchema
    from thalweg.table.explain_detail import ExplainDetail
    from thalweg.table.query_operation import JavaTable, Operation
    from thalweg.table.table_descriptor import TableDescriptor
    from thalweg.table.table_environment import TableEnvironment
    from thalweg.table.table_pipeline import TablePipeline
    from thalweg.table.table_result import TableResult
    from thalweg.table.table_schema import TableSchema
    from thalweg.table.window import GroupWindow, OverWindow

__all__ = [
    "AggregatedTable", "FlatAggregateTable", "GroupWindowedTable", "GroupedTable", "OverWindowedTable", "Table",
    "WindowAggregatedTable", "WindowGroupedTable",
]  # fmt: skip


_unnamed = itertools.count()


class Table:
    """A query that has not run. Columns are attributes: `orders.price` is `col("price")`.

    Methods are checked at once: an unknown column or a wrong type is an error where it is written.
    """

    def __init__(self, j_table: Relation, t_env: TableEnvironment) -> None:
        self._native = j_table
        self._t_env = t_env
        self._name: str | None = None
        self._operation: Callable[[], Operation] | None = None
        # What is known of the columns besides names and types; steps that keep the columns keep it.
        self._schema: Callable[[], ResolvedSchema] | None = None

    @property
    def _relation(self) -> Relation:
        """The query, in a session that knows what the program changed in the configuration: functions are opened with it."""
        self._t_env._synced()
        return self._native

    @property
    def _columns(self) -> ColumnNames:
        return ColumnNames(self._relation)

    @property
    def _j_table(self) -> JavaTable:
        """For programs that ask Flink's Java side how the table was made."""
        from thalweg.table.query_operation import JavaTable

        return JavaTable(self)

    def _derive(self, relation: Relation, operation: Callable[[], Operation] | None = None) -> Table:
        table = Table(relation, self._t_env)
        table._operation = operation
        return table

    def _step(self, relation: Relation, name: str, **parameters: Any) -> Table:
        """The table of an operation with one input, of which parameters that are trees tell as texts."""
        table = self._derive(relation, lambda: query_operation().step(self, relation, name, parameters))
        table._schema = None if name == "Project" else self._schema
        return table

    def _project(self, trees: Sequence[Tree]) -> Table:
        return self._step(self._relation.select(list(trees)), "Project", projections=list(trees))

    def __getattr__(self, name: str) -> Expression:
        if name.startswith("__") or name in ("_relation", "_t_env", "_name", "_operation", "_schema"):
            raise AttributeError(name)
        columns = self._columns
        if name not in columns:
            raise AttributeError(f"The current table has no column named '{name}', available columns: [{', '.join(columns)}]")
        return Expression(("col", name))

    def __str__(self) -> str:
        """A name by which statements can read the table: `f"SELECT * FROM {table}"`. Made when first asked for."""
        if self._name is None:
            self._name = f"UnnamedTable${next(_unnamed)}"
            self._t_env.create_temporary_view(self._name, self)
        return self._name

    def _repr_html_(self) -> str:
        """What a notebook shows: the first rows. The query runs for at most a second for it."""
        from thalweg.table.preview import preview_html

        return preview_html(self._relation)

    # --- projections
    def select(self, *fields: Expression | str) -> Table:
        """SELECT: `tab.select(tab.key, (tab.value + 1).alias("next"))`."""
        from thalweg.table.row_functions import marked_aggregates

        expressions = expand([_field_tree(f) for f in fields], self._columns)
        named = name_expressions(expressions, marked_aggregates(expressions, self._t_env))
        if any(has_aggregate(tree) for tree in expressions):
            return self._aggregated(self._relation.aggregate([], named), [], expressions)
        return self._project(named)

    def _aggregated(self, relation: Relation, keys: Sequence[Tree], expressions: Sequence[Tree]) -> Table:
        return self._derive(relation, lambda: query_operation().aggregated(self, relation, keys, expressions))

    def alias(self, field: str, *fields: str) -> Table:
        """Renames the columns, from the first on."""
        names = [*([field] if isinstance(field, str) else field), *fields]
        refuse_ambiguous([*names, *self._columns[len(names) :]])
        return self._step(self._relation.alias(names), "Project", projections=[("col", c) for c in self._columns])

    def add_columns(self, *fields: Expression) -> Table:
        """Adds columns at the end; a name that is there already is an error."""
        columns = self._columns
        added = name_expressions(expand([_field_tree(f) for f in fields], columns))
        refuse_ambiguous([*columns, *map(name_of, added)])
        return self._project([*(("col", c) for c in columns), *added])

    def add_or_replace_columns(self, *fields: Expression) -> Table:
        """Adds columns at the end; one whose name is there already takes its place."""
        columns = self._columns
        added = {str(name_of(t)): t for t in name_expressions(expand([_field_tree(f) for f in fields], columns))}
        kept: list[Tree] = [added.pop(c, ("col", c)) for c in columns]
        return self._project([*kept, *added.values()])

    def rename_columns(self, *fields: Expression) -> Table:
        """Renames columns, given as `col("old").alias("new")`."""
        columns = self._columns
        new_names: dict[str, str] = {}
        for field in fields:
            tree = _field_tree(field)
            if tree[0] != "as" or tree[1][0] != "col":
                raise ValidationException(f"Unexpected field expression type [{field}]. Renaming must add an alias to the original field.")
            if tree[1][1] not in columns:
                raise ValidationException(f"Rename field [{tree[1][1]}] does not exist in source table")
            new_names[tree[1][1]] = tree[2][0]
        refuse_ambiguous(new_names.get(c, c) for c in columns)
        return self._project([("as", ("col", c), (new_names[c],)) if c in new_names else ("col", c) for c in columns])

    def drop_columns(self, *fields: Expression) -> Table:
        """Leaves columns out."""
        columns = self._columns
        dropped = {tree[1] for tree in expand([_field_tree(f) for f in fields], columns) if tree[0] == "col"}
        for name in dropped:
            if name not in columns:
                raise ValidationException(f"Field {name} does not exist in source table")
        return self._project([("col", c) for c in columns if c not in dropped])

    # --- rows
    def filter(self, predicate: Expression) -> Table:
        """WHERE: the rows for which the predicate holds."""
        condition = expand([to_tree(predicate)], self._columns)[0]
        try:
            return self._step(self._relation.filter(condition), "Filter", condition=condition)
        except ValidationException as error:
            if "must be a condition" not in error.message:
                raise
            _, found = self._relation.select([("as", condition, ("x",))]).columns()[0]
            raise ValidationException(
                f"Filter operator requires a boolean expression as input, but $condition is of type {found}", error.code, error.code_name
            ) from None

    def where(self, predicate: Expression) -> Table:
        """The same as `filter`."""
        return self.filter(predicate)

    def distinct(self) -> Table:
        """SELECT DISTINCT: every row once."""
        return self._step(self._relation.distinct(), "Distinct")

    def order_by(self, *fields: Expression) -> Table:
        """ORDER BY: `tab.order_by(tab.price.desc)`."""
        order = expand([_field_tree(f) for f in fields], self._columns)
        return self._step(self._relation.order_by(order), "Sort", order=order, offset=-1, fetch=-1)

    def offset(self, offset: int) -> Table:
        """Leaves out the first rows of an order."""
        return self._limited(offset, None)

    def fetch(self, fetch: int) -> Table:
        """The first rows of an order."""
        if fetch < 0:
            raise ValidationException("FETCH should be greater than or equal to 0.")
        return self._limited(0, fetch)

    def limit(self, fetch: int, offset: int = 0) -> Table:
        """So many rows from `offset` on."""
        return self._limited(offset, fetch)

    def _limited(self, offset: int, fetch: int | None) -> Table:
        relation = self._relation.limit(offset, fetch)
        table = self._derive(relation, lambda: query_operation().limited(self, offset, fetch))
        table._schema = self._schema
        return table

    # --- groups and windows
    def group_by(self, *fields: Expression) -> GroupedTable:
        """GROUP BY; a `select` with aggregates follows."""
        keys = expand([_field_tree(f) for f in fields], self._columns)
        return GroupedTable(self._relation, self._t_env, keys, self)

    def window(self, window: GroupWindow) -> GroupWindowedTable:
        """Gives the rows windows; a `group_by` with the window's name follows."""
        return GroupWindowedTable(self._relation, self._t_env, window)

    def over_window(self, *over_windows: OverWindow) -> OverWindowedTable:
        """Names OVER windows; a `select` with `.over(...)` follows."""
        return OverWindowedTable(self._relation, self._t_env, over_windows)

    def aggregate(self, func: Expression) -> AggregatedTable:
        """Aggregates all rows with one function."""
        return AggregatedTable(self._relation, self._t_env, [], func)

    def flat_aggregate(self, func: Expression) -> FlatAggregateTable:
        """Aggregates all rows with a table aggregate function."""
        return FlatAggregateTable(self._relation, self._t_env, [], func)

    # --- two tables
    def join(self, right: Table, join_predicate: Expression | None = None) -> Table:
        """Pairs of rows for which the predicate holds. Column names must differ."""
        return self._join(right, "INNER", join_predicate)

    def left_outer_join(self, right: Table, join_predicate: Expression | None = None) -> Table:
        """All rows of the left side, with NULLs where the right has no match."""
        return self._join(right, "LEFT", join_predicate)

    def right_outer_join(self, right: Table, join_predicate: Expression) -> Table:
        """All rows of the right side, with NULLs where the left has no match."""
        return self._join(right, "RIGHT", join_predicate)

    def full_outer_join(self, right: Table, join_predicate: Expression) -> Table:
        """All rows of both sides, with NULLs where there is no match."""
        return self._join(right, "FULL", join_predicate)

    def _join(self, right: Table, kind: str, predicate: Expression | None) -> Table:
        refuse_ambiguous([*self._columns, *right._columns])
        condition = None if predicate is None else to_tree(predicate)
        relation = self._relation.join(right._relation, kind, condition)
        return self._derive(relation, lambda: query_operation().joined(self, right, relation, kind, condition))

    def join_lateral(self, table_function_call: Expression, join_predicate: Expression | None = None) -> Table:
        """Each row with the rows that a table function makes of it."""
        return self._lateral(table_function_call, "INNER", join_predicate)

    def left_outer_join_lateral(self, table_function_call: Expression, join_predicate: Expression | None = None) -> Table:
        """As `join_lateral`, keeping rows of which the function makes none."""
        return self._lateral(table_function_call, "LEFT", join_predicate)

    def _lateral(self, function: Any, kind: str, predicate: Expression | None) -> Table:
        from thalweg.table.row_functions import lateral_call

        condition = None if predicate is None else to_tree(predicate)
        call = lateral_call(function, self._columns)
        relation = self._relation.lateral(call, kind, condition)
        return self._derive(relation, lambda: query_operation().joined(self, call, relation, kind, condition))

    def minus(self, right: Table) -> Table:
        """EXCEPT: the rows that the other has not, each once."""
        return self._combine(right, "EXCEPT", False)

    def minus_all(self, right: Table) -> Table:
        """EXCEPT ALL: each row as often as the other has it less."""
        return self._combine(right, "EXCEPT", True)

    def union(self, right: Table) -> Table:
        """UNION: the rows of both, each once."""
        return self._combine(right, "UNION", False)

    def union_all(self, right: Table) -> Table:
        """UNION ALL: the rows of both."""
        return self._combine(right, "UNION", True)

    def intersect(self, right: Table) -> Table:
        """INTERSECT: the rows that both have, each once."""
        return self._combine(right, "INTERSECT", False)

    def intersect_all(self, right: Table) -> Table:
        """INTERSECT ALL: each row as often as both have it."""
        return self._combine(right, "INTERSECT", True)

    def _combine(self, right: Table, kind: str, all_rows: bool) -> Table:
        left_size, right_size = len(self._columns), len(right._columns)
        if left_size != right_size:
            name = {"EXCEPT": "minus", "UNION": "union", "INTERSECT": "intersect"}[kind]
            raise ValidationException(
                f"The {name} operation on two tables of different column sizes: {left_size} and {right_size} is not supported"
            )
        relation = self._relation.set_operation(right._relation, kind, all_rows)
        return self._derive(relation, lambda: query_operation().combined(self, right, relation, kind, all_rows))

    # --- functions on whole rows
    def map(self, func: Any) -> Table:
        """Each row through a scalar function that gives a row."""
        from thalweg.table.row_functions import mapped

        return self._derive(mapped(self._relation, func))

    def flat_map(self, func: Any) -> Table:
        """Each row through a table function."""
        from thalweg.table.row_functions import flat_mapped

        return self._derive(flat_mapped(self._relation, func))

    def to_changelog(self, *arguments: Expression) -> Table:
        """TO_CHANGELOG: every change as a row that is only added, with a code in the column `op`.

        ::

            totals.to_changelog(descriptor("code").as_argument("op"), map_("INSERT, UPDATE_AFTER", "u").as_argument("op_mapping"))
        """
        return self._derive(self._relation.changelog(False, [to_tree(a) for a in arguments]))

    def from_changelog(self, *arguments: Expression) -> Table:
        """FROM_CHANGELOG: the table that rows with a code in the column `op` change. The arguments are those of `to_changelog`, with the
        codes first: `map_("c, r", "INSERT", "d", "DELETE").as_argument("op_mapping")`."""
        return self._derive(self._relation.changelog(True, [to_tree(a) for a in arguments]))

    # --- what it is
    def get_schema(self) -> TableSchema:
        """Names and types of the columns."""
        from thalweg.table.table_schema import schema_of

        return schema_of(self._relation.columns())

    def get_resolved_schema(self) -> ResolvedSchema:
        """The columns, with time attributes; those of a table that is read also with its watermark and key."""
        from thalweg.table.catalog import resolved_schema_of

        if self._schema is not None:
            return self._schema()
        return resolved_schema_of(self._relation.columns())

    def print_schema(self) -> None:
        """Prints the columns as in a CREATE TABLE."""
        print(self.get_resolved_schema())

    def explain(self, *extra_details: ExplainDetail | str) -> str:
        """The abstract syntax tree and the optimized plans."""
        session = self._t_env._synced()
        return session.explain([("query", self._relation)], [str(d) for d in extra_details])

    def print_explain(self, *extra_details: ExplainDetail | str) -> None:
        """Prints `explain`."""
        print(self.explain(*extra_details))

    # --- running it
    def execute(self) -> TableResult:
        """Starts the query; its rows come with `print` or `collect`."""
        from thalweg.table.table_result import TableResult

        return TableResult(self._relation.execute())

    def execute_insert(self, table_path_or_descriptor: str | TableDescriptor, overwrite: bool = False) -> TableResult:
        """Starts a job that writes the rows into a table."""
        return self.insert_into(table_path_or_descriptor, overwrite).execute()

    def insert_into(self, table_path_or_descriptor: str | TableDescriptor, overwrite: bool = False) -> TablePipeline:
        """The query with its sink, for a statement set or `execute`."""
        from thalweg.table.table_pipeline import TablePipeline

        return TablePipeline(self._t_env._insert(table_path_or_descriptor, self, overwrite), self._t_env)

    def to_pandas(self) -> Any:
        """Runs the query and gives its rows as a pandas DataFrame; it must not update rows."""
        from thalweg.table.pandas_bridge import to_pandas

        return to_pandas(self._relation)


def query_operation() -> Any:
    """The module that tells how tables were made: few programs ask."""
    from thalweg.table import query_operation as module

    return module


def _field_tree(field: Any) -> Tree:
    """A column may be given by its name where Flink took strings."""
    return ("col", field) if isinstance(field, str) else to_tree(field)


use_flink_names(globals())
