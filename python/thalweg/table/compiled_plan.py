"""Compiled plans: an INSERT with all that it needs, as a value that can be kept and run later."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from thalweg._flink_names import use_flink_names
from thalweg.util.exceptions import TableException, ValidationException
from thalweg.version import __flink_version__

if TYPE_CHECKING:
    from thalweg._native import Insert, Session
    from thalweg.table.explain_detail import ExplainDetail
    from thalweg.table.plan_reference import PlanReference
    from thalweg.table.table_environment import TableEnvironment
    from thalweg.table.table_result import TableResult

__all__ = ["CompiledPlan"]

_FORMAT = 1
_TABLES = re.compile(r"table=\[\[?([^\]]+)\]")


class CompiledPlan:
    """An INSERT (or several) with the definitions of its tables.

    The JSON holds the statements, so a plan that was written to a file runs in another process. Tables that are missing there are made
    from it. A plan of Table API calls can be run and shown, but only where it was made: its expressions may hold Python objects.
    """

    def __init__(self, j_compiled_plan: dict[str, Any], t_env: TableEnvironment) -> None:
        self._plan = j_compiled_plan
        self._t_env = t_env
        self._inserts: list[Insert] = [("sql", text) for text in j_compiled_plan["thalweg"]["statements"]]

    def as_json_string(self) -> str:
        """The plan as JSON; TableException where it cannot leave this process."""
        if len(self._inserts) != len(self._plan["thalweg"]["statements"]):
            raise TableException(
                "The plan of Table API calls cannot be written as JSON: its expressions may hold Python objects. "
                "Write the INSERT as SQL (compile_plan_sql), with the query as a view made by CREATE VIEW."
            )
        return json.dumps(self._plan, indent=2)

    def as_smile_bytes(self) -> bytes:
        """The plan as bytes, for `PlanReference.from_smile_bytes`; compact, in a form of our own."""
        import zlib

        return zlib.compress(self.as_json_string().encode())

    def write_to_file(self, file: str, ignore_if_exists: bool = False) -> None:
        """Writes the JSON; TableException where the file exists, unless `ignore_if_exists`."""
        path = str(file).removeprefix("file://").removeprefix("file:")
        if os.path.exists(path):
            if ignore_if_exists:
                return
            raise TableException(f"Cannot overwrite the plan file '{path}'. Either manually remove the file or, choose another name.")
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8") as out:
            out.write(self.as_json_string())

    def get_flink_version(self) -> str:
        """The version of Flink that is followed."""
        return str(self._plan["flinkVersion"])

    def print_json_string(self) -> None:
        """Prints `as_json_string`."""
        print(self.as_json_string())

    def execute(self) -> TableResult:
        """Starts the job."""
        from thalweg.table.table_result import TableResult

        return TableResult(self._session().execute_inserts(self._inserts))

    def explain(self, *extra_details: ExplainDetail | str) -> str:
        """The abstract syntax tree and the optimized plans."""
        return self._session().explain(self._inserts, [str(d) for d in extra_details])

    def print_explain(self, *extra_details: ExplainDetail | str) -> None:
        """Prints `explain`."""
        print(self.explain(*extra_details))

    def _session(self) -> Session:
        """The environment's session, with the plan's tables."""
        session = self._t_env._synced()
        for path, statement in self._plan["thalweg"]["objects"].items():
            try:
                session.execute(f"DESCRIBE {path}")
            except ValidationException:
                session.execute(statement)
        return session

    @staticmethod
    def _of(inserts: list[Insert], t_env: TableEnvironment) -> CompiledPlan:
        """Plans INSERTs, which are checked now."""
        explained = t_env._synced().explain(inserts, ["JSON_EXECUTION_PLAN"])
        shown = json.loads(explained.partition("== Physical Execution Plan ==")[2] or '{"nodes": []}')
        statements = [insert[1] for insert in inserts if insert[0] == "sql"]
        plan = {
            "flinkVersion": ".".join(__flink_version__.split(".")[:2]),
            "nodes": shown["nodes"],
            "thalweg": {"format": _FORMAT, "statements": statements, "objects": _definitions(explained, t_env)},
        }
        compiled = CompiledPlan(plan, t_env)
        compiled._inserts = list(inserts)
        return compiled

    @staticmethod
    def _load(reference: PlanReference, t_env: TableEnvironment) -> CompiledPlan:
        try:
            plan = json.loads(reference._text())
        except ValueError as error:
            raise TableException(f"Failed to read the plan: {error}") from None
        except OSError as error:
            raise TableException(f"Cannot load the plan '{error.filename}': {error.strerror}") from None
        if not isinstance(plan, dict) or plan.get("thalweg", {}).get("format") != _FORMAT:
            raise TableException("The plan was not made by this engine: Flink's own plans name Java classes. Compile the statement here.")
        return CompiledPlan(plan, t_env)


def _definitions(explained: str, t_env: TableEnvironment) -> dict[str, str]:
    """CREATE statements of the tables in a plan, and of the views that the statements may name, by quoted path."""
    from thalweg.table.nested_types import quote

    session = t_env._session
    found: dict[str, str] = {}
    for names in dict.fromkeys(_TABLES.findall(explained)):
        parts = [part.strip() for part in re.split(r"[,.]", names)][:3]
        if len(parts) == 3 and not parts[2].startswith("*anonymous"):
            path = ".".join(quote(part) for part in parts)
            statement = _shown(session, f"SHOW CREATE TABLE {path}")
            if statement is not None:
                found[path] = statement
    for view in session.list("views"):
        path = ".".join(quote(part) for part in (*session.current(), view))
        statement = _shown(session, f"SHOW CREATE VIEW {path}")
        if statement is not None:
            found[path] = statement
    return found


def _shown(session: Session, statement: str) -> str | None:
    """What a SHOW CREATE says; None for a view of the Table API and the like, which have no text."""
    try:
        result = session.execute(statement)
    except Exception:  # noqa: BLE001 (it is left out of the plan; running the plan elsewhere then names what is missing)
        return None
    rows = result.next_rows(1) or []
    return str(rows[0][1][0]) if rows else None


use_flink_names(globals())
