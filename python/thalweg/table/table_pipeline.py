"""A query with its sink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thalweg._flink_names import use_flink_names

if TYPE_CHECKING:
    from thalweg._native import Insert
    from thalweg.table.catalog_objects import ObjectIdentifier
    from thalweg.table.compiled_plan import CompiledPlan
    from thalweg.table.explain_detail import ExplainDetail
    from thalweg.table.table_environment import TableEnvironment
    from thalweg.table.table_result import TableResult

__all__ = ["TablePipeline"]


class TablePipeline:
    """An INSERT that has not run."""

    def __init__(self, j_table_pipeline: Insert, t_env: TableEnvironment) -> None:
        self._insert = j_table_pipeline
        self._t_env = t_env

    def execute(self) -> TableResult:
        """Starts the job."""
        from thalweg.table.table_result import TableResult

        return TableResult(self._t_env._synced().execute_inserts([self._insert]))

    def explain(self, *extra_details: ExplainDetail | str) -> str:
        """The abstract syntax tree and the optimized plans."""
        return self._t_env._synced().explain([self._insert], [str(d) for d in extra_details])

    def print_explain(self, *extra_details: ExplainDetail | str) -> None:
        """Prints `explain`."""
        print(self.explain(*extra_details))

    def get_sink_identifier(self) -> ObjectIdentifier | None:
        """The sink's name; None for an anonymous one."""
        path: str = self._insert[1][0]
        if "*anonymous" in path:
            return None
        from thalweg.table.catalog_objects import ObjectIdentifier
        from thalweg.table.paths import qualify

        return ObjectIdentifier.of(*qualify(path, self._t_env._session.current()))

    def compile_plan(self) -> CompiledPlan:
        """Plans the job, to be kept or run."""
        from thalweg.table.compiled_plan import CompiledPlan

        return CompiledPlan._of([self._insert], self._t_env)


use_flink_names(globals())
