"""A table's first rows as HTML, for notebooks."""

from __future__ import annotations

import time
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalweg._native import Relation

_ROWS = 20
_CHANGES = 2_000
_WAIT_S = 1.0
_CELL = 200


def preview_html(relation: Relation) -> str:
    """Runs the query until enough rows are there, it ends, or a second has passed; then it is stopped. Changes are applied."""
    rows: list[tuple[str, ...]] = []
    result = relation.execute()
    changes, ended = 0, False
    deadline = time.monotonic() + _WAIT_S
    try:
        while not ended and len(rows) <= _ROWS and changes < _CHANGES and (left := deadline - time.monotonic()) > 0:
            fetched = result.next_texts(int(left * 1000) + 1)
            ended = fetched is None
            for kind, cells in fetched or ():
                changes += 1
                if kind in (0, 2):
                    rows.append(cells)
                elif cells in rows:
                    rows.remove(cells)
    finally:
        result.close()
    return _page(relation, rows, ended)


def _page(relation: Relation, rows: list[tuple[str, ...]], ended: bool) -> str:
    columns = relation.columns()
    head = "".join(f"<th>{escape(name)}<br><small>{escape(data_type)}</small></th>" for name, data_type in columns)
    body = "".join("<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in row) + "</tr>" for row in rows[:_ROWS])
    whole = ended and len(rows) <= _ROWS
    counted = f"{len(rows)} row{'' if len(rows) == 1 else 's'}"
    note = counted if whole else f"the first {min(len(rows), _ROWS)} rows; the query was stopped for this preview"
    return f'<table class="thalweg"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p><small>{note}</small></p>'


def _cell(text: str) -> str:
    if text == "<NULL>":
        return "<i>NULL</i>"
    return escape(text if len(text) <= _CELL else text[:_CELL] + "...")
