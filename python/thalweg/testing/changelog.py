"""Expectations about what a query gave since it was last looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from thalweg.common.types import Row

if TYPE_CHECKING:
    from thalweg._native import Result
    from thalweg.table.table import Table
    from thalweg.testing.hand_driven import HandDrivenEnvironment

_FAILING_MS = 10_000
_OPS = ("+I", "-U", "+U", "-D")


class ChangelogExpectation:
    """`expect_changelog(query, changes...)`: the query is started when it is first named, and goes on from call to call."""

    def __init__(self, environment: HandDrivenEnvironment) -> None:
        self._environment = environment
        self._results: dict[int | str, tuple[Any, Result]] = {}

    def __call__(self, query: Table | str, *changes: Any, ordered: bool = False) -> None:
        """Fails unless exactly these changes came since the last call.

        A change is a text as the print connector writes it ("+I[a, 1]"), a tuple with the kind in front (("+I", "a", 1)), or a Row. Without
        `ordered` the order of rows counts only among equal first columns.
        """
        came = self.changes(query)
        wanted = [_text(change) for change in changes]
        if _arranged(came, ordered) != _arranged(wanted, ordered):
            raise AssertionError(_difference(wanted, came))

    def changes(self, query: Table | str) -> list[str]:
        """What came since the last call, as texts."""
        result = self._result(query)
        self._environment.feed.settle()
        found: list[str] = []
        while rows := result.next_texts(0):
            found += [f"{_OPS[kind]}[{', '.join(cells)}]" for kind, cells in rows]
        if result.job is not None and result.job.status() in ("FAILING", "FAILED"):
            result.job.wait(_FAILING_MS)  # raises what it failed with
        return found

    def _result(self, query: Table | str) -> Result:
        key = query if isinstance(query, str) else id(query)
        if key not in self._results:
            table = self._environment.sql_query(query) if isinstance(query, str) else query
            result = table.execute()._result
            self._results[key] = (query, result)
            self._environment.feed.watch(result.job)
        return self._results[key][1]

    def close(self) -> None:
        """Ends the queries."""
        for _, result in self._results.values():
            result.close()


def _text(change: Any) -> str:
    if isinstance(change, str):
        return change
    if isinstance(change, Row):
        return f"{_OPS[change.get_row_kind().value]}[{', '.join(_cell(value) for value in change)}]"
    kind, *values = change
    return f"{kind}[{', '.join(_cell(value) for value in values)}]"


def _cell(value: Any) -> str:
    if value is None:
        return "<NULL>"
    if isinstance(value, bool):
        return str(value).upper()
    return str(value)


def _arranged(changes: Sequence[str], ordered: bool) -> list[str]:
    """Changes of different keys may come in any order."""
    return list(changes) if ordered else sorted(changes, key=lambda change: change[2:].split(",")[0])


def _difference(wanted: Sequence[str], came: Sequence[str]) -> str:
    missing = [change for change in wanted if change not in came]
    extra = [change for change in came if change not in wanted]
    lines = ["the changelog is another", "  came:", *(f"    {change}" for change in came or ["(nothing)"])]
    lines += ["  wanted:", *(f"    {change}" for change in wanted or ["(nothing)"])]
    if missing or extra:
        lines += [f"  missing: {', '.join(missing) or 'none'}; not wanted: {', '.join(extra) or 'none'}"]
    return "\n".join(lines)
