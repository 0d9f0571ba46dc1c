"""Rows of a query as a list or on the terminal, as changes or as the table that they make; and statements by name."""

from __future__ import annotations

import itertools
import secrets
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from thalweg._flink_names import use_flink_names
from thalweg.table.confluent.confluent_settings import ConfluentFlinkException
from thalweg.table.table import Table
from thalweg.table.table_result import TableResult

if TYPE_CHECKING:
    from thalweg.common.types import Row
    from thalweg.table.table_environment import TableEnvironment

__all__ = ["ConfluentTools"]

_OPS = ("+I", "-U", "+U", "-D")
_MAX_CELL = 30
_FETCH_MS = 200
_Item = TypeVar("_Item")
_Cells = tuple[str, ...]


class ConfluentTools:
    """Methods for developing and testing. Each takes a Table, which it runs, or the TableResult of a query.

    With `_limit`, the query is stopped after so many changes: use it where the input does not end.
    """

    # --- changes
    @staticmethod
    def collect_changelog(table: Table | TableResult) -> list[Row]:
        """All changes, each a Row with its kind."""
        return _collect_changes(table, None)

    @staticmethod
    def collect_changelog_limit(table: Table | TableResult, stop_after: int) -> list[Row]:
        """The first changes."""
        return _collect_changes(table, stop_after)

    @staticmethod
    def print_changelog(table: Table | TableResult) -> None:
        """Prints all changes as a table."""
        _print_changes(table, None)

    @staticmethod
    def print_changelog_limit(table: Table | TableResult, stop_after: int) -> None:
        """Prints the first changes as a table."""
        _print_changes(table, stop_after)

    # --- the table that they make
    @staticmethod
    def collect_materialized(table: Table | TableResult) -> list[Row]:
        """The rows that are there after all changes."""
        return _collect_rows(table, None)

    @staticmethod
    def collect_materialized_limit(table: Table | TableResult, stop_after: int) -> list[Row]:
        """The rows that are there after the first changes."""
        return _collect_rows(table, stop_after)

    @staticmethod
    def print_materialized(table: Table | TableResult) -> None:
        """Prints the rows that are there after all changes."""
        _print_rows(table, None)

    @staticmethod
    def print_materialized_limit(table: Table | TableResult, stop_after: int) -> None:
        """Prints the rows that are there after the first changes."""
        _print_rows(table, stop_after)

    # --- statements
    @staticmethod
    def get_statement_name(table_result: TableResult) -> str:
        """The name of the statement that gave the result."""
        for name, known in _statements.items():
            if known is table_result:
                return name
        stamp = time.strftime("%Y-%m-%d-%H%M%S", time.gmtime())
        name = f"table-api-{stamp}-{secrets.token_hex(6)}-sql"
        while len(_statements) >= _KEPT_STATEMENTS:
            del _statements[next(iter(_statements))]
        _statements[name] = table_result
        return name

    @staticmethod
    def stop_statement(table_result: TableResult) -> None:
        """Ends the statement's job, if it still runs."""
        table_result._result.close()
        client = table_result.get_job_client()
        if client is not None and client.get_job_status().result().name not in ("FINISHED", "FAILED", "CANCELED"):
            client.cancel().result()

    @staticmethod
    def stop_statement_by_name(env: TableEnvironment, statement_name: str) -> None:
        """Ends the job of a statement of this process, by its name."""
        del env
        found = _statements.get(statement_name)
        if found is None:
            raise ConfluentFlinkException(f"Statement '{statement_name}' not found: no statement of this process has that name.")
        ConfluentTools.stop_statement(found)


_KEPT_STATEMENTS = 1000
_statements: dict[str, TableResult] = {}


def _result(table: Table | TableResult) -> TableResult:
    if isinstance(table, Table):
        return table.execute()
    if isinstance(table, TableResult):
        return table
    raise TypeError(f"a Table or a TableResult is needed, not {type(table).__name__}")


def _collect_changes(table: Table | TableResult, stop_after: int | None) -> list[Row]:
    with _result(table).collect() as rows:
        return list(itertools.islice(rows, stop_after))


def _materialized(changes: Iterator[tuple[int, _Item]]) -> list[_Item]:
    """Applies changes: an old version is taken out where it stands, and the new one takes its place."""
    rows: list[_Item] = []
    place: int | None = None
    for kind, row in changes:
        if kind in (1, 3):
            place = next((i for i in range(len(rows) - 1, -1, -1) if rows[i] == row), None)
            if place is not None:
                del rows[place]
        elif kind == 2 and place is not None:
            rows.insert(place, row)
        else:
            rows.append(row)
        if kind != 1:
            place = None
    return rows


def _collect_rows(table: Table | TableResult, stop_after: int | None) -> list[Row]:
    from thalweg.common.types import RowKind

    def plain(row: Row) -> tuple[int, Row]:
        kind = row.get_row_kind().value
        row.set_row_kind(RowKind.INSERT)
        return kind, row

    with _result(table).collect() as rows:
        return _materialized(plain(row) for row in itertools.islice(rows, stop_after))


def _texts(result: TableResult, stop_after: int | None) -> Iterator[tuple[int, _Cells]]:
    """The changes with their values as text; the query is stopped after the last one."""
    left = stop_after
    try:
        while left is None or left > 0:
            fetched = result._result.next_texts(_FETCH_MS)
            if fetched is None:
                return
            yield from fetched[:left]
            left = None if left is None else left - len(fetched[:left])
    finally:
        result._result.close()


def _print_changes(table: Table | TableResult, stop_after: int | None) -> None:
    result = _result(table)
    rows = [(_OPS[kind], *cells) for kind, cells in _texts(result, stop_after)]
    _print_table(["op", *(name for name, _ in result._result.columns())], rows)


def _print_rows(table: Table | TableResult, stop_after: int | None) -> None:
    result = _result(table)
    _print_table([name for name, _ in result._result.columns()], _materialized(_texts(result, stop_after)))


def _print_table(names: list[str], rows: list[_Cells]) -> None:
    if not rows:
        print("Empty set")
        return
    widths = [max(len(name), *(min(_MAX_CELL, len(row[i])) for row in rows)) for i, name in enumerate(names)]
    border = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    print(border)
    print(_line(names, widths))
    print(border)
    for row in rows:
        print(_line(row, widths))
    print(border)
    print(f"{len(rows)} row{'' if len(rows) == 1 else 's'} in set")


def _line(cells: list[str] | _Cells, widths: list[int]) -> str:
    cut = (cell if len(cell) <= width else cell[: width - 3] + "..." for cell, width in zip(cells, widths))
    return "|" + "|".join(f" {cell.rjust(width)} " for cell, width in zip(cut, widths)) + "|"


use_flink_names(globals())
