"""The sink of Flink's own Python tests: tables `WITH ('connector' = 'test-sink')`, whose rows `results` gives."""

from __future__ import annotations

import re

from thalweg import _native
from thalweg._flink_names import use_flink_names

__all__ = ["results", "retract_results", "upsert_results"]

_SUBTASK = re.compile(r"^\d+> ")
_native.add_test_sink()


def results() -> list[str]:
    """All changes since the last call: "+I[1, Hi]"."""
    return [_SUBTASK.sub("", line) for line in _native.take_test_sink_lines()]


def retract_results() -> list[str]:
    """The rows that are there after all changes, as insertions."""
    rows: list[str] = []
    for change in results():
        kind, row = change[:2], change[2:]
        if kind in ("+I", "+U"):
            rows.append(row)
        elif row in rows:
            rows.remove(row)
    return [f"+I{row}" for row in rows]


def upsert_results(keys: list[int]) -> list[str]:
    """The latest row of each key, given by the positions of its columns."""
    rows: dict[tuple[str, ...], str] = {}
    for change in results():
        kind, values = change[:2], change[3:-1].split(", ")
        key = tuple(values[i] for i in keys)
        if kind in ("+I", "+U"):
            rows[key] = change[2:]
        elif kind == "-D":
            rows.pop(key, None)
    return [f"+I{row}" for row in rows.values()]


use_flink_names(globals())
