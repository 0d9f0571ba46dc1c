"""Completion in the SQL shell: keywords, tables, columns, functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import Session

_KEYWORDS = (
    "ALTER", "AND", "AS", "ASC", "BEGIN", "BETWEEN", "BY", "CASE", "CAST", "CATALOG", "CATALOGS", "COLUMN", "CREATE", "CROSS",
    "CUMULATE", "CURRENT", "DATABASE", "DATABASES", "DESC", "DESCRIBE", "DESCRIPTOR", "DISTINCT", "DROP", "ELSE", "END", "EXECUTE",
    "EXISTS", "EXPLAIN", "FALSE", "FILTER", "FROM", "FULL", "FUNCTION", "FUNCTIONS", "GROUP", "HAVING", "HELP", "HOP", "IF", "IN",
    "INNER", "INSERT", "INTERVAL", "INTO", "IS", "JOB", "JOBS", "JOIN", "LEFT", "LIKE", "LIMIT", "MATCH_RECOGNIZE", "NOT", "NULL",
    "ON", "OR", "ORDER", "OUTER", "OVER", "OVERWRITE", "PARTITION", "PARTITIONED", "PRIMARY", "KEY", "QUIT", "RENAME", "RESET",
    "RIGHT", "ROW", "SELECT", "SESSION", "SET", "SHOW", "STATEMENT", "STOP", "TABLE", "TABLES", "TEMPORARY", "THEN", "TO", "TRUE",
    "TUMBLE", "UNION", "UNNEST", "USE", "VALUES", "VIEW", "VIEWS", "WATERMARK", "WHEN", "WHERE", "WINDOW", "WITH",
)  # fmt: skip


class Completer:
    """What readline asks, candidate by candidate. Names are looked up once for each word."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._candidates: list[str] = []

    def complete(self, text: str, state: int) -> str | None:
        """The candidate number `state` for the word `text`."""
        if state == 0:
            self._candidates = self._find(text)
        return self._candidates[state] if state < len(self._candidates) else None

    def _find(self, text: str) -> list[str]:
        lower = text.islower()
        words = [k.lower() if lower else k for k in _KEYWORDS if k.startswith(text.upper())]
        try:
            names = self._session.list("tables") + self._session.list("databases")
            columns = [name for table in self._session.list("tables") for name, _ in self._session.from_path(f"`{table}`").columns()]
            functions = self._session.list("functions")
        except Exception:  # noqa: BLE001 (a table that can't be read must not spoil the prompt)
            return words
        found = [name for name in dict.fromkeys(names + columns) if name.lower().startswith(text.lower())]
        calls = [f"{f.lower() if lower else f.upper()}(" for f in functions if text and f.lower().startswith(text.lower())]
        return found + words + calls
