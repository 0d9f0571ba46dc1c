"""Several INSERTs as one job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalweg._flink_names import use_flink_names

if TYPE_CHECKING:
    from thalweg._native import Insert
    from thalweg.table.compiled_plan import CompiledPlan
    from thalweg.table.explain_detail import ExplainDetail
    from thalweg.table.table import Table
    from thalweg.table.table_descriptor import TableDescriptor
    from thalweg.table.table_environment import TableEnvironment
    from thalweg.table.table_pipeline import TablePipeline
    from thalweg.table.table_result import TableResult

__all__ = ["StatementSet"]


class StatementSet:
    """Collects INSERTs and starts them together; common parts are read once."""

    def __init__(self, _j_statement_set: list[Insert], t_env: TableEnvironment) -> None:
        self._inserts = _j_statement_set
        self._t_env = t_env

    def add(self, table_pipeline: TablePipeline) -> StatementSet:
        """Adds a query with its sink."""
        self._inserts.append(table_pipeline._insert)
        return self

    def add_insert_sql(self, stmt: str) -> StatementSet:
        """Adds an INSERT INTO statement."""
        from thalweg import _native
        from thalweg.util.exceptions import TableException

        if not _native.is_insert(stmt):
            raise TableException("Only insert statement is supported now.")
        self._inserts.append(("sql", stmt))
        return self

    def attach_as_datastream(self) -> None:
        """Makes the INSERTs part of the StreamExecutionEnvironment's next job, and empties the set."""
        from thalweg import _native

        session = self._t_env._synced()
        environment = getattr(self._t_env, "_environment", None)
        if environment is None:
            raise TypeError("attach_as_datastream needs a StreamTableEnvironment")
        for relation in _native.stream_inserts(session, self._inserts):
            environment()._add_relation("INSERT", relation)
        self._inserts = []

    def add_insert(self, target_path_or_descriptor: str | TableDescriptor, table: Table, overwrite: bool = False) -> StatementSet:
        """Adds a table that is written into another."""
        self._inserts.append(self._t_env._insert(target_path_or_descriptor, table, overwrite))
        return self

    def explain(self, *extra_details: ExplainDetail | str) -> str:
        """The plans of all INSERTs together."""
        return self._t_env._synced().explain(self._filled(), [str(d) for d in extra_details])

    def print_explain(self, *extra_details: ExplainDetail | str) -> None:
        """Prints `explain`."""
        print(self.explain(*extra_details))

    def execute(self) -> TableResult:
        """Starts one job for all INSERTs and empties the set."""
        from thalweg.table.table_result import TableResult

        try:
            return TableResult(self._t_env._synced().execute_inserts(self._filled()))
        finally:
            self._inserts = []

    def compile_plan(self) -> CompiledPlan:
        """Plans the job, to be kept or run."""
        from thalweg.table.compiled_plan import CompiledPlan

        return CompiledPlan._of(list(self._filled()), self._t_env)

    def _filled(self) -> list[Insert]:
        if self._inserts:
            return self._inserts
        from thalweg.util.exceptions import Py4JJavaError

        text = "No operators defined in streaming topology. Cannot execute: the statement set is empty (execute() empties it too)."
        raise Py4JJavaError(
            text + "\n  hint: add_insert(), add_insert_sql() or add() comes before.", class_name="java.lang.IllegalStateException"
        )


use_flink_names(globals())
