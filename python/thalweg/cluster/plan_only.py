"""The plan of a program that is not to run: the first job it would start is explained instead (`flink info`)."""

from __future__ import annotations

from typing import Any

_HEADER = "== Physical Execution Plan =="


class _PlanReadyError(BaseException):
    """Leaves the program; not an Exception, so that the program's own handlers let it through."""

    def __init__(self, plan: str) -> None:
        super().__init__()
        self.plan = plan


def plan_of(request: dict[str, Any]) -> str | None:
    """Runs a program up to its first job; the job's plan as JSON, or None where it starts none."""
    import contextlib
    import io
    import sys

    from thalweg.cli.run import run_module, run_program

    _explain_instead_of_running()
    for path in reversed(request["paths"]):
        sys.path.insert(0, path)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            if request["module"]:
                run_module(request["module"], request["arguments"], verbose=True)
            else:
                run_program(request["file"], request["arguments"], verbose=True)
    except _PlanReadyError as ready:
        return ready.plan
    return None


def _explain_instead_of_running() -> None:
    """Replaces what starts jobs, in this process, for good: it only explains."""
    from thalweg import _native
    from thalweg.datastream.stream_execution_environment import StreamExecutionEnvironment
    from thalweg.table.statement_set import StatementSet
    from thalweg.table.table import Table
    from thalweg.table.table_environment import TableEnvironment
    from thalweg.table.table_pipeline import TablePipeline

    def ready(explained: str) -> Any:
        raise _PlanReadyError(explained.partition(_HEADER)[2].strip() or explained)

    def explained(self: Any, *_: Any, **__: Any) -> Any:
        return ready(self.explain("JSON_EXECUTION_PLAN"))

    def streams(self: Any, *_: Any, **__: Any) -> Any:
        return ready(self.get_execution_plan())

    run_statement = TableEnvironment.execute_sql

    def statement(self: TableEnvironment, stmt: str) -> Any:
        first = stmt.lstrip(" \t\r\n(").split(None, 1)[0].upper() if stmt.strip() else ""
        if first in ("SELECT", "WITH", "VALUES") or (first == "INSERT" and _native.is_insert(stmt)):
            return ready(self.explain_sql(stmt, "JSON_EXECUTION_PLAN"))
        return run_statement(self, stmt)

    for owner, method, replacement in (
        (Table, "execute", explained),
        (StatementSet, "execute", explained),
        (TablePipeline, "execute", explained),
        (TableEnvironment, "execute_sql", statement),
        (StreamExecutionEnvironment, "execute", streams),
        (StreamExecutionEnvironment, "execute_async", streams),
    ):
        setattr(owner, method, replacement)
